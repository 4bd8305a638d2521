import type { Static } from 'typebox';
import { ofSpecification, type Service } from '#engine/api/service.js';
import { OptionsError, type Problem } from '#engine/lib/errors.js';
import { formatValue } from '#engine/lib/messages.js';
import { isObject, type Optional, omitUndefined } from '#engine/lib/objects.js';
import { describeErrors } from '#engine/lib/schema-errors.js';
import { parseBaseUrl } from '#engine/lib/target.js';
import { type Instant, parseInstant, toMilliseconds } from '#engine/lib/time.js';
import { compile } from '#engine/lib/validator.js';
import { NETWORK, type Needed, OPTIONS, OptionsSchema, PUBLIC_URL, WINDOW } from '#engine/options/schema.js';
import type { Disk } from '#engine/persistence/disk.js';
import type { LockTimes } from '#engine/persistence/lock.js';
import { printInternalError } from '#engine/server/internal-error.js';
import { isNetwork, makeBlockList } from '#engine/server/networks.js';
import type { PipelineOptions } from '#engine/server/pipeline.js';
import { parseGenerateOptions } from '#vals/generator/options.js';
import { vals } from '#vals/routes/service.js';

const NOW = 'an RFC 3339 timestamp such as "2024-06-11T22:05:12Z"; in a program also a Date or milliseconds since 1970';
const SHARED_IDLE = '1h';

/** The options of `createEmulator`. */
export interface EmulatorOptions extends Optional<Static<typeof OptionsSchema>> {
  /** @internal The API to emulate. Default: the vals service */
  readonly service?: Service;
  /** @internal Called with each request and its response. */
  readonly onExchange?: PipelineOptions['onExchange'];
  /** @internal Bytes by which the file of the data folder grows at least before it is rewritten. */
  readonly dataGrowth?: number;
  /** @internal How long the holder of the data folder may be silent. */
  readonly dataLock?: LockTimes;
  /** @internal The disk of the data folder. */
  readonly dataDisk?: Disk;
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

/** Returns the path of the data folder, which a store may name: `file:./demo`. Undefined without one. */
export const findDataFolder = ({ data, store }: Pick<EmulatorOptions, 'data' | 'store'>): string | undefined =>
  data ?? (store?.startsWith('file:') ? store.slice('file:'.length) : undefined);

/** @throws OptionsError with all errors */
export function parseOptions(options: EmulatorOptions = {}) {
  const {
    onExchange,
    dataGrowth,
    dataLock,
    dataDisk,
    storeGrowth,
    unreadTimeout,
    service = vals,
    ...others
  } = options ?? {};
  const input = isObject(options) ? omitUndefined(others) : options;
  const isValid = isOptions(input);
  const problems = [...describeErrors(isOptions.errors, ''), ...(isObject(options) ? validateDetails(options) : [])];
  if (!isValid || problems.length > 0) throw new OptionsError(problems);
  const { now, rateLimit, store } = input;
  const isShared = store !== undefined && !store.startsWith('file:');
  return {
    ...input,
    data: findDataFolder(input),
    store: isShared ? store : undefined,
    now: now === undefined ? undefined : toInstant(now),
    idSeed: String(input.idSeed),
    publicUrl: input.publicUrl === undefined ? undefined : parseBaseUrl(input.publicUrl),
    rateLimit: rateLimit && { limit: rateLimit.limit, window: toMilliseconds(rateLimit.window) ?? 0 },
    sandboxIdle: toMilliseconds(options.sandboxIdle ?? (isShared ? SHARED_IDLE : 0)) ?? 0,
    allowedHosts: input.allowedHosts.map((host) => host.toLowerCase()),
    controlFrom: makeBlockList(input.controlFrom),
    onError: input.onError ?? printInternalError,
    onDataError: input.onDataError ?? printDataError,
    onWarning: input.onWarning ?? printWarning,
    service: input.specOnly ? ofSpecification(service) : service,
    ...{ onExchange, dataGrowth, dataLock, dataDisk, storeGrowth, unreadTimeout },
  };
}

/** Where data are kept, and the message for an option that needs one of these. */
const NEEDED: Readonly<Record<Needed, string>> = {
  data: 'there is no data folder; name one by the option data, or --data.',
  store: 'there is no shared store; name one by the option store, or --store.',
  session: 'there is no session; expected the option session as well.',
};

function checkRelations(options: Readonly<Record<string, unknown>>): Problem[] {
  const { data, store, session } = options;
  const isFolder = typeof store === 'string' && store.startsWith('file:');
  const isGiven = {
    data: data !== undefined || isFolder,
    store: store !== undefined && !isFolder,
    session: session !== undefined,
  };
  return OPTIONS.flatMap(([path, { conflicts = [], requires, default: unset }]) => {
    if (options[path] === undefined) return [];
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
  const { generate, journal, keepJournal, now, publicUrl, rateLimit, controlFrom } = options;
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
  if (typeof publicUrl === 'string') {
    expect('publicUrl', publicUrl, PUBLIC_URL, parseBaseUrl(publicUrl) !== undefined);
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

/** Undefined for anything that no timestamp represents. */
function toInstant(now: unknown): Instant | undefined {
  if (typeof now === 'string') return parseInstant(now);
  if (typeof now !== 'number' && !(now instanceof Date)) return undefined;
  // As JSON: null for an invalid date, and more than four digits for a distant year.
  const text: unknown = new Date(now).toJSON();
  return typeof text === 'string' ? parseInstant(text) : undefined;
}
