import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { findExamplePath } from '../../api/router.js';
import { countRecords } from '../../fixtures/export.js';
import type { Steps } from '../../lib/steps.js';
import { toTimestamp } from '../../lib/time.js';
import { packageVersion } from '../../platform/package.js';
import { AtQuery, getStateAt } from '../../sandbox/history-entries.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import { Nullable, Timestamp } from '../../schema/common.js';
import { mapOf, record } from '../../schema/schema.js';
import type { State } from '../../state/state.js';
import { type ControlEmulator, controlRoute, forPage } from '../route.js';

/** What a service adds to the summary of a sandbox. */
export interface SummaryPart<S extends object = object> {
  readonly properties: TProperties;
  /** Properties that only a chart shows: agents do not get them. */
  readonly charts?: readonly string[];
  /** Begins with a sandbox. The function that it returns summarizes each of its states, and may remember what it counts. */
  begin(): (state: State) => Steps<S>;
}

export const noSummary: SummaryPart = {
  properties: {},
  begin: () =>
    // biome-ignore lint/correctness/useYield: nothing to wait for
    function* () {
      return {};
    },
};

const properties = {
  version: Type.String({ description: 'Version of the emulator' }),
  sandbox: Type.String({ description: 'Name of the sandbox, empty for the default one' }),
  folder: Nullable(
    Type.String({ description: 'The data folder that keeps the sandbox; null if it is in memory only' }),
  ),
  failure: Nullable(Type.String({ description: 'Why nothing can be written to the data folder' })),
  at: Nullable(Type.String({ description: 'The commit whose state this is' })),
  now: Timestamp,
  frozen: Type.Boolean(),
  example: Nullable(Type.String({ description: 'Path of the first GET route without parameters; null for none' })),
  counts: mapOf(Type.Integer(), { description: 'Numbers of records by collection' }),
  requests: Type.Integer({ description: 'Number of requests to the API since the start or the last reset' }),
  commits: Type.Integer({ description: 'Number of commits in the history' }),
  rateLimit: Nullable(
    record('RateLimitSetting', { limit: Type.Integer(), window: Type.Number({ description: 'Milliseconds' }) }),
  ),
};
export interface Summary extends Static<TObject<typeof properties>> {}

/**
 * Summarizes a sandbox, now or after a commit.
 * @throws NotFoundError when the history has no such commit
 */
function summarize(sandbox: Sandbox, at: string | undefined, { storage, service }: ControlEmulator): Summary {
  const { state, time } = getStateAt(sandbox.store, at);
  const clock =
    time === undefined ? sandbox.clock.read() : { now: toTimestamp(time), frozen: 'frozenAt' in state.clock };
  const { rateLimit } = state.settings;
  return {
    version: packageVersion(),
    sandbox: sandbox.name,
    folder: storage && sandbox.meta.kept ? storage.path : null,
    failure: storage?.failure?.message ?? null,
    at: at ?? null,
    ...clock,
    example: findExamplePath(service.routes) ?? null,
    counts: { ...countRecords(state) },
    requests: sandbox.journal.count,
    commits: sandbox.store.history.length,
    rateLimit: rateLimit ? { ...rateLimit } : null,
  };
}

export const makeSummaryRoutes = <S extends object>(part: SummaryPart<S>) => {
  const begun = new WeakMap<Sandbox, (state: State) => Steps<S>>();
  return [
    forPage(
      controlRoute('GET', '/_emulator/summary', 'Summarize the sandbox in numbers', {
        id: 'getSummary',
        tool: 'status',
        toolOmits: part.charts ?? [],
        query: AtQuery,
        response: Type.Unsafe<Summary & S>(record('Summary', { ...properties, ...part.properties })),
        errors: [400, 403, 404],
        *handle({ emulator, sandbox, query: { at } }) {
          const summary = summarize(sandbox, at, emulator);
          const read = begun.get(sandbox) ?? part.begin();
          begun.set(sandbox, read);
          return { ...summary, ...(yield* read(getStateAt(sandbox.store, at).state)) };
        },
      }),
    ),
  ];
};
