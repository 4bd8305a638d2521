import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate, NOW } from '../support/emulate.js';
import { valNotFound } from '../support/errors.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const BOB = 'b0b00000-0000-4000-8000-000000000002';
const HELLO = '4e110000-0000-4000-8000-000000000001';
const USER_OF_HELLO = 'f0110000-0000-4000-8000-000000000002';
const IMPORT = "import { hello } from 'https://esm.town/v/ada/hello';";

/** Ada's `hello` and Bob's `follower`, whose code is given. */
const withFollower = (code: string, privacy: 'public' | 'unlisted' | 'private' = 'public'): Fixtures => ({
  users: [
    { username: 'ada', id: ADA },
    { username: 'bob', id: BOB },
  ],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: 'export const hello = 1;', createdAt: '2024-01-01T00:00:00Z' },
    { author: 'bob', name: 'follower', id: USER_OF_HELLO, code, privacy, createdAt: '2024-01-02T00:00:00Z' },
  ],
});

const reference = (referencedAt: string) => ({
  reference: { id: USER_OF_HELLO, username: 'bob', author_id: BOB, name: 'follower' },
  dependsOn: { id: HELLO, username: 'ada', author_id: ADA, name: 'hello' },
  referencedAt,
});

describe('what counts as an import', () => {
  test.each([
    ['a static import', IMPORT],
    ['a bare import', 'import "https://esm.town/v/ada/hello"'],
    ['a namespace import', 'import * as everything from "https://esm.town/v/ada/hello";'],
    ['an import over several lines', "import {\n  hello,\n  goodbye,\n} from\n  'https://esm.town/v/ada/hello';"],
    ['a type import', "import type { Hello } from 'https://esm.town/v/ada/hello';"],
    ['a dynamic import', "const { hello } = await import('https://esm.town/v/ada/hello');"],
    ['a dynamic import in a template string', 'const { hello } = await import(`https://esm.town/v/ada/hello`);'],
    ['a re-export', "export { hello } from 'https://esm.town/v/ada/hello';"],
    ['a re-export of everything', 'export * from "https://esm.town/v/ada/hello";'],
    ['a pinned import', "import { hello } from 'https://esm.town/v/ada/hello?v=0';"],
    ['an import in other letters', "import { hello } from 'https://esm.town/v/Ada/HELLO';"],
    ['an import that stands twice', `${IMPORT}\n${IMPORT}`],
    ['an import after a comment', `/* https://esm.town */ // see above\n${IMPORT}`],
  ])('%s is a reference', async (_, code) => {
    const emulator = await emulate(withFollower(code));

    const response = await as(emulator, 'ada').get('/v1/me/references');

    expect(response.status).toBe(200);
    expect(response.body).toStrictEqual({
      data: [reference('2024-01-02T00:00:00.000Z')],
      links: { self: `${emulator.url}/v1/me/references?limit=20&offset=0` },
    });
  });

  test.each([
    ['a line comment', `// ${IMPORT}\nexport default 1;`],
    ['a block comment', `/*\n * ${IMPORT}\n */\nexport default 1;`],
    ['an address elsewhere', "import { hello } from 'https://esm.example/v/ada/hello';"],
    ['an import of another val', "import { hello } from 'https://esm.town/v/ada/hello2';"],
    ["an import of somebody else's val of that name", "import { hello } from 'https://esm.town/v/bob/hello';"],
  ])('%s is none', async (_, code) => {
    const response = await as(await emulate(withFollower(code)), 'ada').get('/v1/me/references');

    expect(response.body.data).toStrictEqual([]);
  });

  test('a val that imports itself does not depend on another', async () => {
    const code = "import { follower } from 'https://esm.town/v/bob/follower';";
    const emulator = await emulate(withFollower(code));

    const response = await as(emulator, 'bob').get('/v1/me/references');
    expect(response.body.data).toStrictEqual([]);
    const val = await as(emulator, 'bob').get(`/v1/vals/${USER_OF_HELLO}`);
    expect(val.body.referenceCount).toBe(0);
  });

  test('a val that imports two vals of the user is two references, one own val that imports another is one', async () => {
    const code = "import 'https://esm.town/v/ada/one'; import 'https://esm.town/v/ada/two';";
    const emulator = await emulate({
      users: [{ username: 'ada' }, { username: 'bob' }],
      vals: [
        { author: 'ada', name: 'one', code: '1' },
        { author: 'ada', name: 'two', code: "import 'https://esm.town/v/ada/one';", createdAt: '2024-01-01T00:00:00Z' },
        { author: 'bob', name: 'both', code, createdAt: '2024-01-02T00:00:00Z' },
      ],
    });

    const response = await as(emulator, 'ada').get('/v1/me/references');

    expect(response.body.data).toMatchObject([
      { reference: { name: 'both' }, dependsOn: { name: 'one' }, referencedAt: '2024-01-02T00:00:00.000Z' },
      { reference: { name: 'both' }, dependsOn: { name: 'two' }, referencedAt: '2024-01-02T00:00:00.000Z' },
      { reference: { name: 'two' }, dependsOn: { name: 'one' }, referencedAt: '2024-01-01T00:00:00.000Z' },
    ]);
  });
});

