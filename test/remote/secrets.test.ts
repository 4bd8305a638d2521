import { expect, test } from 'vitest';
import { Secrets } from '../../src/remote/secrets.js';

test('email addresses are replaced wherever they begin, but for those of examples', () => {
  const text = 'ada@example.com.fr, ada@example.com, <grace.b+c@mail.example.org> and "-d@e.fr"';

  expect(new Secrets().redact(text)).toBe(
    'user@example.com, ada@example.com, <user@example.com> and "user@example.com"',
  );
});

test('a long text without an address is read in linear time', () => {
  const text = 'x'.repeat(1_000_000);
  const start = performance.now();

  expect(new Secrets().redact(text)).toBe(text);

  expect(performance.now() - start).toBeLessThan(1_000);
});

test.each([
  ['client_secret=topsecret99&grant=x', 'client_secret=(removed)&grant=x'],
  ['/v1/me?limit=2&refresh_token=abc', '/v1/me?limit=2&refresh_token=(removed)'],
  [String.raw`{"password":"hun\"ter22","author":"ada"}`, '{"password":"(removed)","author":"ada"}'],
  ['{"api-key": 12345678, "key": "b"}', '{"api-key": "(removed)", "key": "b"}'],
  [
    String.raw`{"body":"{\"accessKey\":\"a\\\"b\",\"n\":1}"}`,
    String.raw`{"body":"{\"accessKey\":\"(removed)\",\"n\":1}"}`,
  ],
  ['if (key == 1) next(token => token)', 'if (key == 1) next(token => token)'],
  ['Authorization: Basic YWRhOnBhc3M=', 'Authorization: Basic (removed)'],
])('of a body %s', (text, expected) => {
  expect(new Secrets().redactBody(text)).toBe(expected);
});

test('a token that a message has cut is replaced', () => {
  const secrets = new Secrets(['tok_live_0123456789abcdef']);

  expect(secrets.redact('found "is now tok_live_0123456789..."')).toBe('found "is now (removed)..."');
});

test.each(['X-Auth', 'X-Signature', 'X-Access-Key', 'Cookie', 'Authorization'])('the header %s is secret', (name) => {
  expect(new Secrets().redactHeader(name, 'abcdefgh')).toBe('(removed)');
});

test.each(['x', '"', '\\', '"x', '\\"', 'token', '"token":', '?token=', 'a@', '=', '. '])(
  'many %j are read in linear time',
  (text) => {
    const long = text.repeat(300_000 / text.length);
    const start = performance.now();

    new Secrets(['ada-token']).redactBody(long);

    expect(performance.now() - start).toBeLessThan(2_000);
  },
);
