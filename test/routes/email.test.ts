import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Emulator, Fixtures } from '../../src/index.js';
import { ExpectationError, OptionsError } from '../../src/index.js';
import { folderOf } from '../fixtures/loading.js';
import { as, createEmulator, emulate, NOW } from '../support/emulate.js';

const fixtures: Fixtures = { users: [{ username: 'ada' }, { username: 'bob' }] };
const ACCEPTED = { message: 'Email accepted to be sent' };

const EMAILS = [{ user: 'ada', attachments: [{ filename: 'a', file: './a.bin' }] }];

const send = (emulator: Emulator, body: object) => as(emulator, 'ada').post('/v1/email').send(body);

test('keeps an email with every kind of address and part', async () => {
  const emulator = await emulate(fixtures);

  const response = await send(emulator, {
    from: { email: 'bot@example.com', name: 'Bot' },
    to: ['Grace <grace@example.com>', { email: 'linus@example.com' }],
    cc: 'cc@example.com',
    bcc: [{ email: 'bcc@example.com', name: 'B' }],
    replyToList: { email: 'reply@example.com' },
    subject: 'The report',
    text: 'It is ready.',
    html: '<b>It is ready.</b>',
    headers: { 'X-Kind': 'report' },
    attachments: [{ content: 'AP8=', filename: 'a.bin', type: 'application/x-a', contentId: 'a' }],
  });

  expect([response.status, response.body]).toStrictEqual([202, ACCEPTED]);
  expect(emulator.emails()).toStrictEqual([
    {
      id: expect.any(String),
      time: NOW,
      user: 'ada',
      from: { email: 'bot@example.com', name: 'Bot' },
      to: [
        { email: 'grace@example.com', name: 'Grace' },
        { email: 'linus@example.com', name: null },
      ],
      cc: [{ email: 'cc@example.com', name: null }],
      bcc: [{ email: 'bcc@example.com', name: 'B' }],
      replyTo: [{ email: 'reply@example.com', name: null }],
      subject: 'The report',
      text: 'It is ready.',
      html: '<b>It is ready.</b>',
      headers: { 'X-Kind': 'report' },
      attachments: [
        {
          ...{ filename: 'a.bin', type: 'application/x-a', disposition: null, contentId: 'a' },
          ...{ size: 2, content: 'AP8=' },
        },
      ],
    },
  ]);
});

test('goes to the caller without a recipient, also as JSON with another content type', async () => {
  const emulator = await emulate(fixtures);

  // As the standard library of the service sends it.
  const response = await emulator.fetch('/v1/email', {
    method: 'POST',
    headers: { authorization: 'Bearer ada-token' },
    body: JSON.stringify({ subject: 'Hello' }),
  });

  expect([response.status, await response.json()]).toStrictEqual([202, ACCEPTED]);
  expect(emulator.emails()[0]).toMatchObject({ to: [{ email: 'ada@example.com', name: 'ada' }], from: null });
});

test.each([
  [{ subject: 'x'.repeat(999) }, 'body/subject must NOT have more than 998 characters'],
  [{ to: Array(51).fill('a@b') }, 'body/to must NOT have more than 50 items'],
  [{ attachments: [{ filename: 'a', content: '%' }] }, 'body/attachments/0/content must be base64'],
])('refuses %j', async (body, message) => {
  const emulator = await emulate(fixtures);

  const response = await send(emulator, body);

  expect(response.status).toBe(400);
  expect(response.body.message).toContain(message);
  expect(emulator.emails()).toStrictEqual([]);
});

test('takes attachments of 10 MB, and reads none without a token', async () => {
  const emulator = await emulate(fixtures);
  const content = Buffer.alloc(10 * 1_048_576, 1).toString('base64');
  const body = JSON.stringify({ attachments: [{ filename: 'a', content }] });

  const sent = await emulator.fetch('/v1/email', {
    method: 'POST',
    headers: { authorization: 'Bearer ada-token' },
    body,
  });
  const refused = await fetch(`${emulator.url}/v1/email`, { method: 'POST', body });

  expect([sent.status, refused.status]).toStrictEqual([202, 401]);
  expect(emulator.emails().map(({ attachments }) => attachments[0]?.size)).toStrictEqual([10 * 1_048_576]);
});

