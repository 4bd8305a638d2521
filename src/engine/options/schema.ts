import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { CHAOS_NAMES } from '../faults/presets.js';
import type { OnProgress } from '../fixtures/read.js';
import type { FixtureSource } from '../fixtures/source.js';
import { DURATION_EXAMPLES, type Instant } from '../lib/time.js';
import { SYNC_MODES } from '../persistence/sync-modes.js';
import type { Validator } from '../schema/validator.js';
import { AUTH_MODES } from '../state/state.js';
import type { OnError, OnRequest } from './callbacks.js';

/** What a read of a shared store shows: all that was committed before, or what the node has seen. */
const READS = ['linearizable', 'local'] as const;

const PORT = 'a port from 0 to 65535';
const HOST = 'an address or a name of this machine, such as "127.0.0.1"';
export const NETWORK = 'an address, a network such as "10.0.0.0/8", "gateway" or "subnet"';
export const PUBLIC_URL = 'a base URL such as "https://api.val.town"';
const IDLE = `milliseconds, 0 for never, or a duration such as ${DURATION_EXAMPLES}`;
export const WINDOW = `milliseconds, or a duration such as ${DURATION_EXAMPLES}`;
/** A name, with a dot at the start for all names below it, or an IPv6 address in brackets. */
const HOST_NAME = String.raw`^(\.?[\w-]+(\.[\w-]+)*|\[[0-9A-Fa-f:.]+\])$`;
const ALLOWED_HOST = 'a host name without a port, or ".example.test" for example.test and all names below it';
const STORE_URL = '^(rediss?://[^\\s]+|file:.+)$';
const PREFIX = '1–64 of A–Z a–z 0–9 _ . : / -';

/** The group of the flags that few users need. */
export const ADVANCED = { group: 'Advanced options:' } as const;

/** What has to be given for some options to have an effect. */
export type Needed = 'data' | 'store' | 'session';

interface Relations {
  readonly conflicts?: readonly string[];
  /** An option without which this one has no effect. */
  readonly requires?: Needed;
}

/** What an entry of the table says beyond the type of its option. */
export interface OptionInfo extends Relations {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  /** What yargs needs beyond the schema. Absent for options without a flag. */
  readonly flag?: Readonly<Record<string, unknown>>;
}

/**
 * Adds to the schema of an option what its flag has.
 * @param description text of the flag in the help, and of the key in the schema of the config file
 */
export function option<T extends TSchema>(
  description: string,
  schema: T,
  entry: Relations & OptionInfo['flag'] = {},
): T {
  const { conflicts, requires, ...flag } = entry;
  return Object.assign(schema, { description, flag, ...(conflicts && { conflicts }), ...(requires && { requires }) });
}

/** The options that a table lists before a service's own. */
const first = {
  /** TCP port to listen on, 0 to 65535; 0 takes any free one. @default 0 */
  port: option(
    'Port to listen on (0: any free port)',
    Type.Integer({ minimum: 0, maximum: 65_535, default: 0, expected: PORT }),
    { alias: 'p', default: undefined },
  ),
  /** Address to listen on; `0.0.0.0` for all addresses of this machine. @default '127.0.0.1' */
  host: option(
    'Address to listen on (0.0.0.0: all addresses)',
    Type.String({ minLength: 1, default: '127.0.0.1', expected: HOST }),
  ),
  /** Whether to listen. If false, only `emulator.fetch` and `emulator.app` respond, without a socket. @default true */
  listen: Type.Boolean({ default: true }),
  /**
   * Seed data: the name of a built-in dataset, the path of a folder or JSON file, or an object (type `Fixtures`).
   * @default 'default'
   */
  fixtures: option(
    'Folder, file or dataset',
    Type.Unsafe<FixtureSource>(
      Type.Union([Type.String({ minLength: 1 }), Type.Object({})], {
        default: 'default',
        expected: 'a name, a path or an object',
      }),
    ),
    { alias: 'f', default: undefined, defaultDescription: 'default' },
  ),
  /**
   * Path of a module that exports fixtures, or a function that returns them, as its default: `'./seed.ts'` where Node.js runs
   * TypeScript. Its code is run.
   */
  fixturesModule: option(
    'Run a module that exports fixtures, or a function that returns them: seed.js',
    Type.Optional(Type.String({ minLength: 1, expected: 'the path of a module' })),
    { conflicts: ['fixtures', 'generate'] },
  ),
};

