import { type Static, Type } from 'typebox';
import type { FixtureSource } from './fixtures/read.js';
import { type GenerateOptions, validateGenerateOptions } from './generator/options.js';
import { DURATION_EXAMPLES, parseDuration } from './lib/duration.js';
import { OptionsError, type Problem } from './lib/errors.js';
import { describeErrors, formatValue } from './lib/messages.js';
import { isObject, omitUndefined } from './lib/objects.js';
import type { OnProgress } from './lib/progress.js';
import { type Instant, parseInstant } from './lib/time.js';
import { compile } from './lib/validator.js';
import { PRIVACIES } from './model/schema.js';
import { AUTH_MODES, type RateLimit } from './model/state.js';
import type { PipelineOptions, RequestLog } from './server/pipeline.js';

export interface EmulatorOptions {
  /**
   * Seed data: the name of a built-in dataset, the path of a folder or JSON file, or an object.
   * @default 'default'
   */
  readonly fixtures?: FixtureSource | undefined;
  /** Generated seed data instead: `{ users: 50, seed: 42 }`. Absent sizes follow from the others. */
  readonly generate?: GenerateOptions | undefined;
  /**
   * TCP port to listen on, 0 to 65535; 0 takes any free one.
   * @default 0
   */
  readonly port?: number | undefined;
  /**
   * Address to listen on; `0.0.0.0` for all addresses of this machine.
   * @default '127.0.0.1'
   */
  readonly host?: string | undefined;
  /**
   * Whether to listen. If not, only `emulator.fetch` and `emulator.app` respond, and no socket is opened.
   * @default true
   */
  readonly listen?: boolean | undefined;
  /**
   * How an unknown token is treated: as a 401 (`strict`), or as that of the first user (`lenient`).
   * @default 'strict'
   */
  readonly auth?: (typeof AUTH_MODES)[number] | undefined;
  /**
   * Privacy of a val that is created without one.
   * @default 'private'
   */
  readonly defaultPrivacy?: (typeof PRIVACIES)[number] | undefined;
  /** Freezes the clock: a Date, an RFC 3339 timestamp, or milliseconds since 1970. Default: the system clock. */
  readonly now?: Date | string | Instant | undefined;
  /**
   * Another seed gives other ids and generated names.
   * @default 'val-emulator'
   */
  readonly idSeed?: string | number | undefined;
  /**
   * Whether to serve the routes of the specification only, without the unofficial ones.
   * @default false
   */
  readonly specOnly?: boolean | undefined;
  /**
   * Requests that a token may send within a window: `{ limit: 100, window: '1m' }`, with the window as a duration or in
   * milliseconds. Default: no limit.
   */
  readonly rateLimit?: { readonly limit: number; readonly window: string | number } | undefined;
  /**
   * Whether to serve the control API under `/_emulator`. Its health is always served.
   * @default true
   */
  readonly control?: boolean | undefined;
  /** Host names, other than the loopback ones, that may use the control API: `['emulator.test']`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Maximum number of sandboxes, without the default one.
   * @default 10_000
   */
  readonly maxSandboxes?: number | undefined;
  /**
   * Checks each response against the schema of its route; a mismatch is a 500. For tests of the emulator.
   * @default false
   */
  readonly validateResponses?: boolean | undefined;
  /** Called after each request. */
  readonly onRequest?: ((request: RequestLog) => void) | undefined;
  /** Called while seed data are loaded. */
  readonly onProgress?: OnProgress | undefined;
  /** @internal Called with each request and its response. */
  readonly onExchange?: PipelineOptions['onExchange'];
}

const PORT = 'a port from 0 to 65535';
const HOST = 'an address or a name of this machine, such as "127.0.0.1"';
const NOW = 'an RFC 3339 timestamp such as "2024-06-11T22:05:12Z"; in a program also a Date or milliseconds since 1970';
const WINDOW = `milliseconds, or a duration such as ${DURATION_EXAMPLES}`;

