import { type Static, Type } from 'typebox';
import type { FixtureSource, OnProgress } from './fixtures/read.js';
import { type GenerateOptions, parseGenerateOptions } from './generator/options.js';
import { OptionsError, type Problem } from './lib/errors.js';
import { describeErrors, formatValue } from './lib/messages.js';
import { isObject, type Optional, omitUndefined } from './lib/objects.js';
import { DURATION_EXAMPLES, type Instant, parseDuration, parseInstant } from './lib/time.js';
import { compile } from './lib/validator.js';
import { PRIVACIES } from './model/schema.js';
import { AUTH_MODES } from './model/state.js';
import { type OnError, printInternalError } from './server/internal-error.js';
import { isNetwork, makeBlockList } from './server/networks.js';
import type { PipelineOptions } from './server/pipeline.js';
import type { OnRequest } from './server/request-log.js';
import type { LockTimes } from './storage/lock.js';
import { READS } from './storage/read-modes.js';
import { SYNC_MODES } from './storage/sync-modes.js';

const PORT = 'a port from 0 to 65535';
const HOST = 'an address or a name of this machine, such as "127.0.0.1"';
const NOW = 'an RFC 3339 timestamp such as "2024-06-11T22:05:12Z"; in a program also a Date or milliseconds since 1970';
const NETWORK = 'an address, a network such as "10.0.0.0/8", "gateway" or "subnet"';
const IDLE = `milliseconds, 0 for never, or a duration such as ${DURATION_EXAMPLES}`;
/** A name, with a dot at the start for all names below it, or an IPv6 address in brackets. */
const HOST_NAME = String.raw`^(\.?[\w-]+(\.[\w-]+)*|\[[0-9A-Fa-f:.]+\])$`;
const ALLOWED_HOST = 'a host name without a port, or ".example.test" for example.test and all names below it';
const SHARED_IDLE = '1h';
const DEFAULT_PREFIX = 'val-emulator';
const STORE_URL = '^(rediss?://[^\\s]+|file:.+)$';
const PREFIX = '1–64 of A–Z a–z 0–9 _ . : / -';
const WINDOW = `milliseconds, or a duration such as ${DURATION_EXAMPLES}`;

/**
 * The options as JSON Schema; values that JSON lacks are checked below. The comments are the documentation of
 * {@link EmulatorOptions} and the table in docs/options.md.
 */
