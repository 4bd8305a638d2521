import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonError } from '#engine/seed/json-error.js';
import { parseJson, parseJsonFile } from '#engine/seed/parse-json.js';
import { sized } from '../../support/soak.js';

function findError(text: string): JsonError | undefined {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  return undefined;
}

test.each<[text: string, line: number, column: number, message: string]>([
  ['', 1, 1, 'found the end of the file; expected a value.'],
  ['\n  \n', 3, 1, 'found the end of the file; expected a value.'],
  ['{', 1, 2, 'found the end of the file; expected another key or "}".'],
  ['[', 1, 2, 'found the end of the file; expected another value or "]".'],
  ['[1,\n 2', 2, 3, 'found the end of the file; expected another value or "]".'],
  ['[1,\n 2,\n]', 3, 1, 'found "]"; expected a value, or no comma before the "]".'],
  ['{\n  "a": 1,\n}', 3, 1, 'found "}"; expected a key in double quotes, or no comma before the "}".'],
  ['{\r\n  "a": 1,\r\n}', 3, 1, 'found "}"; expected a key in double quotes, or no comma before the "}".'],
  ['{"a":}', 1, 6, 'found "}"; expected a value.'],
  ['{"a" 1}', 1, 6, 'found "1"; expected ":" after the key.'],
  ['{"a": 1 "b": 2}', 1, 9, 'found "b"; expected "," or a closing bracket.'],
  ['[1 2]', 1, 4, 'found "2"; expected "," or a closing bracket.'],
  ['[1}', 1, 3, 'found "}"; expected "," or a closing bracket.'],
  ['{a: 1}', 1, 2, 'found "a"; expected a value, or a key in double quotes.'],
  ["{'a': 1}", 1, 2, 'found "\'a\'"; expected a value, or a key in double quotes.'],
  ['{1: 2}', 1, 2, 'found "1"; expected a key in double quotes.'],
  ['// users\n[]', 1, 1, 'found "// users"; expected no comment: JSON has none.'],
  ['[] /* users */', 1, 4, 'found "/* users */"; expected no comment: JSON has none.'],
  ['[1, /* open', 1, 5, 'found "/* open"; expected "*/" after the comment.'],
  ['[] []', 1, 4, 'found "["; expected nothing after the value.'],
  ['[True]', 1, 2, 'found "True"; expected a value, or a key in double quotes.'],
  ['[01]', 1, 3, 'found "1"; expected "," or a closing bracket.'],
  ['[1, .5]', 1, 5, 'found ".5"; expected a value, or a key in double quotes.'],
  ['["a]\n', 1, 2, 'found "a]; expected a double quote that closes the string on its line.'],
  ['["a\tb"]', 1, 2, 'found "a\tb"; expected an escape in place of the control character in the string.'],
  ['["C:\\dir"]', 1, 2, 'found "C:\\dir"; expected an escape of JSON in the string (a backslash is written "\\\\").'],
  ['["\\u00g0"]', 1, 2, 'found "\\u00g0"; expected four hexadecimal digits after "\\u" in the string.'],
  ['["é", "😀" x]', 1, 12, 'found "x"; expected a value, or a key in double quotes.'],
  ['[1.]', 1, 2, 'found "1."; expected a digit.'],
])('the error in %j is at line %i, column %i', (text, line, column, message) => {
  expect(findError(text)).toMatchObject({ line, column, message: `not valid JSON: ${message}` });
});

test('JSON is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each<[text: string, line: number, column: number, message: string]>([
  ['{"a":1,"a":1}', 1, 8, 'the key "a" is at line 1, column 2 as well; keep one of them.'],
  ['{\n  "a": {},\n  "b": [],\n  "a" : 2\n}', 4, 3, 'the key "a" is at line 2, column 3 as well; keep one of them.'],
  [
    '[{"a":1},{"b":[{"c":{},"d":{"a":1},\r\n"c":0}]}]',
    2,
    1,
    'the key "c" is at line 1, column 17 as well; keep one of them.',
  ],
  ['{"é":1,"\\u00e9":2}', 1, 8, 'the key "é" is at line 1, column 2 as well; keep one of them.'],
  ['{"a\\"":1,"b\\\\":2,"a\\"":3}', 1, 18, 'the key "a\\"" is at line 1, column 2 as well; keep one of them.'],
  ['{"":1,"":2}', 1, 7, 'the key "" is at line 1, column 2 as well; keep one of them.'],
  ['{"__proto__":1,"__proto__":2}', 1, 16, 'the key "__proto__" is at line 1, column 2 as well; keep one of them.'],
  ['{"7":1,"7":2}', 1, 8, 'the key "7" is at line 1, column 2 as well; keep one of them.'],
])('a key that an object has twice is an error: %j', (text, line, column, message) => {
  expect(findError(text)).toMatchObject({ line, column, message });
});

