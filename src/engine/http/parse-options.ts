import type { Static } from 'typebox';
import { listRoutes } from '../api/router.js';
import { OptionsError, type Problem } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { isObject, type Optional, omitUndefined } from '../lib/objects.js';
import { onceFor } from '../lib/once.js';
import { parseBaseUrl } from '../lib/target.js';
import { type Instant, parseDateOrInstant, toMilliseconds } from '../lib/time.js';
import type { InternalOptions } from '../options/internal.js';
import {
  listOptions,
  makeOptionsSchema,
  NETWORK,
  type Needed,
  type OptionTable,
  PUBLIC_URL,
  WINDOW,
} from '../options/schema.js';
import { describeErrors } from '../schema/schema-errors.js';
import { compile } from '../schema/validator.js';
import type { Service } from '../service.js';
import { isNetwork, makeBlockList } from './access.js';
import { printInternalError } from './internal-error.js';

const NOW = 'an RFC 3339 timestamp such as "2024-06-11T22:05:12Z"; in a program also a Date or milliseconds since 1970';
const SHARED_IDLE = '1h';

const OptionsSchema = makeOptionsSchema({});

/** The options of `createEngine`. A service may have others. */
export interface EngineOptions extends Optional<Static<typeof OptionsSchema>>, InternalOptions {}

/** The options that every service has. */
const COMMON: OptionTable = {
  entries: listOptions(OptionsSchema),
  validate: compile(OptionsSchema, 'strict'),
};

const printWarning = (message: string): void => console.error(`val-emulator: ${message}`);
const printDataError = ({ message }: Error): void => console.error(`val-emulator: ${message}`);

/** Validated options with all defaults. */
export type ParsedOptions = ReturnType<typeof parseOptions>;

/** Returns the path of the data folder, which a store may name: `file:./demo`. Undefined without one. */
export const findDataFolder = ({ data, store }: Pick<EngineOptions, 'data' | 'store'>): string | undefined =>
  data ?? (store?.startsWith('file:') ? store.slice('file:'.length) : undefined);

/** Returns a service with the routes of its specification alone. */
export const ofSpecification = onceFor(
  ({ findNotImplemented: _, tools: __, challenge: ___, ...service }: Service): Service => ({
    ...service,
    // The specification has no scopes either.
    surfaces: [],
    routes: listRoutes(service)
      .filter(({ unofficial }) => !unofficial)
      .map(({ scope: ____, writeScope: _____, ...route }) => ({
        ...route,
        errors: route.errors.filter((status) => status !== 403),
      })),
  }),
);

/** @throws OptionsError with all errors */
export function parseOptions(service: Service, options: EngineOptions = {}) {
  const {
    onExchange,
    dataGrowth,
    dataLock,
    dataDisk,
    storeGrowth,
    storeClient,
    timers,
    unreadTimeout,
    stored,
    ...others
  } = options ?? {};
  const input = isObject(options) ? omitUndefined(others) : options;
  const { validate, entries } = service.options ?? COMMON;
  const isValid = validate(input);
  const details = isObject(options)
    ? [...checkRelations({ ...options }, entries), ...validateDetails(options, service)]
    : [];
  const problems = [...describeErrors(validate.errors, ''), ...details];
  if (!isValid || problems.length > 0) throw new OptionsError(problems);
  const { now, store } = input;
  const rateLimit = input.rateLimit && {
    limit: input.rateLimit.limit,
    window: toMilliseconds(input.rateLimit.window) ?? 0,
  };
  const isShared = store !== undefined && !store.startsWith('file:');
  return {
    ...input,
    data: findDataFolder(input),
    store: isShared ? store : undefined,
    now: now === undefined ? undefined : toInstant(now),
    settings: { auth: input.auth, idSeed: String(input.idSeed), rateLimit, ...service.selectSettings?.(input) },
    folders: service.listFolders?.(input) ?? [],
    secondPort: service.findSecondPort?.(input),
    publicUrl: input.publicUrl === undefined ? undefined : parseBaseUrl(input.publicUrl),
    sandboxIdle: toMilliseconds(options.sandboxIdle ?? (isShared ? SHARED_IDLE : 0)) ?? 0,
    allowedHosts: input.allowedHosts.map((host) => host.toLowerCase()),
    controlFrom: makeBlockList(input.controlFrom),
    onError: input.onError ?? printInternalError,
    onDataError: input.onDataError ?? printDataError,
    onWarning: input.onWarning ?? printWarning,
    service: input.specOnly ? ofSpecification(service) : service,
    ...{ onExchange, dataGrowth, dataLock, dataDisk, storeGrowth, storeClient, timers, unreadTimeout, stored },
  };
}

/** Where data are kept, and the message for an option that needs one of these. */
const NEEDED: Readonly<Record<Needed, string>> = {
  data: 'there is no data folder; name one by the option data, or --data.',
  store: 'there is no shared store; name one by the option store, or --store.',
  session: 'there is no session; name its file by the option session, or --session.',
};

function checkRelations(options: Readonly<Record<string, unknown>>, entries: OptionTable['entries']): Problem[] {
  const { data, store, session } = options;
  const isFolder = typeof store === 'string' && store.startsWith('file:');
  const isGiven = {
    data: data !== undefined || isFolder,
    store: store !== undefined && !isFolder,
    session: session !== undefined,
  };
  return entries.flatMap(([path, { conflicts = [], requires, default: unset }]) => {
    if (options[path] === undefined || options[path] === false) return [];
    const others = conflicts.filter((other) => options[other] !== undefined && options[other] !== false);
    const isMissing = requires !== undefined && options[path] !== unset && !isGiven[requires];
    return [
      ...others.map((other) => ({ path, message: `expected either ${path} or ${other}, not both.` })),
      ...(isMissing ? [{ path, message: NEEDED[requires] }] : []),
    ];
  });
}

/** Checks the values that JSON Schema cannot describe. */
function validateDetails(options: EngineOptions & { readonly generate?: unknown }, { generator }: Service): Problem[] {
  const { generate, journal, keepJournal, now, publicUrl, rateLimit, controlFrom } = options;
  const problems: Problem[] = generate === undefined ? [] : (generator?.validate(generate, 'generate') ?? []);
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
  if (typeof now === 'string') return parseDateOrInstant(now);
  if (typeof now !== 'number' && !(now instanceof Date)) return undefined;
  // As JSON: null for an invalid date, and more than four digits for a distant year.
  const text: unknown = new Date(now).toJSON();
  return typeof text === 'string' ? parseDateOrInstant(text) : undefined;
}
