import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Redactor } from '#engine/lib/redactor.js';
import { renderCode } from '#vals/generator/val.js';
import { anyText } from '../../support/any-text.js';
import { timeOnCpu } from '../../support/cpu.js';
import { sized } from '../../support/soak.js';
import { listTemplateCases } from '../../vals/generator/template-cases.js';

test('replaces email addresses, except at example domains', () => {
  const text = 'ada@example.com.fr, ada@example.com, <grace.b+c@mail.example.org> and "-d@e.fr"';

  expect(new Redactor().redact(text)).toBe(
    'user@example.com, ada@example.com, <user@example.com> and "user@example.com"',
  );
});

test('a long text without an address is read in linear time', async () => {
  const text = 'x'.repeat(1_000_000);

  const time = await timeOnCpu(() => expect(new Redactor().redact(text)).toBe(text));

  expect(time).toBeLessThan(1_000);
});

test('a secret with a lone surrogate is replaced', () => {
  const redactor = new Redactor(['hidden\ud800one']);

  expect(redactor.redact(String.raw`{"a":"hidden\ud800one","b":"/a?b=hidden%EF%BF%BDone"}`)).toBe(
    '{"a":"(removed)","b":"/a?b=(removed)"}',
  );
});

const FORM = 'application/x-www-form-urlencoded';

test.each([
  ['client_secret=topsecret99&grant=x', 'client_secret=(removed)&grant=x', FORM],
  ['client_secret=topsecret99&grant=x', 'client_secret=topsecret99&grant=x', 'text/plain'],
  [String.raw`{"password":"hun\"ter22","author":"ada"}`, '{"password":"(removed)","author":"ada"}'],
  ['{"api-key": 12345678, "key": "b"}', '{"api-key": "(removed)", "key": "b"}'],
  [
    String.raw`{"body":"{\"accessKey\":\"a\\\"b\",\"n\":1}"}`,
    String.raw`{"body":"{\"accessKey\":\"(removed)\",\"n\":1}"}`,
  ],
  ['{"list":[{"token":"a"}],"cut', '{"list":[{"token":"(removed)"}],"cut'],
  ['if (key == 1) next(token => token)', 'if (key == 1) next(token => token)'],
  ['Authorization: Basic YWRhOnBhc3M=', 'Authorization: Basic YWRhOnBhc3M='],
  [
    '{"links":{"next":"http://a.test/v1/me/runs?token=abc&limit=2"}}',
    '{"links":{"next":"http://a.test/v1/me/runs?token=%28removed%29&limit=2"}}',
  ],
  [String.raw`{"url":"https:\/\/a.test\/?a=1\u0026key=b"}`, '{"url":"https://a.test/?a=1&key=%28removed%29"}'],
  [
    '{"user":{"email":"ada@mail.test"},"bio":"grace@mail.test"}',
    '{"user":{"email":"user@example.com"},"bio":"grace@mail.test"}',
  ],
  [
    '{"email":"ada@mail.test","username":"ada","bio":"ask ada@mail.test"}',
    '{"email":"ada@example.com","username":"ada","bio":"ask ada@example.com"}',
  ],
])('redacts the body %s', (text, expected, type = 'application/json') => {
  expect(new Redactor().redactBody(text, type)).toBe(expected);
});

const CODES = [
  '<li key={direction}>x</li>',
  `const url = \`/a?key=\${k}&room=1\`;`,
  `const url = \`https://a.test/?token=\${token}&room=1\`;`,
  'const a = 1;\nconst secret=5;\nlet token = "abc", apiKey=\'x\';',
  'export const password=prompt();',
  'await fetch(url, { body: JSON.stringify({"token": "abc", "apiKey": 5}) })',
  'headers: { Authorization: "Bearer abcdefgh" } // Basic usage, Basic example',
  'import x from "npm:pkg@1.0.0-beta.rc"; // by grace@mail.test, latest of contest',
  'const form = "client_secret=abc&access_token=def";',
  String.raw`'\"token\": \"abc\"' + "\\\"token\\\":1" + '{"token":' + token + '}'`,
];

/** Bodies of a service that contain a code. */
const bodiesOf = (code: string): string[] => [
  JSON.stringify({ id: 1, code, readme: null }),
  JSON.stringify(
    { data: [{ code }, { readme: code, list: [code] }], links: { self: 'http://a.test/?limit=2' } },
    null,
    2,
  ),
];
/** Has a token that is the start of words in code. */
const secrets = new Redactor(['cons', 'sk-live-0123456789']);

test.each(CODES)('code stays the same to the byte: %s', (code) => {
  for (const body of bodiesOf(code)) expect(secrets.redactBody(body, 'application/json')).toBe(body);
});

test('code of all templates of the generator stays the same to the byte', () => {
  const codes = new Set(listTemplateCases().map(({ draft, variant }) => renderCode(draft, variant)));
  expect(codes.size).toBeGreaterThan(600);

  for (const code of codes)
    for (const body of bodiesOf(code)) expect(secrets.redactBody(body, 'application/json')).toBe(body);
});

test('any code stays the same to the byte, and secret values around it are removed', () => {
  const words = [...'token secret key password apiKey cookie email abc a@b.test 1'.split(' '), 'Bearer ', 'Basic '];
  const marks = [...'=:"\'`\\?&{}[]<, \n', '\\"', '/>', '${', '...'];
  const urls = ['https://a.test/', '?token=', '&key=', '{"token":"abc"}', '\\"token\\":\\"abc\\"'];
  const isPlain = (code: string) => !/^\s*[[{]|^https?:/.test(code);
  const code = fc.array(fc.constantFrom(...words, ...marks, ...urls), { maxLength: 30 }).map((parts) => parts.join(''));
  const anyCode = fc.oneof(code, anyText).filter(isPlain);

  fc.assert(
    fc.property(anyCode, anyCode, fc.string(), (first, second, secret) => {
      const make = (value: unknown) =>
        JSON.stringify({ code: first, token: value, list: [{ readme: second, password: value }] });
      expect(new Redactor().redactBody(make(secret), 'application/json')).toBe(make('(removed)'));
    }),
    { numRuns: sized(300, 3_000) },
  );
});

test('replaces a truncated token', () => {
  const secrets = new Redactor(['tok_live_0123456789abcdef']);

  expect(secrets.redact('found "is now tok_live_0123456789..."')).toBe('found "is now (removed)..."');
});

test.each(['X-Auth', 'X-Signature', 'X-Access-Key', 'Cookie', 'Authorization'])('the header %s is secret', (name) => {
  expect(new Redactor().redactHeader(name, 'abcdefgh')).toBe('(removed)');
});

test.each(['x', '"', '\\', '"": ', '"x', '\\"', 'token', '"token":', '?token=', 'a@', '=', '. '])(
  'many %j are read in linear time',
  async (text) => {
    const long = text.repeat(300_000 / text.length);

    const time = await timeOnCpu(() => {
      for (const body of [long, `{${long}`]) new Redactor(['ada-token']).redactBody(body, FORM);
    });

    expect(time).toBeLessThan(2_000);
  },
);