describe('a filter', () => {
  const start = async () => {
    const emulator = await emulate({
      ...fixtures,
      emails: [
        { user: 'ada', to: 'Grace@Example.com', subject: 'One' },
        { user: 'bob', to: ['linus@example.com', 'grace@example.com'], subject: 'Two', text: ['a', 'b'] },
      ],
    });
    return emulator;
  };

  test.each([
    [{ to: 'grace@example.com' }, ['One', 'Two']],
    [{ to: 'linus@example.com' }, ['Two']],
    [{ user: 'ada' }, ['One']],
    [{ subject: expect.stringMatching(/^T/) }, ['Two']],
    [{ text: 'a\nb' }, ['Two']],
    [{ limit: 1 }, ['Two']],
  ])('%j selects %j', async (filter, subjects) => {
    const emulator = await start();

    expect(emulator.emails(filter).map(({ subject }) => subject)).toStrictEqual(subjects);
  });

  test('has known keys only', async () => {
    const emulator = await start();

    // @ts-expect-error: it has no such key.
    expect(() => emulator.emails({ recipient: 'a' })).toThrow(OptionsError);
  });

  test('in a failed expectation has the near misses', async () => {
    const emulator = await start();

    emulator.expectEmail({ to: 'linus@example.com', subject: 'Two', times: 1 });
    expect(() => emulator.expectEmail({ to: 'linus@example.com', subject: 'Three' })).toThrow(ExpectationError);
    expect(() => emulator.expectEmail({ to: 'linus@example.com', subject: 'Three' })).toThrow(
      'expected at least one email with to "linus@example.com" with subject "Three", but there were 0 of 2 in all.\n' +
        'Near misses:\n  "Two" to linus@example.com, grace@example.com\n      subject: expected "Three", found "Two"',
    );
    expect(() => emulator.expectEmail({ to: 'linus@example.com', times: 0 })).toThrow(
      'but there was 1 of 2 in all.\nMatches:\n  "Two" to linus@example.com, grace@example.com',
    );
    expect(() => emulator.expectEmail({ to: 'linus@example.com', times: 2 })).toThrow(
      /in all\.\nMatches:\n {2}"Two" to .*\nNear misses:\n {2}"One" to .*\n {6}to: expected/,
    );
  });
});

test('is exported, added, rewound and deleted with its user', async () => {
  const emulator = await emulate(fixtures);
  await send(emulator, { to: 'x@example.com', subject: 'One', attachments: [{ filename: 'a', content: 'AP8=' }] });
  emulator.add.email({ user: 'bob', subject: 'Two', attachments: [{ filename: 'b', text: 'ä' }] });
  const exported = emulator.exportState({});

  expect(exported.emails).toMatchObject([
    { user: 'ada', to: ['x@example.com'], attachments: [{ filename: 'a', base64: 'AP8=' }] },
    { user: 'bob', subject: 'Two', attachments: [{ filename: 'b', text: 'ä' }] },
  ]);
  const copy = await emulate(exported);
  expect(copy.emails()).toStrictEqual(emulator.emails());
  const brief = await emulate(emulator.exportState({ brief: true }));
  expect(brief.emails()).toStrictEqual(emulator.emails());
  expect(emulator.history().map(({ names }) => names)).toStrictEqual([
    ['+ email by ada: One'],
    ['+ email by bob: Two'],
  ]);
  emulator.rewind(1);
  expect(emulator.emails()).toHaveLength(1);
});

test('a fixture file may name the files of attachments, an object may not', async () => {
  const folder = folderOf({ 'users.json': [{ username: 'ada' }], 'emails.json': EMAILS });
  writeFileSync(join(folder, 'a.bin'), Buffer.from([0, 255]));

  const emulator = await createEmulator({ fixtures: folder, listen: false });

  expect(emulator.emails()[0]?.attachments[0]?.content).toBe('AP8=');
  await expect(createEmulator({ fixtures: { ...fixtures, emails: EMAILS }, listen: false })).rejects.toThrow(
    'emails[0].attachments[0]: file: expected in a fixture file only',
  );
  await emulator.close();
});

test('has HTML without scripts and foreign requests', async () => {
  const emulator = await emulate({
    ...fixtures,
    emails: [
      {
        ...{ user: 'ada', id: '00000000-0000-4000-8000-000000000001', html: '<img src="cid:logo"><img src="cid:no">' },
        attachments: [{ filename: 'a.png', type: 'image/png', contentId: '<logo>', base64: 'AP8=' }],
      },
    ],
  });

  const response = await fetch(`${emulator.url}/_emulator/emails/00000000-0000-4000-8000-000000000001/html`);

  expect(await response.text()).toBe('<img src="data:image/png;base64,AP8="><img src="cid:no">');
  expect(response.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
});

test.each([[[['ada@example.com']]], [[[]]], [{ email: ['ada@example.com'] }], [[{ email: 'ada@example.com' }]]])(
  'keeps an address in nested lists as one: %j',
  async (address) => {
    const emulator = await emulate({ users: [{ username: 'ada' }] });
    const body = JSON.stringify({ subject: 's', to: 'ada@example.com', cc: address });
    await emulator.fetch('/v1/email', { method: 'POST', headers: { authorization: 'Bearer ada-token' }, body });
    for (const { cc } of emulator.emails()) expect(cc.map(({ email }) => typeof email)).not.toContain('undefined');
    expect(() => emulator.expectEmail({ cc: 'nobody@example.com' })).toThrow('Near misses');
  },
);