/** The options after them. */
const rest = {
  /** Unknown tokens get a 401 (`'strict'`) or act as the first user (`'lenient'`). @default 'strict' */
  auth: option(
    'Unknown token: 401 (strict) or the first user (lenient)',
    Type.Enum([...AUTH_MODES], { default: 'strict' }),
  ),
  /** Freezes the clock: a `Date`, an RFC 3339 timestamp, or milliseconds since 1970. Default: the system clock. */
  now: option(
    'Freeze the clock at an RFC 3339 timestamp or a date',
    Type.Optional(Type.Unsafe<Date | string | Instant>({ otherNames: ['clock', 'time', 'date'] })),
  ),
  /** Seed of generated ids and names: change it to get different ones. @default 'val-emulator' */
  idSeed: Type.Union([Type.String(), Type.Number()], { default: 'val-emulator', expected: 'a string or a number' }),
  /**
   * Requests that a token may send within a window: `{ limit: 100, window: '1m' }`, with the window as a duration or
   * in milliseconds. Default: no limit.
   */
  rateLimit: option(
    'Requests per token and time window: 100/1m (default: no limit)',
    Type.Optional(
      Type.Object(
        {
          limit: Type.Integer({ minimum: 1 }),
          window: Type.Union([Type.String(), Type.Number()], { expected: WINDOW }),
        },
        { additionalProperties: false },
      ),
    ),
  ),
  /**
   * Name of the faults to arm in the default sandbox at the start, which end after minutes: see `emulator.chaos()`. Default: none.
   */
  chaos: option(
    'Arm faults for some minutes: slow-api, flaky, offline, rate-limited',
    Type.Optional(Type.Enum([...CHAOS_NAMES])),
    { conflicts: ['data', 'session', 'store'] },
  ),
  /** Whether each sandbox has a journal of its last 1,000 requests. Without one, requests cost less. @default true */
  journal: option('Record requests; --no-journal does not, which is faster', Type.Boolean({ default: true }), ADVANCED),
  /** Whether to serve the control API under `/_emulator`. Health and readiness are always served. @default true */
  control: option(
    'Serve the control API; --no-control leaves only health and ready of /_emulator',
    Type.Boolean({ default: true }),
    ADVANCED,
  ),
  /**
   * Host names, other than the loopback ones, that may use the control API: `['emulator.test']`. A dot at the start
   * allows all names below as well: `['.svc.cluster.local']`.
   */
  allowedHosts: option(
    'Host name allowed to use the control API, or .suffix (repeatable)',
    Type.Unsafe<readonly string[]>(
      Type.Array(Type.String({ pattern: HOST_NAME, expected: ALLOWED_HOST }), { default: [] }),
    ),
    ADVANCED,
  ),
  /** Networks, other than this machine, that may use the control API: `['10.0.0.0/8']`, `['gateway']`, `['subnet']`. */
  controlFrom: option(
    'Network allowed to use the control API: 10.0.0.0/8, subnet (repeatable)',
    Type.Unsafe<readonly string[]>(Type.Array(Type.String({ expected: NETWORK }), { default: [] })),
    ADVANCED,
  ),
  /** Allows every control request with this in `X-Emulator-Control-Token`: a secret of 8 characters or more. */
  controlToken: option(
    'Secret that allows any machine to use the control API',
    Type.Optional(Type.String({ minLength: 8, expected: 'a secret of 8 characters or more' })),
    ADVANCED,
  ),
  /** Maximum number of sandboxes, without the default one. @default 10_000 */
  maxSandboxes: option(
    'Maximum number of sandboxes, without the default one',
    Type.Integer({ minimum: 0, default: 10_000 }),
    ADVANCED,
  ),
  /**
   * Time after which a sandbox without requests and method calls expires: a duration, or milliseconds; 0 for never. If
   * set, the longest idle sandbox makes room for a new one at the limit; otherwise that is a 503. Default: 0, and 1 hour
   * with a shared store.
   */
  sandboxIdle: option(
    'Close sandboxes after this time without use (0: never)',
    Type.Optional(
      Type.Union([Type.String({ format: 'fixture-duration' }), Type.Number({ minimum: 0 })], { expected: IDLE }),
    ),
    { ...ADVANCED, default: '1h' },
  ),
  /**
   * Base URL of all links in responses of the API, whatever the address and the sandbox of a request:
   * `'https://api.val.town'`. Default: the address and the sandbox of the request.
   */
  publicUrl: option(
    'Base URL of the links in responses (default: as each request came)',
    Type.Optional(Type.String({ expected: PUBLIC_URL })),
    ADVANCED,
  ),
  /** Whether to serve the routes of the specification only, without the unofficial ones. @default false */
  specOnly: option('Serve only the routes of the specification', Type.Boolean({ default: false }), ADVANCED),
  /**
   * Folder that keeps the data when the emulator ends. It is opened, or created with the seed data.
   * Default: nothing is kept, and nothing is written to disk.
   */
  data: option(
    'Folder that keeps the data when the emulator ends (default: none)',
    Type.Optional(Type.String({ minLength: 1, expected: 'the path of a folder' })),
  ),
  /** When a write is on the disk: before its response (`'full'`), or within 100 ms after it (`'lazy'`). @default 'full' */
  dataSync: option(
    'Write to disk before the response (full) or within 100 ms after it (lazy)',
    Type.Enum([...SYNC_MODES], { default: 'full' }),
    { ...ADVANCED, requires: 'data' },
  ),
  /** Whether the data folder keeps the journal of requests, too. @default false */
  keepJournal: option('Keep the journal of requests, too', Type.Boolean({ default: false }), {
    ...ADVANCED,
    requires: 'data',
  }),
  /** Whether to replace the contents of the data folder with the seed data. @default false */
  reseed: option('Replace what the data folder has by the seed data', Type.Boolean({ default: false }), {
    requires: 'data',
  }),
  /**
   * Store that several emulators share: `'redis://host:6379/0'`. It is opened, or begun with the seed data. `'file:./dir'`
   * is the data folder `./dir`. Default: none.
   */
  store: option(
    'Store to share with other emulators: redis://host:6379/0 (default: none)',
    Type.Optional(Type.String({ pattern: STORE_URL, expected: 'redis://host:6379/0, rediss://… or file:./dir' })),
    { ...ADVANCED, conflicts: ['data', 'session'] },
  ),
  /** Separates groups of emulators that use one store. @default 'val-emulator' */
  storePrefix: option(
    'Name of a group of emulators that share data',
    Type.String({ pattern: String.raw`^[\w.:/-]{1,64}$`, default: 'val-emulator', expected: PREFIX }),
    { ...ADVANCED, requires: 'store' },
  ),
  /**
   * What a read of a shared store shows: all that was committed before it (`'linearizable'`), or what this emulator has seen
   * (`'local'`), which is faster. @default 'linearizable'
   */
  reads: option(
    'Reads of a shared store show all commits (linearizable) or those seen (local)',
    Type.Enum([...READS], { default: 'linearizable' }),
    { ...ADVANCED, requires: 'store' },
  ),
  /**
   * Session file to open in memory, with its seed data and settings: `val-emulator record` writes one. Nothing is written
   * to it.
   */
  session: option(
    'Open a session file in memory (val-emulator record writes one)',
    Type.Optional(Type.String({ minLength: 1, expected: 'the path of a session file' })),
    { conflicts: ['fixtures', 'fixturesModule', 'generate', 'data', 'now'] },
  ),
  /** Opens the session as it was after this commit (`'r17'`), or before all of them (`'start'`). Default: at its end. */
  sessionAt: option(
    'Open the session as it was after this commit: r17, start (default: its end)',
    Type.Optional(Type.String({ minLength: 1, expected: 'the id of a commit such as "r17", or "start"' })),
    { requires: 'session' },
  ),
  /** Checks each response against its schema; a mismatch is a 500. For tests of the emulator. @default false */
  validateResponses: Type.Boolean({ default: false }),
  /**
   * Called after each request with its method, target, host, status, duration, outcome, sandbox, user, fault and id in the journal. It has
   * `hasToken`, for an error a message and a suggestion, and a `reason`, such as that SQL has a text in double quotes. Not called for
   * probes and preflights that succeed.
   */
  onRequest: Type.Optional(Type.Unsafe<OnRequest>({})),
  /**
   * Called with an unexpected error in the emulator, which becomes a 500, and `{ method, target }` of the request. An
   * error in a handler of another service comes with `handler` as well, such as `GET /todos of the service todo`.
   * Default: prints both and the stack on stderr.
   */
  onError: Type.Optional(Type.Unsafe<OnError>({})),
  /**
   * Called once, when the data folder can no longer be written to, or this emulator can no longer follow its shared store.
   * Default: prints the error on stderr.
   */
  onDataError: Type.Optional(Type.Unsafe<(error: Error) => void>({})),
  /**
   * Called with what needs attention in a shared store: settings of Redis, a lost connection and its return, lost data. Default: prints it
   * on stderr.
   */
  onWarning: Type.Optional(Type.Unsafe<(message: string) => void>({})),
  /** Called while seed data are loaded: `{ step, done, total, unit }`. */
  onProgress: Type.Optional(Type.Unsafe<OnProgress>({})),
};

/**
 * The table of the options, as JSON Schema. The validator, the flags of `start` and `exec`, their environment variables,
 * the keys of the config file and docs/options.md follow from it. The comments document {@link EmulatorOptions}; values that
 * JSON lacks are checked by `parseOptions`.
 */
export const makeOptionsSchema = <P extends TProperties>(own: P) =>
  Type.Object({ ...first, ...own, ...rest }, { additionalProperties: false });

export interface OptionTable {
  readonly entries: readonly (readonly [name: string, OptionInfo])[];
  readonly validate: Validator<Static<ReturnType<typeof makeOptionsSchema<Record<never, never>>>>>;
}

export const listOptions = ({ properties }: { readonly properties: TProperties }): OptionTable['entries'] =>
  Object.entries<TSchema>(properties).map(([name, entry]) => [name, { ...entry }] as const);