describe('references follow the code', () => {
  test('a new version that imports adds one, dated by that version', async () => {
    const emulator = await emulate(withFollower('export default 1;'));
    await as(emulator, 'bob').post(`/v1/vals/${USER_OF_HELLO}/versions`).send({ code: IMPORT }).expect(201);

    const response = await as(emulator, 'ada').get('/v1/me/references');

    expect(response.body.data).toStrictEqual([reference(NOW)]);
  });

  test('a new version that no longer imports removes it', async () => {
    const emulator = await emulate(withFollower(IMPORT));
    await as(emulator, 'bob').put('/v1/vals').send({ name: 'follower', code: 'export default 1;' }).expect(200);

    const response = await as(emulator, 'ada').get('/v1/me/references');

    expect(response.body.data).toStrictEqual([]);
  });

  test('without the latest version, the one before it decides again', async () => {
    const emulator = await emulate(withFollower(IMPORT));
    await as(emulator, 'bob').post(`/v1/vals/${USER_OF_HELLO}/versions`).send({ code: '1' }).expect(201);
    await as(emulator, 'bob').delete(`/v1/vals/${USER_OF_HELLO}/versions/1`).expect(204);

    const response = await as(emulator, 'ada').get('/v1/me/references');

    expect(response.body.data).toStrictEqual([reference('2024-01-02T00:00:00.000Z')]);
  });

  test('an older version that imported does not count', async () => {
    const emulator = await emulate(withFollower('1'));
    await as(emulator, 'bob').post(`/v1/vals/${USER_OF_HELLO}/versions`).send({ code: IMPORT }).expect(201);
    await as(emulator, 'bob').post(`/v1/vals/${USER_OF_HELLO}/versions`).send({ code: '2' }).expect(201);
    await as(emulator, 'bob').delete(`/v1/vals/${USER_OF_HELLO}/versions/0`).expect(204);

    const response = await as(emulator, 'ada').get('/v1/me/references');

    expect(response.body.data).toStrictEqual([]);
  });

  test.each([
    ['imports', 'bob', USER_OF_HELLO],
    ['is imported', 'ada', HELLO],
  ])('a val that %s takes the reference along when it is deleted', async (_, author, id) => {
    const emulator = await emulate(withFollower(IMPORT));
    await as(emulator, author).delete(`/v1/vals/${id}`).expect(204);

    const response = await as(emulator, 'ada').get('/v1/me/references');

    expect(response.body.data).toStrictEqual([]);
  });

  test('a val made after the one that imports it is depended on all the same', async () => {
    const emulator = await emulate(withFollower("import 'https://esm.town/v/ada/later';"));
    const later = await as(emulator, 'ada').post('/v1/vals').send({ name: 'later', code: '1' }).expect(200);

    const response = await as(emulator, 'ada').get('/v1/me/references');

    expect(later.body.referenceCount).toBe(1);
    expect(response.body.data).toStrictEqual([
      {
        reference: { id: USER_OF_HELLO, username: 'bob', author_id: BOB, name: 'follower' },
        dependsOn: { id: later.body.id, username: 'ada', author_id: ADA, name: 'later' },
        referencedAt: '2024-01-02T00:00:00.000Z',
      },
    ]);
  });

  test('newest first, and cut to a window', async () => {
    const emulator = await emulate({
      users: [{ username: 'ada' }, { username: 'bob' }],
      vals: [
        { author: 'ada', name: 'hello', code: '1' },
        { author: 'bob', name: 'second', code: IMPORT, createdAt: '2024-01-02T00:00:00Z' },
        { author: 'bob', name: 'third', code: IMPORT, createdAt: '2024-01-03T00:00:00Z' },
        { author: 'bob', name: 'first', code: IMPORT, createdAt: '2024-01-01T00:00:00Z' },
      ],
    });

    const all = await as(emulator, 'ada').get('/v1/me/references');
    expect(all.body.data).toMatchObject(['third', 'second', 'first'].map((name) => ({ reference: { name } })));
    const window = 'since=2024-01-01T00:00:00Z&until=2024-01-02T00:00:00Z';
    const some = await as(emulator, 'ada').get(`/v1/me/references?${window}`);
    expect(some.body.data).toMatchObject([{ reference: { name: 'second' } }]);
  });
});