export const OptionsSchema = Type.Object(
  {
    /**
     * Seed data: the name of a built-in dataset, the path of a folder or JSON file, or an object (type `Fixtures`).
     * @default 'default'
     */
    fixtures: Type.Unsafe<FixtureSource>(
      Type.Union([Type.String({ minLength: 1 }), Type.Object({})], {
        default: 'default',
        expected: 'a name, a path or an object',
      }),
    ),
    /** Generated seed data instead: `{ users, vals, runs, days, seed, company, people }`. Absent sizes follow from the others. */
    generate: Type.Optional(Type.Unsafe<GenerateOptions>({})),
    /**
     * Folder that keeps the data when the emulator ends. It is opened, or created with the seed data.
     * Default: nothing is kept, and nothing is written to disk.
     */
    data: Type.Optional(Type.String({ minLength: 1, expected: 'the path of a folder' })),
    /** When a write is on the disk: before its response (`'full'`), or within 100 ms after it (`'lazy'`). @default 'full' */
    dataSync: Type.Enum([...SYNC_MODES], { default: 'full' }),
    /** Whether the data folder keeps the journal of requests, too. @default false */
    keepJournal: Type.Boolean({ default: false }),
    /** Whether each sandbox has a journal of its last 1,000 requests. Without one, requests cost less. @default true */
    journal: Type.Boolean({ default: true }),
    /** Whether to replace the contents of the data folder with the seed data. @default false */
    reseed: Type.Boolean({ default: false }),
    /**
     * Store that several emulators share: `'redis://host:6379/0'`. It is opened, or begun with the seed data. `'file:./dir'`
     * is the data folder `./dir`. Default: none.
     */
    store: Type.Optional(
      Type.String({ pattern: STORE_URL, expected: 'redis://host:6379/0, rediss://… or file:./dir' }),
    ),
    /** Separates groups of emulators that use one store. @default 'val-emulator' */
    storePrefix: Type.String({ pattern: String.raw`^[\w.:/-]{1,64}$`, default: DEFAULT_PREFIX, expected: PREFIX }),
    /**
     * What a read of a shared store shows: all that was committed before it (`'linearizable'`), or what this emulator has seen
     * (`'local'`), which is faster. @default 'linearizable'
     */
    reads: Type.Enum([...READS], { default: 'linearizable' }),
    /**
     * Session file to open in memory, with its seed data and settings: `val-emulator record` writes one. Nothing is written
     * to it.
     */
    session: Type.Optional(Type.String({ minLength: 1, expected: 'the path of a session file' })),
    /** Opens the session as it was after this commit (`'r17'`), or before all of them (`'start'`). Default: at its end. */
    sessionAt: Type.Optional(Type.String({ minLength: 1, expected: 'the id of a commit such as "r17", or "start"' })),
    /** TCP port to listen on, 0 to 65535; 0 takes any free one. @default 0 */
    port: Type.Integer({ minimum: 0, maximum: 65_535, default: 0, expected: PORT }),
    /** Address to listen on; `0.0.0.0` for all addresses of this machine. @default '127.0.0.1' */
    host: Type.String({ minLength: 1, default: '127.0.0.1', expected: HOST }),
    /** Whether to listen. If false, only `emulator.fetch` and `emulator.app` respond, without a socket. @default true */
    listen: Type.Boolean({ default: true }),
    /** Unknown tokens get a 401 (`'strict'`) or act as the first user (`'lenient'`). @default 'strict' */
    auth: Type.Enum([...AUTH_MODES], { default: 'strict' }),
    /** Privacy of a val that is created without one: `'private'`, `'unlisted'` or `'public'`. @default 'private' */
    defaultPrivacy: Type.Enum([...PRIVACIES], { default: 'private' }),
    /** Freezes the clock: a `Date`, an RFC 3339 timestamp, or milliseconds since 1970. Default: the system clock. */
    now: Type.Optional(Type.Unsafe<Date | string | Instant>({})),
    /** Seed of generated ids and names: change it to get different ones. @default 'val-emulator' */
    idSeed: Type.Union([Type.String(), Type.Number()], { default: 'val-emulator', expected: 'a string or a number' }),
    /** Whether to serve the routes of the specification only, without the unofficial ones. @default false */
    specOnly: Type.Boolean({ default: false }),
    /**
     * Requests that a token may send within a window: `{ limit: 100, window: '1m' }`, with the window as a duration or
     * in milliseconds. Default: no limit.
     */
    rateLimit: Type.Optional(
      Type.Object(
        {
          limit: Type.Integer({ minimum: 1 }),
          window: Type.Union([Type.String(), Type.Number()], { expected: WINDOW }),
        },
        { additionalProperties: false },
      ),
    ),
    /** Whether to serve the control API under `/_emulator`. Health and readiness are always served. @default true */
    control: Type.Boolean({ default: true }),
    /**
     * Host names, other than the loopback ones, that may use the control API: `['emulator.test']`. A dot at the start
     * allows all names below as well: `['.svc.cluster.local']`.
     */
    allowedHosts: Type.Unsafe<readonly string[]>(
      Type.Array(Type.String({ pattern: HOST_NAME, expected: ALLOWED_HOST }), { default: [] }),
    ),
    /** Networks, other than this machine, that may use the control API: `['10.0.0.0/8']`, `['gateway']`, `['subnet']`. */
    controlFrom: Type.Unsafe<readonly string[]>(Type.Array(Type.String({ expected: NETWORK }), { default: [] })),
    /** Allows every control request with this in `X-Emulator-Control-Token`: a secret of 8 characters or more. */
    controlToken: Type.Optional(Type.String({ minLength: 8, expected: 'a secret of 8 characters or more' })),
    /** Maximum number of sandboxes, without the default one. @default 10_000 */
    maxSandboxes: Type.Integer({ minimum: 0, default: 10_000 }),
    /**
     * Time after which a sandbox without requests and method calls expires: a duration, or milliseconds; 0 for never. If
     * set, the longest idle sandbox makes room for a new one at the limit; otherwise that is a 503. Default: 0, and 1 hour
     * with a shared store.
     */
    sandboxIdle: Type.Optional(Type.Union([Type.String(), Type.Number()], { expected: IDLE })),
    /** Checks each response against its schema; a mismatch is a 500. For tests of the emulator. @default false */
    validateResponses: Type.Boolean({ default: false }),
    /** Called after each request with its method, target, status, duration, sandbox, user, fault and id in the journal. */
    onRequest: Type.Optional(Type.Unsafe<OnRequest>({})),
    /**
     * Called with an unexpected error in the emulator, which becomes a 500, and `{ method, target }` of the request.
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
    /** Called while seed data are loaded, with the step and the fraction done. */
    onProgress: Type.Optional(Type.Unsafe<OnProgress>({})),
  },
  { additionalProperties: false },
);

