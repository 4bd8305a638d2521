import { type Static, Type } from 'typebox';
import { type Act, runHeld } from '../clock/clock.js';
import { OptionsError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { type Optional, omitUndefined } from '../lib/objects.js';
import type { Instant } from '../lib/time.js';
import { DURATION_EXAMPLES, toMilliseconds } from '../lib/time.js';
import { showCallers } from '../platform/caller-stack.js';
import { Nullable } from '../schema/common.js';
import { record, strictObject } from '../schema/schema.js';
import { describeErrors } from '../schema/schema-errors.js';
import { compile } from '../schema/validator.js';
import { findCallerByToken, nameCaller } from '../state/callers.js';
import type { Draft, State } from '../state/state.js';
import { rateLimitWindows } from './rate-limit.state.js';

const MAX_WINDOWS = 1_000;
const WINDOW = `milliseconds, or a duration such as ${DURATION_EXAMPLES}`;

const rateLimitStatus = record('RateLimit', {
  limit: Nullable(Type.Integer({ description: 'Requests of a token within a window; null for no limit' })),
  window: Nullable(Type.Number({ description: 'Milliseconds' })),
  windows: Type.Array(
    record('RateLimitWindow', {
      user: Nullable(
        Type.String({ description: 'Username, or the id of a user without one; null without a known token' }),
      ),
      requests: Type.Integer(),
      remaining: Type.Integer(),
      reset: Type.Integer({ description: 'Seconds until the window ends' }),
    }),
    { description: 'The windows that have not ended, newest first, at most 1,000' },
  ),
});
/** The rate limit of a sandbox, and the tokens that are counted. */
export interface RateLimitStatus extends Static<typeof rateLimitStatus> {}
export const RateLimitStatus = Type.Unsafe<RateLimitStatus>(rateLimitStatus);

export const RateLimitSchema = strictObject(
  {
    limit: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
      expected: 'a whole number from 1, or null for no limit',
      description: 'Requests of a token in a window; null: no limit',
    }),
    window: Type.Optional(
      Type.Union([Type.String(), Type.Number()], { expected: WINDOW, description: '`1m`, or milliseconds' }),
    ),
  },
  { title: 'NewRateLimit' },
);
const isSetting = compile(RateLimitSchema, 'strict');

/** A rate limit: requests of a token within a window, which is a duration or milliseconds. Null for no limit. */
export type RateLimitSetting = Optional<Static<typeof RateLimitSchema>> & Pick<Static<typeof RateLimitSchema>, 'limit'>;

interface RateLimitHost {
  readonly store: { readonly state: State };
  readonly now: Instant;
  update(operation: string, change: (draft: Draft) => void): void;
}

/** The rate limit of a sandbox. A reset restores the one of the options. */
export class SandboxRateLimit {
  static {
    showCallers(SandboxRateLimit.prototype);
  }

  readonly #host: RateLimitHost;
  readonly #act: Act;

  constructor(host: RateLimitHost, act: Act = runHeld) {
    this.#host = host;
    this.#act = act;
  }

  /** Returns the limit, and the requests that are counted. */
  read(): RateLimitStatus {
    const { store, now } = this.#host;
    const { state } = store;
    const { rateLimit } = state.settings;
    if (!rateLimit) return { limit: null, window: null, windows: [] };
    const { limit, window } = rateLimit;
    const active = [...state.rateLimits.by.start.range([], { after: now - window })].reverse();
    const windows = active.slice(0, MAX_WINDOWS).map(({ token, start, requests }) => {
      const caller = findCallerByToken(state, token);
      return {
        user: caller ? nameCaller(state, caller) : null,
        requests,
        remaining: Math.max(0, limit - requests),
        reset: Math.ceil((start + window - now) / 1_000),
      };
    });
    return { limit, window, windows };
  }

  /**
   * Sets the limit, or switches it off: `{ limit: 100, window: '1m' }`, `{ limit: null }`. All windows begin again. It is a
   * commit of the history.
   * @throws OptionsError for a wrong value
   */
  set(setting: RateLimitSetting): RateLimitStatus {
    const rateLimit = parseSetting(setting);
    this.#act(() =>
      this.#host.update('PUT /_emulator/rate-limit', (draft) => {
        draft.settings = { ...draft.settings, rateLimit };
        draft.rateLimits = rateLimitWindows();
      }),
    );
    return this.read();
  }
}

/** @throws OptionsError */
function parseSetting(setting: unknown) {
  const input = omitUndefined(setting);
  if (!isSetting(input)) throw new OptionsError(describeErrors(isSetting.errors, ''));
  const { limit, window } = input;
  if (limit === null) {
    if (window === undefined) return undefined;
    throw new OptionsError([{ path: 'window', message: 'expected only with a limit.' }]);
  }
  const milliseconds = window === undefined ? undefined : toMilliseconds(window);
  if (milliseconds !== undefined && milliseconds > 0) return { limit, window: milliseconds };
  const found = window === undefined ? 'missing' : `found ${formatValue(window)}`;
  throw new OptionsError([{ path: 'window', message: `${found}; expected ${WINDOW}, above 0.` }]);
}
