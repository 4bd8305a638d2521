import { type TSchema, Type } from 'typebox';
import { expect, test } from 'vitest';
import { didYouMean, formatValue, joinAlternatives, joinPath, quoteForShell } from '#engine/lib/messages.js';
import { describeErrors } from '#engine/schema/schema-errors.js';
import { compile } from '#engine/schema/validator.js';

/** Describes the errors of a value as `path: message`. */
function describe(schema: TSchema, value: unknown, path = ''): string[] {
  const isValid = compile(schema, 'strict');
  expect(isValid(value)).toBe(false);
  return describeErrors(isValid.errors, path).map((problem) => `${problem.path}: ${problem.message}`);
}

const object = (properties: Record<string, TSchema>) => Type.Object(properties, { additionalProperties: false });
const Val = object({
  name: Type.String(),
  privacy: Type.Optional(Type.Enum(['public', 'unlisted', 'private'])),
  version: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
  createdAt: Type.Optional(Type.String({ format: 'fixture-time', expected: 'a timestamp' })),
  url: Type.Optional(Type.String({ format: 'uri' })),
});

test.each([
  [[], ''],
  [['a'], 'a'],
  [['100, or "off"'], '100, or "off"'],
  [['a', 'b', 'c, or d'], 'a, b or c, or d'],
])('the alternatives %j are %j', (texts, phrase) => {
  expect(joinAlternatives(texts)).toBe(phrase);
});

test('without errors, there are no problems', () => {
  expect(describeErrors(null, 'vals')).toStrictEqual([]);
  expect(describeErrors(undefined, 'vals')).toStrictEqual([]);
});

test.each([
  [{ name: 7 }, 'name: found 7; expected a string.'],
  [{ name: null }, 'name: found null; expected a string.'],
  [{ name: 'a', version: 1.5 }, 'version: found 1.5; expected a whole number.'],
  [{ name: 'a', version: -1 }, 'version: found -1; expected at least 0.'],
  [{ name: 'a', version: 10 }, 'version: found 10; expected at most 9.'],
  [{ name: 'a', createdAt: 'yesterday' }, 'createdAt: found "yesterday"; expected a timestamp.'],
  [{ name: 'a', url: 'example.com' }, 'url: found "example.com"; expected a URL.'],
  [{ name: 'a', url: 7 }, 'url: found 7; expected a string.'],
  [{ name: 'a', privacy: 7 }, 'privacy: found 7; expected "public", "unlisted" or "private".'],
  [
    { name: 'a', privacy: 'pubic' },
    'privacy: found "pubic"; expected "public", "unlisted" or "private". Did you mean "public"?',
  ],
  [{}, 'name: missing; expected a string.'],
])('%j: %s', (value, expected) => {
  expect(describe(Val, value)).toStrictEqual([expected]);
});

test('a value of the wrong type is described at its path', () => {
  expect(describe(Val, [], 'vals[2]')).toStrictEqual(['vals[2]: found []; expected an object.']);
  expect(describe(Val, 'text')).toStrictEqual([': found "text"; expected an object.']);
});

test('all errors are described, each at its path', () => {
  const Vals = object({ vals: Type.Array(Val) });

  expect(describe(Vals, { vals: [{ name: 'a' }, { name: 1, version: 'x' }, 7] }, 'fixtures')).toStrictEqual([
    'fixtures.vals[1].name: found 1; expected a string.',
    'fixtures.vals[1].version: found "x"; expected a whole number.',
    'fixtures.vals[2]: found 7; expected an object.',
  ]);
});

test('an unknown key is reported with the known keys', () => {
  expect(describe(Val, { name: 'a', other: 1 })).toStrictEqual([
    'other: unknown key. Known keys: name, privacy, version, createdAt, url.',
  ]);
});

test('a misspelt key is reported with the similar key', () => {
  expect(describe(Val, { name: 'a', Privacy: 'public' })).toStrictEqual([
    'Privacy: unknown key. Did you mean "privacy"?',
  ]);
});

test('a misspelt required key is one problem, not also a missing key', () => {
  expect(describe(Val, { nmae: 'a' })).toStrictEqual(['nmae: unknown key. Did you mean "name"?']);
});