/** The options as JSON Schema. The descriptions are the table in the README; values that JSON lacks are checked below. */
export const OptionsSchema = Type.Object(
  {
    fixtures: Type.Unknown({
      default: 'default',
      description: 'seed data: a name, a path, or an object (typed as `Fixtures`)',
    }),
    generate: Type.Optional(
      Type.Unknown({ description: 'generated seed data instead: `{ users, vals, runs, days, seed }`, each optional' }),
    ),
    port: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: 0,
      expected: PORT,
      description: 'port to listen on; 0 takes any free one',
    }),
    host: Type.String({
      minLength: 1,
      default: '127.0.0.1',
      expected: HOST,
      description: 'address to listen on; `0.0.0.0` for all',
    }),
    listen: Type.Boolean({ default: true, description: 'whether to listen; `fetch` and `app` always respond' }),
    auth: Type.Enum([...AUTH_MODES], {
      default: 'strict',
      description: "`'strict'`: an unknown token is a 401; `'lenient'`: it is that of the first user",
    }),
    defaultPrivacy: Type.Enum([...PRIVACIES], {
      default: 'private',
      description: "privacy of a val that is created without one: `'private'`, `'unlisted'` or `'public'`",
    }),
    now: Type.Optional(
      Type.Unknown({ description: 'freezes the clock: a `Date`, a timestamp, or milliseconds since 1970' }),
    ),
    idSeed: Type.Union([Type.String(), Type.Number()], {
      default: 'val-emulator',
      expected: 'a string or a number',
      description: 'another seed gives other ids and generated names',
    }),
    specOnly: Type.Boolean({
      default: false,
      description: 'serve the routes of the specification only, without the unofficial ones',
    }),
    rateLimit: Type.Optional(
      Type.Object(
        {
          limit: Type.Integer({ minimum: 1 }),
          window: Type.Union([Type.String(), Type.Number()], { expected: WINDOW }),
        },
        {
          additionalProperties: false,
          description: "requests that a token may send within a window: `{ limit: 100, window: '1m' }`",
        },
      ),
    ),
    control: Type.Boolean({ default: true, description: 'whether to serve the control API under `/_emulator`' }),
    allowedHosts: Type.Array(Type.String({ minLength: 1, expected: 'a host name' }), {
      default: [],
      description: 'host names, other than the loopback ones, that may use it',
    }),
    maxSandboxes: Type.Integer({
      minimum: 0,
      default: 10_000,
      description: 'maximum number of sandboxes, without the default one',
    }),
    validateResponses: Type.Boolean({
      default: false,
      description: 'checks each response against its schema; for tests of the emulator itself',
    }),
    onRequest: Type.Optional(
      Type.Unknown({ description: 'called after each request with method, target, status, duration' }),
    ),
    onProgress: Type.Optional(
      Type.Unknown({ description: 'called while seed data are loaded, with the step and the fraction done' }),
    ),
  },
  { additionalProperties: false },
);

const isOptions = compile('options', OptionsSchema, 'strict');

/** Validated options with all defaults. */
export interface ParsedOptions
  extends Omit<Static<typeof OptionsSchema>, 'fixtures' | 'generate' | 'now' | 'idSeed' | 'rateLimit' | Callback> {
  readonly fixtures: FixtureSource;
  readonly generate: GenerateOptions | undefined;
  readonly now: Instant | undefined;
  readonly idSeed: string;
  readonly rateLimit: RateLimit | undefined;
  readonly onRequest: EmulatorOptions['onRequest'];
  readonly onProgress: EmulatorOptions['onProgress'];
  readonly onExchange: PipelineOptions['onExchange'];
}
type Callback = 'onRequest' | 'onProgress' | 'onExchange';

/** @throws OptionsError with all errors */
export function parseOptions(options: EmulatorOptions = {}): ParsedOptions {
  const { fixtures = 'default', generate, now, onRequest, onProgress, onExchange } = Object(options);
  const input = isObject(options) ? omitUndefined({ ...options, onExchange: undefined }) : options;
  const isValid = isOptions(input);
  const problems = [...describeErrors(isOptions.errors, ''), ...(isObject(input) ? validateDetails(options) : [])];
  if (!isValid || problems.length > 0) throw new OptionsError(problems);
  const { rateLimit } = input;
  return {
    ...input,
    fixtures,
    generate,
    now: now === undefined ? undefined : toInstant(now),
    idSeed: String(input.idSeed),
    rateLimit: rateLimit && { limit: rateLimit.limit, window: toMilliseconds(rateLimit.window) ?? 0 },
    allowedHosts: input.allowedHosts.map((host) => host.toLowerCase()),
    onRequest,
    onProgress,
    onExchange,
  };
}

/** Checks the values that JSON Schema cannot describe. */
function validateDetails(options: EmulatorOptions): Problem[] {
  const { fixtures, generate, now, rateLimit, onRequest, onProgress } = options;
  const problems: Problem[] = [];
  const expect = (path: string, value: unknown, expected: string, isValid: boolean) => {
    if (value === undefined || isValid) return;
    problems.push({ path, message: `found ${formatValue(value)}; expected ${expected}.` });
  };
  const isSource = typeof fixtures === 'string' ? fixtures !== '' : isObject(fixtures);
  expect('fixtures', fixtures, 'a name, a path or an object', isSource);
  expect('now', now, NOW, toInstant(now) !== undefined);
  const window = rateLimit?.window;
  if (typeof window === 'string' || typeof window === 'number') {
    expect('rateLimit.window', window, WINDOW, (toMilliseconds(window) ?? 0) > 0);
  }
  expect('onRequest', onRequest, 'a function', typeof onRequest === 'function');
  expect('onProgress', onProgress, 'a function', typeof onProgress === 'function');
  if (generate !== undefined) {
    if (fixtures !== undefined) {
      problems.push({ path: 'generate', message: 'expected either generate or fixtures, not both.' });
    }
    problems.push(...validateGenerateOptions(generate, 'generate'));
  }
  return problems;
}

const toMilliseconds = (window: string | number): number | undefined =>
  typeof window === 'string' ? parseDuration(window) : window;

/** Undefined for anything that no timestamp represents. */
function toInstant(now: unknown): Instant | undefined {
  if (typeof now === 'string') return parseInstant(now);
  if (typeof now !== 'number' && !(now instanceof Date)) return undefined;
  // As JSON: null for an invalid date, and more than four digits for a distant year.
  const text: unknown = new Date(now).toJSON();
  return typeof text === 'string' ? parseInstant(text) : undefined;
}
