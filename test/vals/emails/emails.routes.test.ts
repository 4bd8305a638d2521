import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect } from '#tools/client/index.js';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { ExpectationError, OptionsError } from '../../../src/index.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { namesOf } from '../../support/changes.js';
import { as, createEmulator, emulate, NOW } from '../../support/emulate.js';

const fixtures: Fixtures = { users: [{ username: 'ada' }, { username: 'bob' }] };
const ACCEPTED = { message: 'Email accepted to be sent' };

const EMAILS = [{ user: 'ada', attachments: [{ filename: 'a', file: './a.bin' }] }];

const send = (emulator: Emulator, body: object) => as(emulator, 'ada').post('/v1/email').send(body);

test('keeps an email with every kind of address and part', async () => {
  const emulator = await emulate(fixtures);

  const response = await send(emulator, {
    from: { email: 'Ada.bot@valtown.email', name: 'Bot' },
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
      from: { email: 'Ada.bot@valtown.email', name: 'Bot' },
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
      links: [],
      codes: [],
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
    body: JSON.stringify({ text: 'Hello' }),
  });

  expect([response.status, await response.json()]).toStrictEqual([202, ACCEPTED]);
  expect(emulator.emails()[0]).toMatchObject({
    to: [{ email: 'ada@example.com', name: 'ada' }],
    from: { email: 'notifications@val.town', name: null },
    subject: 'Message from @ada on Val Town',
  });
});

test('has the id of a user without a username in its defaults and senders', async () => {
  const id = '00000000-0000-4000-8000-000000000001';
  const emulator = await emulate({ users: [{ username: null, id, token: 'ada-token' }] });

  expect((await send(emulator, {})).status).toBe(202);
  expect((await send(emulator, { from: `${id}.hello@valtown.email` })).status).toBe(202);
  expect(emulator.emails()[0]?.subject).toBe(`Message from @${id} on Val Town`);
});

const ADDRESS_OF_320 = `Ada <${'a'.repeat(302)}@example.com>`;
const FILE = { filename: 'a', content: 'AP8=' };

test.each([
  { to: ADDRESS_OF_320 },
  { from: 'ADA.hello@ValTown.email' },
  { from: { email: 'ada.hello_1@valtown.email', name: 'Ada' } },
  { replyTo: 'Ada <ada@example.com>' },
  { replyToList: { email: 'ada@example.com' } },
  { replyToList: Array(10).fill({ email: 'ada@example.com', name: 'Ada' }) },
  { attachments: Array(5).fill(FILE) },
  { html: ' ' },
  { subject: '' },
  // A header is folded at its spaces.
  { subject: 'x '.repeat(5_000) },
  { subject: 'x'.repeat(998) },
  { headers: { 'X-Long': `${'x'.repeat(998)} x` } },
])('accepts %j', async (body) => {
  const emulator = await emulate(fixtures);

  expect((await send(emulator, body)).status).toBe(202);
  expect(emulator.emails()).toHaveLength(1);
});

const SENDER = 'body/from must be ada.<val>@valtown.email, or absent for notifications@val.town';