test('a misspelt key in one record does not hide a missing key in another', () => {
  expect(describe(Type.Array(Val), [{ nmae: 'a' }, {}])).toStrictEqual([
    '[0].nmae: unknown key. Did you mean "name"?',
    '[1].name: missing; expected a string.',
  ]);
});

test('a union is one problem with its alternatives', () => {
  const Delay = object({ delay: Type.Union([Type.Number(), Type.Tuple([Type.Number(), Type.Number()])]) });

  expect(describe(Delay, { delay: 'soon' })).toStrictEqual(['delay: found "soon"; expected a number or an array.']);
});

test('a union with null names the other alternatives only', () => {
  const Nullable = object({ readme: Type.Union([Type.String(), Type.Null()]) });

  expect(describe(Nullable, { readme: 7 })).toStrictEqual(['readme: found 7; expected a string.']);
});

test('a union with its own words is described by them', () => {
  const Seed = object({
    seed: Type.Union([Type.Integer(), Type.String()], { expected: 'a whole number or a string' }),
  });

  expect(describe(Seed, { seed: [] })).toStrictEqual(['seed: found []; expected a whole number or a string.']);
});

test('a path has one problem, the first', () => {
  const Limited = object({ limit: Type.Integer({ minimum: 1, multipleOf: 2 }) });

  expect(describe(Limited, { limit: -3 })).toStrictEqual(['limit: found -3; expected at least 1.']);
});

test('keys with slashes and tildes keep their characters', () => {
  const Headers = Type.Record(Type.String(), Type.String());

  expect(describe(Headers, { 'a/b~c': 1 }, 'headers')).toStrictEqual(['headers.a/b~c: found 1; expected a string.']);
});

test.each([
  ['text', '"text"'],
  [7, '7'],
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [null, 'null'],
  [undefined, 'undefined'],
  [true, 'true'],
  [{ a: [1] }, '{"a":[1]}'],
  [10n, '10'],
  ['x'.repeat(58), `"${'x'.repeat(58)}"`],
  ['x'.repeat(59), `"${'x'.repeat(56)}...`],
])('%o is shown as %s', (value, expected) => {
  expect(formatValue(value)).toBe(expected);
});

test('values without a JSON form are shown in words', () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;

  expect(formatValue(circular)).toBe('an object that JSON cannot write');
  expect(formatValue(() => 1)).toBe('() => 1');
  expect(formatValue(Symbol('x'))).toBe('Symbol(x)');
  expect(formatValue(new Date(Number.NaN))).toBe('Invalid Date');
});

test.each([
  ['adda', ' Did you mean "ada"?'],
  ['ADA', ' Did you mean "ada"?'],
  ['grcae', ' Did you mean "grace"?'],
  ['grac', ' Did you mean "grace"?'],
  ['bob', ''],
  ['', ''],
  ['x', ''],
  [7, ''],
  [undefined, ''],
])('didYouMean(%j) is %j', (value, expected) => {
  expect(didYouMean(value, ['ada', 'grace', 'linus'])).toBe(expected);
});

test('the most similar name is suggested', () => {
  expect(didYouMean('privates', ['primates', 'private', 'pirates'])).toBe(' Did you mean "primates"?');
  expect(didYouMean('privat', ['primates', 'private', 'pirates'])).toBe(' Did you mean "private"?');
});

test.each([
  ['', 'name', 'name'],
  ['users', 2, 'users[2]'],
  ['users[2]', 'name', 'users[2].name'],
  ['', 0, '[0]'],
])('joinPath(%j, %j) is %s', (path, key, expected) => {
  expect(joinPath(path, key)).toBe(expected);
});

test('a command line is quoted as cmd.exe and shells read it', () => {
  expect(quoteForShell('Authorization: Bearer ada-token')).toBe('"Authorization: Bearer ada-token"');
  expect(quoteForShell('http://[::1]:4010/v1/me')).toBe('"http://[::1]:4010/v1/me"');
  expect(quoteForShell('C:/work/session.ndjson')).toBe('C:/work/session.ndjson');
  // What a shell would replace in double quotes stays in single ones.
  expect(quoteForShell('a $HOME `id` "b"')).toBe(`'a $HOME \`id\` "b"'`);
});