/** The options of `createEmulator`. */
export interface EmulatorOptions extends Optional<Static<typeof OptionsSchema>> {
  /** @internal Called with each request and its response. */
  readonly onExchange?: PipelineOptions['onExchange'];
  /** @internal Bytes by which the file of the data folder grows at least before it is rewritten. */
  readonly dataGrowth?: number;
  /** @internal How long the holder of the data folder may be silent. */
  readonly dataLock?: LockTimes;
  /** @internal Entries of the shared store after which a checkpoint replaces them. */
  readonly storeGrowth?: number;
  /** @internal Milliseconds in which a client has to read a part of its response. */
  readonly unreadTimeout?: number;
}

const isOptions = compile('options', OptionsSchema, 'strict');

const printWarning = (message: string): void => console.error(`val-emulator: ${message}`);
const printDataError = ({ message }: Error): void => console.error(`val-emulator: ${message}`);

/** Validated options with all defaults. */
export type ParsedOptions = ReturnType<typeof parseOptions>;

/** @throws OptionsError with all errors */
export function parseOptions(options: EmulatorOptions = {}) {
  const { onExchange, dataGrowth, dataLock, storeGrowth, unreadTimeout, ...others } = options ?? {};
  const input = isObject(options) ? omitUndefined(others) : options;
  const isValid = isOptions(input);
  const problems = [...describeErrors(isOptions.errors, ''), ...(isObject(options) ? validateDetails(options) : [])];
  if (!isValid || problems.length > 0) throw new OptionsError(problems);
  const { now, rateLimit, store } = input;
  const isShared = store !== undefined && !store.startsWith('file:');
  const folder = store?.startsWith('file:') ? store.slice('file:'.length) : undefined;
  return {
    ...input,
    data: input.data ?? folder,
    store: isShared ? store : undefined,
    now: now === undefined ? undefined : toInstant(now),
    idSeed: String(input.idSeed),
    rateLimit: rateLimit && { limit: rateLimit.limit, window: toMilliseconds(rateLimit.window) ?? 0 },
    sandboxIdle: toMilliseconds(options.sandboxIdle ?? (isShared ? SHARED_IDLE : 0)) ?? 0,
    allowedHosts: input.allowedHosts.map((host) => host.toLowerCase()),
    controlFrom: makeBlockList(input.controlFrom),
    onError: input.onError ?? printInternalError,
    onDataError: input.onDataError ?? printDataError,
    onWarning: input.onWarning ?? printWarning,
    ...{ onExchange, dataGrowth, dataLock, storeGrowth, unreadTimeout },
  };
}

/** Where data are kept, and the message for an option that needs one of these. */
const NEEDED = {
  data: 'there is no data folder; name one by the option data, or --data.',
  store: 'there is no shared store; name one by the option store, or --store.',
  session: 'there is no session; expected the option session as well.',
};

