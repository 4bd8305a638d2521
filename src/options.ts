import * as z from 'zod';
import type { Instant } from './domain/clock.js';
import { DURATION_EXAMPLES, parseDuration } from './domain/duration.js';
import { AUTH_MODES } from './domain/state.js';
import { PRIVACIES } from './domain/vals.js';
import { type GenerateOptions, problemsOfSize } from './fixtures/generate-options.js';
import { explain, OptionsError } from './fixtures/problems.js';
import type { OnProgress } from './fixtures/progress.js';
import type { FixtureSource } from './fixtures/read.js';
import type { RequestLog } from './http/handler.js';

export interface EmulatorOptions {
  /**
   * Seed data: the name of fixtures that ship with the package, the path of a folder or JSON file, or an object.
   * @default 'default'
   */
  readonly fixtures?: FixtureSource | undefined;
  /** Generated seed data instead: `{ users: 50, seed: 42 }`. Sizes that are left out follow from the others. */
  readonly generate?: GenerateOptions | undefined;
  /**
   * TCP port to listen on, 0 to 65535; 0 takes any free one.
   * @default 0
   */
  readonly port?: number | undefined;
  /**
   * Address to listen on; `0.0.0.0` for every one of this machine.
   * @default '127.0.0.1'
   */
  readonly host?: string | undefined;
  /**
   * Whether to listen at all. Without, only `emulator.fetch` and `emulator.app` answer, and no socket is opened.
   * @default true
   */
  readonly listen?: boolean | undefined;
  /**
   * How a token that nobody holds is taken: `strict` answers 401, `lenient` takes it for the first user's.
   * @default 'strict'
   */
  readonly auth?: (typeof AUTH_MODES)[number] | undefined;
  /**
   * Privacy of a val that is created without one.
   * @default 'private'
   */
  readonly defaultPrivacy?: (typeof PRIVACIES)[number] | undefined;
  /** Freezes the clock: a Date, an RFC 3339 timestamp, or milliseconds since 1970. By default it follows the machine's. */
  readonly now?: Date | string | Instant | undefined;
  /**
   * Another seed gives other ids, and other names to vals that are created without one.
   * @default 'val-emulator'
   */
  readonly idSeed?: string | number | undefined;
  /**
   * Whether only the routes of the specification answer, and not the companions that published programs call as well.
   * @default false
   */
  readonly specOnly?: boolean | undefined;
  /**
   * Requests that a token may send within a window: `{ limit: 100, window: '1m' }`, the window as a duration or in
   * milliseconds. Off by default.
   */
  readonly rateLimit?: { readonly limit: number; readonly window: string | number } | undefined;
  /**
   * Whether the emulator's own API answers under `/_emulator`. Its health does in any case.
   * @default true
   */
  readonly control?: boolean | undefined;
  /** Host names beside the loopback ones from which the emulator's own API may be reached: `['emulator.test']`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * How many sandboxes there may be beside the main one.
   * @default 10_000
   */
  readonly maxSandboxes?: number | undefined;
  /**
   * Checks every answer against the schema that the route declares; a mismatch is a 500. For tests of the emulator.
   * @default false
   */
  readonly checkAnswers?: boolean | undefined;
  /** Called after each request. */
  readonly onRequest?: ((request: RequestLog) => void) | undefined;
  /** Called while seed data are loaded. */
  readonly onProgress?: OnProgress | undefined;
}

const isFixtures = (value: unknown): value is FixtureSource =>
  typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null && !Array.isArray(value);
const isCallback = (value: unknown): value is (request: RequestLog) => void => typeof value === 'function';

const PORT = 'a port from 0 to 65535';
const HOST = 'an address or a name of this machine, such as "127.0.0.1"';
const NOW = 'an RFC 3339 timestamp such as "2024-06-11T22:05:12Z"; in a program also a Date or milliseconds since 1970';
const isTimestamp = (value: unknown) => z.iso.datetime({ offset: true }).safeParse(value).success;
const isNow = (value: unknown): value is Date | string | number => {
  if (typeof value === 'string') return isTimestamp(value);
  // As JSON writes it: null when there is no such time, more than four digits for a year that no timestamp tells.
  return (typeof value === 'number' || value instanceof Date) && isTimestamp(new Date(value).toJSON());
};

const WINDOW = `milliseconds, or a duration such as ${DURATION_EXAMPLES}`;
const windowOf = (value: unknown) => (typeof value === 'string' ? (parseDuration(value) ?? value) : value);
const Window = z.preprocess(windowOf, z.number({ error: WINDOW }).positive({ error: WINDOW }));