describe('who sees what', () => {
  test.each(['unlisted', 'private'] as const)("somebody else's %s val is not listed", async (privacy) => {
    const response = await as(await emulate(withFollower(IMPORT, privacy)), 'ada').get('/v1/me/references');

    expect(response.body.data).toStrictEqual([]);
  });

  test('a val that is made private hides the reference', async () => {
    const emulator = await emulate(withFollower(IMPORT));
    const hidden = { code: IMPORT, privacy: 'private' };
    await as(emulator, 'bob').post(`/v1/vals/${USER_OF_HELLO}/versions`).send(hidden).expect(201);

    const response = await as(emulator, 'ada').get('/v1/me/references');

    expect(response.body.data).toStrictEqual([]);
    const unseen = await as(emulator, 'ada').get(`/v1/vals/${USER_OF_HELLO}`);
    expect(unseen.body).toStrictEqual(valNotFound);
  });

  test('own private vals are listed for their author', async () => {
    const emulator = await emulate({
      users: [{ username: 'ada' }],
      vals: [
        { author: 'ada', name: 'hello', code: '1', privacy: 'private' },
        { author: 'ada', name: 'notes', code: IMPORT, privacy: 'private' },
      ],
    });

    const response = await as(emulator, 'ada').get('/v1/me/references');

    expect(response.body.data).toMatchObject([{ reference: { name: 'notes' }, dependsOn: { name: 'hello' } }]);
  });

  test('references are to the own vals, not from them', async () => {
    const response = await as(await emulate(withFollower(IMPORT)), 'bob').get('/v1/me/references');

    expect(response.body.data).toStrictEqual([]);
  });
});

test('referenceCount counts the other public vals, whoever asks', async () => {
  const emulator = await emulate({
    users: [{ username: 'ada' }, { username: 'bob' }],
    vals: [
      { author: 'ada', name: 'hello', id: HELLO, code: IMPORT },
      { author: 'ada', name: 'own', code: IMPORT },
      { author: 'bob', name: 'open', code: IMPORT },
      { author: 'bob', name: 'halfOpen', code: IMPORT, privacy: 'unlisted' },
      { author: 'bob', name: 'closed', code: IMPORT, privacy: 'private' },
    ],
  });

  for (const user of [undefined, 'ada', 'bob']) {
    const response = await as(emulator, user).get(`/v1/vals/${HELLO}`);
    expect(response.body.referenceCount).toBe(2);
  }
});

test('referenceCount of a private val that imports itself takes nothing off', async () => {
  const emulator = await emulate({
    users: [{ username: 'ada' }, { username: 'bob' }],
    vals: [
      { author: 'ada', name: 'hello', id: HELLO, code: IMPORT, privacy: 'private' },
      { author: 'bob', name: 'open', code: IMPORT },
    ],
  });

  const response = await as(emulator, 'ada').get(`/v1/vals/${HELLO}`);

  expect(response.body.referenceCount).toBe(1);
});