test('a key that is twice in text of 100,000 levels is an error', () => {
  const deep = `${'['.repeat(100_000)}{"a":1,"a":2}${']'.repeat(100_000)}`;
  expect(findError(deep)).toMatchObject({ line: 1, column: 100_008 });
});

test('exactly the objects with a key twice are an error', () => {
  const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 2 });
  const string = fc.string({ unit: fc.constantFrom('a', '"', '\\', ':', ',', '{', '}', 'é'), maxLength: 3 });
  const { value } = fc.letrec<{ value: { text: string; isRepeated: boolean } }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(string, fc.integer(), fc.boolean(), fc.constant(null)).map((leaf) => ({
        text: JSON.stringify(leaf),
        isRepeated: false,
      })),
      fc.tuple(fc.array(tie('value'), { maxLength: 3 }), space).map(([items, gap]) => ({
        text: `[${items.map(({ text }) => gap + text).join(',')}${gap}]`,
        isRepeated: items.some(({ isRepeated }) => isRepeated),
      })),
      fc.tuple(fc.array(fc.tuple(string, tie('value')), { maxLength: 4 }), space).map(([fields, gap]) => ({
        text: `{${fields.map(([key, { text }]) => `${gap}${JSON.stringify(key)}${gap}:${text}`).join(',')}}`,
        isRepeated:
          new Set(fields.map(([key]) => key)).size < fields.length || fields.some(([, each]) => each.isRepeated),
      })),
    ),
  }));
  let repeated = 0;
  fc.assert(
    fc.property(value, ({ text, isRepeated }) => {
      if (isRepeated) repeated++;
      expect(findError(text) !== undefined, text).toBe(isRepeated);
    }),
    { numRuns: sized(300, 2_000) },
  );
  expect(repeated).toBeGreaterThan(sized(5, 50));
});

test('every syntax error has a position', () => {
  const piece = fc.constantFrom(
    ...'{}[],:"\\/ \n\t-.01e',
    '"a"',
    'true',
    'nul',
    '\\u00e9',
    'é',
    '\u0000',
    '\u0085',
    '1e5',
  );
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(fc.string({ unit: piece, maxLength: 12 }), (text) => {
      expect(findError(text) === undefined).toBe(isJson(text));
    }),
    { numRuns: sized(500, 5_000) },
  );
});

test.each<[text: string, value: unknown]>([
  ['// users\n[1, /* two */ 2, // three\n]', [1, 2]],
  ['{"a": [1,\n], /* , */ "b": {"c": 2 , // , }\n },}', { a: [1], b: { c: 2 } }],
  ['["// no /* comment */", "a,]", "\\"//", 1,]\r\n// end', ['// no /* comment */', 'a,]', '"//', 1]],
  ['{"__proto__": {"x": 1,}}', JSON.parse('{"__proto__": {"x": 1}}')],
])('%j has comments or trailing commas, which a file may have', (text, value) => {
  expect(parseJsonFile(text)).toEqual(value);
  expect(Object.keys(Object(parseJsonFile(text)))).toEqual(Object.keys(Object(value)));
  expect(() => parseJson(text)).toThrow(JsonError);
});

test.each<[text: string, line: number, column: number, message: string]>([
  ['// users\n[1 2]', 2, 4, 'not valid JSON: found "2"; expected "," or a closing bracket.'],
  ['/* a\n*/ [1,, ]', 2, 7, 'not valid JSON: found ","; expected a value.'],
  ['// a\n[,]', 2, 2, 'not valid JSON: found ","; expected a value.'],
  ['{"a": , }', 1, 7, 'not valid JSON: found ","; expected a value.'],
  ['[1, // a\n/* b', 2, 1, 'not valid JSON: found "/* b"; expected "*/" after the comment.'],
  ['// a\n{"b": 1, // c\n"b": 2,}', 3, 1, 'the key "b" is at line 2, column 2 as well; keep one of them.'],
  ['{"a": "x\n// y",}', 1, 7, 'not valid JSON: found "x; expected a double quote that closes the string on its line.'],
])('the error in the file %j is at line %i, column %i', (text, line, column, message) => {
  let error: unknown;
  try {
    parseJsonFile(text);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ line, column, message });
});

test('comments and trailing commas anywhere between the tokens change no value', () => {
  const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;
  const comments = fc.constantFrom(' ', '// ] "\n', '/* , */', '/**/', '\n');
  fc.assert(
    fc.property(fc.json(), fc.infiniteStream(comments), (text, gaps) => {
      const tokens = text.match(token) ?? [];
      const commented = tokens.map((each, i) => {
        const isEnd = /^[\]}]$/.test(each) && !/^[[{]$/.test(tokens[i - 1] ?? '');
        return `${isEnd ? `,${gaps.next().value}` : ''}${each}${gaps.next().value}`;
      });
      expect(parseJsonFile(commented.join(''))).toEqual(JSON.parse(text));
    }),
  );
});
