import { expect, test } from 'vitest';
import { parseOptions } from '#engine/http/parse-options.js';
import { vals } from '#vals/service/index.js';
import { type EmulatorOptions, OptionsError } from '../src/index.js';
import { createEmulator } from './support/emulate.js';

/** Options as somebody passes them who has no types. */
const untyped = (options: unknown): EmulatorOptions => Object.assign<EmulatorOptions, unknown>({}, options);

const PORT = 'a port from 0 to 65535';
const HOST = 'an address or a name of this machine, such as "127.0.0.1"';
const NOW = 'an RFC 3339 timestamp such as "2024-06-11T22:05:12Z"; in a program also a Date or milliseconds since 1970';
const PUBLIC_URL = 'a base URL such as "https://api.val.town"';
const SEED = 'a string or a number';
const FIXTURES = 'a name, a path or an object';

test.each<[options: object, message: string]>([
  [{ fixtures: 5 }, `option fixtures: found 5; expected ${FIXTURES}.`],
  [{ fixtures: null }, `option fixtures: found null; expected ${FIXTURES}.`],
  [{ fixtures: [] }, `option fixtures: found []; expected ${FIXTURES}.`],
  [{ fixtures: '' }, `option fixtures: found ""; expected ${FIXTURES}.`],
  [{ port: '4010' }, `option port: found "4010"; expected ${PORT}.`],
  [{ port: -1 }, `option port: found -1; expected ${PORT}.`],
  [{ port: 65_536 }, `option port: found 65536; expected ${PORT}.`],
  [{ port: 80.5 }, `option port: found 80.5; expected ${PORT}.`],
  [{ port: Number.NaN }, `option port: found NaN; expected ${PORT}.`],
  [{ port: 1e300 }, `option port: found 1e+300; expected ${PORT}.`],
  [{ port: null }, `option port: found null; expected ${PORT}.`],
  [{ host: '' }, `option host: found ""; expected ${HOST}.`],
  [{ host: 127 }, `option host: found 127; expected ${HOST}.`],
  [{ auth: 'none' }, 'option auth: found "none"; expected "strict" or "lenient".'],
  [{ auth: 'Strict' }, 'option auth: found "Strict"; expected "strict" or "lenient". Did you mean "strict"?'],
  [{ defaultPrivacy: 'secret' }, 'option defaultPrivacy: found "secret"; expected "public", "unlisted" or "private".'],
  [
    { defaultPrivacy: 'pubilc' },
    'option defaultPrivacy: found "pubilc"; expected "public", "unlisted" or "private". Did you mean "public"?',
  ],
  [{ now: 'yesterday' }, `option now: found "yesterday"; expected ${NOW}.`],
  [{ now: '2024-06-31' }, `option now: found "2024-06-31"; expected ${NOW}.`],
  [{ now: '' }, `option now: found ""; expected ${NOW}.`],
  [{ now: new Date(Number.NaN) }, `option now: found Invalid Date; expected ${NOW}.`],
  [{ now: Number.NaN }, `option now: found NaN; expected ${NOW}.`],
  // Microseconds: a year that no timestamp can tell.
  [{ now: 1_718_143_512_000_000 }, `option now: found 1718143512000000; expected ${NOW}.`],
  [{ now: null }, `option now: found null; expected ${NOW}.`],
  [{ idSeed: true }, `option idSeed: found true; expected ${SEED}.`],
  [{ idSeed: {} }, `option idSeed: found {}; expected ${SEED}.`],
  [{ publicUrl: 'api.val.town' }, `option publicUrl: found "api.val.town"; expected ${PUBLIC_URL}.`],
  [{ publicUrl: 5 }, `option publicUrl: found 5; expected ${PUBLIC_URL}.`],
  [{ validateResponses: 'yes' }, 'option validateResponses: found "yes"; expected a boolean.'],
  [{ onRequest: 'log' }, 'option onRequest: found "log"; expected a function.'],
])('the options %j are refused', async (options, message) => {
  await expect(createEmulator(untyped(options))).rejects.toThrow(new OptionsError([toProblem(message)]));
  await expect(createEmulator(untyped(options))).rejects.toThrow(message);
});

const toProblem = (message: string) => {
  const [, path = '', rest = ''] = /^option (\w*): (.*)$/.exec(message) ?? [];
  return { path, message: rest };
};