const DEFAULTS = {
  fixtures: 'default',
  port: 0,
  host: '127.0.0.1',
  listen: true,
  auth: 'strict',
  defaultPrivacy: 'private',
  idSeed: 'val-emulator',
  specOnly: false,
  control: true,
  allowedHosts: [],
  maxSandboxes: 10_000,
  checkAnswers: false,
} satisfies EmulatorOptions;

/** The descriptions make the table in the README. */
export const Options = z.strictObject({
  fixtures: z
    .custom<FixtureSource>(isFixtures, { error: 'a name, a path or an object' })
    .default(DEFAULTS.fixtures)
    .describe('seed data: a name, a path, or an object (typed as `Fixtures`)'),
  generate: z
    .custom<GenerateOptions>()
    .optional()
    .describe('generated seed data instead: `{ users, vals, runs, days, seed }`, each optional'),
  port: z
    .int({ error: PORT })
    .min(0, { error: PORT })
    .max(65_535, { error: PORT })
    .default(DEFAULTS.port)
    .describe('port to listen on; 0 takes any free one'),
  host: z
    .string({ error: HOST })
    .min(1, { error: HOST })
    .default(DEFAULTS.host)
    .describe('address to listen on; `0.0.0.0` for all'),
  listen: z
    .boolean()
    .default(DEFAULTS.listen)
    .describe('whether to listen at all; `fetch` and `app` answer in any case'),
  auth: z
    .enum(AUTH_MODES)
    .default(DEFAULTS.auth)
    .describe("`'strict'`: an unknown token is a 401; `'lenient'`: it is the first user's"),
  defaultPrivacy: z
    .enum(PRIVACIES)
    .default(DEFAULTS.defaultPrivacy)
    .describe("privacy of a val that is created without one: `'private'`, `'unlisted'` or `'public'`"),
  now: z
    .custom<Date | string | number>(isNow, { error: NOW })
    .transform((now): Instant => new Date(now).getTime())
    .optional()
    .describe('freezes the clock: a `Date`, a timestamp, or milliseconds since 1970'),
  idSeed: z
    .union([z.string(), z.number()], { error: 'a string or a number' })
    .transform(String)
    .default(DEFAULTS.idSeed)
    .describe('another seed gives other ids and invented names'),
  specOnly: z
    .boolean()
    .default(DEFAULTS.specOnly)
    .describe('answer only the routes of the specification, without the companions'),
  rateLimit: z
    .strictObject({ limit: z.int().min(1), window: Window })
    .optional()
    .describe("requests that a token may send within a time: `{ limit: 100, window: '1m' }`"),
  control: z.boolean().default(DEFAULTS.control).describe('whether there is an API of its own under `/_emulator`'),
  allowedHosts: z
    .array(z.string().min(1).toLowerCase())
    .default(DEFAULTS.allowedHosts)
    .describe('host names beside the loopback ones that may reach it'),
  maxSandboxes: z
    .int()
    .min(0)
    .default(DEFAULTS.maxSandboxes)
    .describe('how many sandboxes there may be beside the main one'),
  checkAnswers: z
    .boolean()
    .default(DEFAULTS.checkAnswers)
    .describe('checks each answer against its schema; for tests of the emulator itself'),
  onRequest: z
    .custom<(request: RequestLog) => void>(isCallback, { error: 'a function' })
    .optional()
    .describe('called after each request with method, target, status, duration'),
  onProgress: z
    .custom<OnProgress>(isCallback, { error: 'a function' })
    .optional()
    .describe('called while seed data are loaded with the step and how much of it is done'),
});

export type CheckedOptions = z.output<typeof Options>;

/** @throws OptionsError */
export function checkOptions(options?: EmulatorOptions): CheckedOptions {
  // The first check of a program takes a millisecond, so that one of nothing is spared.
  if (options === undefined) return DEFAULTS;
  // Once in most programs, so that compiling the check would take longer than all that it saves.
  const result = Options.safeParse(options, { reportInput: true, jitless: true });
  const problems = result.success ? [] : explain(result.error, '', Object.keys(Options.shape));
  const { fixtures, generate } = Object(options);
  if (generate !== undefined) {
    if (fixtures !== undefined)
      problems.push({ place: 'generate', message: 'expected either generate or fixtures, not both.' });
    problems.push(...problemsOfSize(generate, 'generate'));
  }
  if (result.success && problems.length === 0) return result.data;
  throw new OptionsError(problems);
}