test.each([
  [{ to: Array(51).fill('a@b') }, 'body/to must NOT have more than 50 items'],
  [{ attachments: [{ filename: 'a', content: '%' }] }, 'body/attachments/0/content must be base64'],
  [{ attachments: Array(6).fill(FILE) }, 'body/attachments must NOT have more than 5 items'],
  [{ to: `${ADDRESS_OF_320}x` }, 'body/to must NOT have more than 320 characters'],
  [{ cc: ['a@b', `${ADDRESS_OF_320}x`] }, 'body/cc/1 must NOT have more than 320 characters'],
  [{ bcc: { email: ADDRESS_OF_320, name: 'x'.repeat(257) } }, 'body/bcc/name must NOT have more than 256 characters'],
  [{ html: '' }, 'body/html must NOT have fewer than 1 characters'],
  [{ replyToList: 'ada@example.com' }, 'body/replyToList must be object'],
  [{ replyToList: ['ada@example.com'] }, 'body/replyToList must be object'],
  [{ replyToList: Array(11).fill({ email: 'a@b' }) }, 'body/replyToList must NOT have more than 10 items'],
  [{ replyTo: ['a@b', 'c@d'] }, 'body/replyTo must be string'],
  ...['ada@example.com', 'notifications@val.town', 'grace.hello@valtown.email', 'ada.@valtown.email'].map((from) => [
    { from },
    SENDER,
  ]),
  ...['ada@valtown.email', 'ada.a@b@valtown.email', 'Ada <ada.hello@example.com>', 'x <>'].map((from) => [
    { from },
    SENDER,
  ]),
  ...['\r', '\n', '\0', 'x\r\nBcc: eve@example.com'].flatMap((text) => [
    [{ subject: `a${text}` }, 'body/subject must NOT have CR, LF or NUL'],
    [{ to: `a${text}b@example.com` }, 'body/to must NOT have CR, LF or NUL'],
    [{ to: `Ada <ada@example.com>${text}` }, 'body/to must NOT have CR, LF or NUL'],
    [{ to: `${text}ada@example.com` }, 'body/to must NOT have CR, LF or NUL'],
    [{ cc: [{ email: `a${text}b@example.com` }] }, 'body/cc must NOT have CR, LF or NUL'],
    [{ bcc: { email: 'a@b', name: `a${text}` } }, 'body/bcc must NOT have CR, LF or NUL'],
    [{ from: { email: 'ada.x@valtown.email', name: `a${text}` } }, 'body/from must NOT have CR, LF or NUL'],
    [{ replyTo: `"a${text}b" <a@b>` }, 'body/replyTo must NOT have CR, LF or NUL'],
    [{ replyToList: { email: `a${text}b@example.com` } }, 'body/replyToList must NOT have CR, LF or NUL'],
    [{ headers: { [`X-A${text}`]: 'a' } }, 'body/headers must NOT have CR, LF or NUL'],
    [{ headers: { 'X-A': `a${text}` } }, 'body/headers must NOT have CR, LF or NUL'],
    [{ attachments: [{ ...FILE, filename: `a${text}` }] }, 'body/attachments/0 must NOT have CR, LF or NUL'],
    [{ attachments: [{ ...FILE, type: `a${text}` }] }, 'body/attachments/0 must NOT have CR, LF or NUL'],
  ]),
  [{ subject: 'x'.repeat(999) }, 'body/subject must NOT have a word of more than 998 characters'],
  [{ headers: { 'X-A': 'x'.repeat(999) } }, 'body/headers must NOT have a word of more than 998 characters'],
] as [object, string][])('refuses %j', async (body, message) => {
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
    [{ to: 'GRACE@' }, ['One', 'Two']],
    [{ to: /^grace/ }, ['Two']],
    [{ subject: 'o' }, ['One', 'Two']],
    [{ subject: 'tw' }, ['Two']],
    [{ subject: /^O/ }, ['One']],
    [{ user: 'ad' }, []],
    [{ text: 'B' }, ['Two']],
    [{ html: 'a' }, []],
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

test('a fixture takes any sender, and what the route accepts', async () => {
  const emulator = await emulate({ ...fixtures, emails: [{ user: 'ada', from: 'bot@example.com', subject: 'a\nb' }] });
  emulator.add.email({ user: 'ada', from: { email: 'bot@example.com', name: 'Bot' } });
  await send(emulator, { to: `${'A'.repeat(300)} <ada@example.com>`, subject: 'x '.repeat(5_000) });

  expect(emulator.emails().map(({ from }) => from?.email)).toStrictEqual([
    ...['bot@example.com', 'bot@example.com', 'notifications@val.town'],
  ]);
  const copy = await emulate(emulator.state());
  expect(copy.emails()).toStrictEqual(emulator.emails());
});

test('is exported, added, rewound and deleted with its user', async () => {
  const emulator = await emulate(fixtures);
  await send(emulator, { to: 'x@example.com', subject: 'One', attachments: [{ filename: 'a', content: 'AP8=' }] });
  emulator.add.email({ user: 'bob', subject: 'Two', attachments: [{ filename: 'b', text: 'ä' }] });
  const exported = emulator.state({});

  expect(exported.emails).toMatchObject([
    { user: 'ada', to: ['x@example.com'], attachments: [{ filename: 'a', base64: 'AP8=' }] },
    { user: 'bob', subject: 'Two', attachments: [{ filename: 'b', text: 'ä' }] },
  ]);
  const copy = await emulate(exported);
  expect(copy.emails()).toStrictEqual(emulator.emails());
  const brief = await emulate(emulator.state({ brief: true }));
  expect(brief.emails()).toStrictEqual(emulator.emails());
  expect(emulator.history().map(namesOf)).toStrictEqual([['+ email by ada: One'], ['+ email by bob: Two']]);
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

  expect(await response.text()).toBe('<base target="_blank"><img src="data:image/png;base64,AP8="><img src="cid:no">');
  expect(response.headers.get('content-security-policy')).toMatch(
    /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/,
  );
});

test('an expectation selects by the attachments, and returns the last email that matches', async () => {
  const emulator = await emulate({
    users: [{ username: 'ada' }],
    emails: [
      { user: 'ada', subject: 'None' },
      { user: 'ada', subject: 'First', attachments: [{ filename: 'a.csv', text: '1' }] },
      {
        user: 'ada',
        subject: 'Second',
        attachments: [
          { filename: 'a.csv', text: '1' },
          { filename: 'b.csv', text: '2' },
        ],
      },
      { user: 'ada', subject: 'Third', attachments: [{ filename: 'a.csv', text: '3' }] },
    ],
  });
  const remote = connect(emulator.url);

  for (const sandbox of [emulator, remote]) {
    expect((await sandbox.expectEmail({ attachments: ['a.csv', 'b.csv'] })).subject).toBe('Second');
    expect((await sandbox.expectEmail({ attachments: 1, times: 2 }))?.subject).toBe('Third');
    expect((await sandbox.expectEmail()).subject).toBe('Third');
    expect(await sandbox.expectEmail({ attachments: 3, times: 0 })).toBeUndefined();
    expect((await sandbox.emails({ attachments: 0 })).map(({ subject }) => subject)).toEqual(['None']);
  }
  expect(emulator.expectEmail({ attachments: [expect.stringMatching(/^a/), 'b.csv'] }).subject).toBe('Second');
  expect(() => emulator.expectEmail({ attachments: ['b.csv'] })).toThrow(
    /"None" to .*\n {6}attachments: expected \["b.csv"\], found \[\]/,
  );
  expect(() => emulator.expectEmail({ attachments: 2, times: 2 })).toThrow('attachments: expected 2, found 1');
  // @ts-expect-error: neither a number nor a list.
  expect(() => emulator.expectEmail({ attachments: 'a.csv' })).toThrow(
    'attachments: found "a.csv"; expected a number, or a list of filenames.',
  );
  const response = await fetch(`${emulator.url}/_emulator/emails?attachments=a.csv`);
  expect(await response.text()).toContain('attachments: found \\"a.csv\\"; expected JSON');
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

test('the value of a header is a text whatever its name', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });

  const sent = await as(emulator, 'ada')
    .post('/v1/email')
    .send({ headers: { '\u2028': 1, plain: 2 } });

  expect(sent.status).toBe(202);
  expect(emulator.emails()[0]?.headers).toEqual({ '\u2028': '1', plain: '2' });
});

test('a filter takes parts of names, and of what HTML says: in the process, remotely and over HTTP', async () => {
  const emulator = await emulate({
    ...fixtures,
    emails: [
      {
        user: 'ada',
        to: 'Grace Hopper <grace@example.com>',
        subject: 'Welcome to us',
        html: '<p>Dear&nbsp;<b>Grace</b></p>',
      },
      { user: 'ada', to: 'linus@example.com', subject: 'Bye', text: 'Dear Linus' },
    ],
  });

  for (const sandbox of [emulator, connect(emulator.url)]) {
    expect((await sandbox.expectEmail({ to: 'hopper', subject: 'welcome' })).subject).toBe('Welcome to us');
    expect((await sandbox.emails({ text: 'dear grace' })).map(({ subject }) => subject)).toEqual(['Welcome to us']);
    await expect(async () => await sandbox.expectEmail({ to: 'hopper', subject: 'bye' })).rejects.toThrow(
      /expected at least one email with to "hopper" with subject "bye", but there were 0 of 2 in all\.\nNear misses:/,
    );
  }
  const { body } = await as(emulator).get('/_emulator/emails').query({ subject: 'BY' }).expect(200);
  expect(body).toMatchObject([{ subject: 'Bye', links: [], codes: [] }]);
});

const ACTIONS: [string, Partial<Record<'subject' | 'text' | 'html', string>>, [string, string][], string[]][] = [
  ['nothing', {}, [], []],
  [
    'links of HTML with their entities, each once',
    {
      html: '<a class="b>" HREF = "https://a.example/?x=1&amp;y&#x3D;2">Sign\n <b>in</b></a> <a href=https://a.example/?x=1&y=2>again</a>',
    },
    [['https://a.example/?x=1&y=2', 'again']],
    [],
  ],
  [
    'links whose protocol a person may follow',
    { html: `<a href="javascript:x()">a</a><a href='data:x'>b</a><a href="/c">c</a><a href='mailto:a@b.example'></a>` },
    [['mailto:a@b.example', 'mailto:a@b.example']],
    [],
  ],
  [
    'no links of comments, scripts and styles',
    {
      html: '<!-- <a href="https://a.example">a</a> --><script>"<a href=\'https://b.example\'>" // code 1234</script><style>a { color: #123456 }</style>',
    },
    [],
    [],
  ],
  [
    'addresses of a text, without punctuation',
    { text: 'Go to https://a.example/x?code=123456, or (https://b.example/).', html: '<p>or http://c.example</p>' },
    ['https://a.example/x?code=123456', 'https://b.example/', 'http://c.example'].map((url) => [url, url]),
    [],
  ],
  ['six digits', { subject: '123456 for you', text: 'Again: 123456.' }, [], ['123456']],
  [
    'digits next to a word',
    { text: 'Your code is 4711.\nPIN: 12345678\n2024 is not one; 9876 is your passcode' },
    [],
    ['4711', '12345678', '9876'],
  ],
  [
    'groups and letters',
    { text: 'code: 123 456, or the code K7QX-92LM; password A1B2C3' },
    [],
    ['123456', 'K7QX-92LM', 'A1B2C3'],
  ],
  ['codes of HTML alone', { html: '<p>Your login code</p><h1>86<b>75</b></h1><td>30&#57;0</td>' }, [], ['8675']],
  [
    'no prices, colors, dates and numbers of orders',
    { text: 'Pay $123456 or 123456.78 by 2026-01-02 for order 20240611, #123456' },
    [],
    [],
  ],
];

test.each(ACTIONS)('has %s', async (_, parts, links, codes) => {
  const emulator = await emulate({ ...fixtures, emails: [{ user: 'ada', to: 'x@example.com', ...parts }] });

  const [email] = emulator.emails();
  expect(email?.links).toStrictEqual(links.map(([url, text]) => ({ url, text })));
  expect(email?.codes).toStrictEqual(codes);
});

test('links and codes of hostile texts take linear time', async () => {
  const parts = ['<a href="', '<a ', '<!--', '&', 'href = ', 'code ', 'A-', '1', '<script>', 'http://', 'K7-', '<p>'];
  const emails = parts.map((part) => ({
    user: 'ada',
    to: 'x@example.com',
    text: part.repeat(50_000),
    html: part.repeat(50_000),
  }));
  const emulator = await emulate({ ...fixtures, emails });

  const { user } = process.cpuUsage();
  expect(emulator.emails()).toHaveLength(parts.length);
  // Quadratic time would be minutes.
  expect(process.cpuUsage().user - user).toBeLessThan(10_000_000);
});

test.each([
  ['<>', '<>'],
  [' ', ' '],
  ['Ada < >', 'Ada < >'],
  [{ email: 'Ada <ada@example.com>' }, { email: 'Ada <ada@example.com>', name: null }],
])('the address %j is exported as it was sent, and loaded again', async (bcc, exported) => {
  const emulator = await emulate(fixtures);
  await send(emulator, { text: 'x', bcc }).expect(202);

  const state = emulator.state();
  expect(state.emails?.[0]?.bcc).toEqual([exported]);
  expect((await emulate(state)).state()).toEqual(state);
});