test.each([
  ['prot', 'port'],
  ['fixture', 'fixtures'],
  ['defaultprivacy', 'defaultPrivacy'],
  ['idseed', 'idSeed'],
  ['clock', 'now'],
])('a misspelt option is refused with a suggestion: %s', async (name, right) => {
  await expect(createEmulator(untyped({ [name]: 1 }))).rejects.toThrow(
    `option ${name}: unknown key. Did you mean "${right}"?`,
  );
});

test('now takes a date, whose time is 00:00 UTC', async () => {
  await using emulator = await createEmulator({ now: '2026-01-01', listen: false });
  expect(emulator.clock.read()).toEqual({ now: '2026-01-01T00:00:00.000Z', frozen: true });
  await expect(createEmulator({ now: '2026-02-30' })).rejects.toThrow('option now: found "2026-02-30"; expected ');
});

test('an unknown option is refused with a list of known ones', async () => {
  await expect(createEmulator(untyped({ verbose: true }))).rejects.toThrow(
    /^option verbose: unknown key\. Known keys: port, host, (?:\w+, )*fixtures, fixturesModule, generate, (?:\w+, )*idSeed, (?:\w+, )*data, (?:\w+, )*onProgress\.$/,
  );
});

test('reports all problems at once, each with its path', async () => {
  const wrong = untyped({ port: 'x', auth: 'x', hots: '0.0.0.0', now: 0 });
  const error = await createEmulator(wrong).catch((reason: unknown) => reason);
  if (!(error instanceof OptionsError)) throw error;
  expect(error.name).toBe('OptionsError');
  expect(error.message.split('\n')).toEqual([
    'option hots: unknown key. Did you mean "host"?',
    'option port: found "x"; expected a port from 0 to 65535.',
    'option auth: found "x"; expected "strict" or "lenient".',
  ]);
  expect(error.problems).toEqual([
    { path: 'hots', message: 'unknown key. Did you mean "host"?' },
    { path: 'port', message: 'found "x"; expected a port from 0 to 65535.' },
    { path: 'auth', message: 'found "x"; expected "strict" or "lenient".' },
  ]);
});

test.each(['null', '5', '"default"', '[]'])('options that are %s are refused', async (options) => {
  await expect(createEmulator(JSON.parse(options))).rejects.toThrow(`options: found ${options}; expected an object.`);
});

test('every option has a default', () => {
  expect(parseOptions(vals, {})).toMatchObject({
    fixtures: 'default',
    port: 0,
    host: '127.0.0.1',
    auth: 'strict',
    defaultPrivacy: 'private',
    idSeed: 'val-emulator',
    validateResponses: false,
  });
  expect(parseOptions(vals, {}).now).toBeUndefined();
  expect(parseOptions(vals, {}).onRequest).toBeUndefined();
});

test('an option that is undefined has its default', () => {
  const names = [
    'fixtures',
    'port',
    'host',
    'auth',
    'defaultPrivacy',
    'now',
    'idSeed',
    'validateResponses',
    'onRequest',
  ];
  const options = Object.fromEntries(names.map((name) => [name, undefined]));
  expect(parseOptions(vals, options)).toEqual(parseOptions(vals, {}));
});

test('an empty object gives the same defaults as no options', () => {
  expect(parseOptions(vals)).toStrictEqual(parseOptions(vals, {}));
});

test.each<[now: Date | string | number]>([
  [new Date('2024-06-11T22:05:12.585Z')],
  ['2024-06-11T22:05:12.585Z'],
  ['2024-06-12T00:05:12.585+02:00'],
  [1_718_143_512_585],
])('the clock can be frozen at %s', (now) => {
  expect(parseOptions(vals, { now }).now).toBe(1_718_143_512_585);
});

test('the clock can be frozen at 1970', () => {
  expect(parseOptions(vals, { now: 0 }).now).toBe(0);
});

test('a seed for ids is the same as a number and as text', () => {
  expect(parseOptions(vals, { idSeed: 7 }).settings).toEqual(parseOptions(vals, { idSeed: '7' }).settings);
});

test.each([0, 1, 65_535])('port %i is accepted', (port) => {
  expect(parseOptions(vals, { port }).port).toBe(port);
});