interface Relations {
  /** Options that cannot be given as well. */
  readonly conflicts?: readonly string[];
  /** An option without which this one has no effect. */
  readonly requires?: keyof typeof NEEDED;
}

/** The options that exclude or need others; the table of the options lists them. */
export const RELATIONS: Readonly<Record<string, Relations>> = {
  generate: { conflicts: ['fixtures'] },
  store: { conflicts: ['data', 'session'] },
  storePrefix: { requires: 'store' },
  reads: { requires: 'store' },
  session: { conflicts: ['fixtures', 'generate', 'data', 'now'] },
  sessionAt: { requires: 'session' },
  keepJournal: { requires: 'data' },
  reseed: { requires: 'data' },
  dataSync: { requires: 'data' },
};

function checkRelations(options: Readonly<Record<string, unknown>>): Problem[] {
  const { data, store, session } = options;
  const isFolder = typeof store === 'string' && store.startsWith('file:');
  const isGiven = {
    data: data !== undefined || isFolder,
    store: store !== undefined && !isFolder,
    session: session !== undefined,
  };
  return Object.entries(RELATIONS).flatMap(([path, { conflicts = [], requires }]) => {
    if (options[path] === undefined) return [];
    const { default: unset } = Object(Reflect.get(OptionsSchema.properties, path));
    const others = conflicts.filter((other) => options[other] !== undefined);
    const isMissing = requires !== undefined && options[path] !== unset && !isGiven[requires];
    return [
      ...others.map((other) => ({ path, message: `expected either ${path} or ${other}, not both.` })),
      ...(isMissing ? [{ path, message: NEEDED[requires] }] : []),
    ];
  });
}

/** Checks the values that JSON Schema cannot describe. */
function validateDetails(options: EmulatorOptions): Problem[] {
  const { generate, journal, keepJournal, now, rateLimit, sandboxIdle, controlFrom } = options;
  const problems = checkRelations({ ...options });
  if (generate !== undefined) problems.push(...parseGenerateOptions(generate, 'generate').problems);
  if (journal === false && keepJournal === true) {
    problems.push({ path: 'keepJournal', message: 'expected either keepJournal or journal: false, not both.' });
  }
  const expect = (path: string, value: unknown, expected: string, isValid: boolean) => {
    if (value === undefined || isValid) return;
    problems.push({ path, message: `found ${formatValue(value)}; expected ${expected}.` });
  };
  expect('now', now, NOW, toInstant(now) !== undefined);
  if (typeof sandboxIdle === 'string' || typeof sandboxIdle === 'number') {
    expect('sandboxIdle', sandboxIdle, IDLE, (toMilliseconds(sandboxIdle) ?? -1) >= 0);
  }
  const window = rateLimit?.window;
  if (typeof window === 'string' || typeof window === 'number') {
    expect('rateLimit.window', window, WINDOW, (toMilliseconds(window) ?? 0) > 0);
  }
  for (const [index, network] of Array.isArray(controlFrom) ? controlFrom.entries() : []) {
    expect(`controlFrom[${index}]`, network, NETWORK, typeof network !== 'string' || isNetwork(network));
  }
  for (const name of ['onRequest', 'onError', 'onDataError', 'onWarning', 'onProgress'] as const) {
    expect(name, options[name], 'a function', typeof options[name] === 'function');
  }
  return problems;
}

const toMilliseconds = (duration: string | number) =>
  typeof duration === 'string' ? parseDuration(duration) : duration;

/** Undefined for anything that no timestamp represents. */
function toInstant(now: unknown): Instant | undefined {
  if (typeof now === 'string') return parseInstant(now);
  if (typeof now !== 'number' && !(now instanceof Date)) return undefined;
  // As JSON: null for an invalid date, and more than four digits for a distant year.
  const text: unknown = new Date(now).toJSON();
  return typeof text === 'string' ? parseInstant(text) : undefined;
}
