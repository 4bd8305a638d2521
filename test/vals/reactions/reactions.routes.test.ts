import { describe, expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { as, emulate, NOW } from '../../support/emulate.js';

const ADA = 'ada00000-0000-4000-8000-000000000001';
const BOB = 'b0b00000-0000-4000-8000-000000000002';
const HELLO = '4e110000-0000-4000-8000-000000000001';
const TOOL = '70010000-0000-4000-8000-000000000002';
const [R1, R2, R3, R4] = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
const IMPORT = "import { hello } from 'https://esm.town/v/ada/hello';";

const users = [{ username: 'ada', id: ADA }, { username: 'bob', id: BOB }, { username: 'cleo' }];

describe('GET /v1/me/likes', () => {
  const fixtures: Fixtures = {
    users,
    vals: [
      { author: 'bob', name: 'counter', id: R1, code: '1' },
      { author: 'bob', name: 'site', id: R2, code: '1' },
      { author: 'ada', name: 'mine', id: R3, code: '2', privacy: 'private' },
      { author: 'bob', name: 'draft', id: R4, code: '3', privacy: 'unlisted' },
    ],
    likes: [
      { user: 'ada', val: 'bob/site', createdAt: '2024-03-02T00:00:00Z' },
      { user: 'ada', val: 'ada/mine', createdAt: '2024-03-03T00:00:00Z' },
      { user: 'ada', val: 'bob/counter', createdAt: '2024-03-01T00:00:00Z' },
      { user: 'bob', val: 'bob/draft', createdAt: '2024-03-04T00:00:00Z' },
    ],
  };
  const list = async (emulator: Awaited<ReturnType<typeof emulate>>) => {
    const { body } = await as(emulator, 'ada').get('/v1/me/likes');
    return body.data.map(({ id }: { id: string }) => id);
  };

  test('lists the latest like first', async () => {
    expect(await list(await emulate(fixtures))).toStrictEqual([R3, R2, R1]);
  });

  test('sorts likes of the same time by the id of the val', async () => {
    const likes = ['ada/mine', 'bob/counter', 'bob/site'].map((val) => ({ user: 'ada', val, createdAt: NOW }));

    expect(await list(await emulate({ ...fixtures, likes }))).toStrictEqual([R1, R2, R3]);
  });
});

describe('GET /v1/me/comments', () => {
  const fixtures: Fixtures = {
    users,
    vals: [
      { author: 'ada', name: 'hello', id: HELLO, code: '1', version: 3 },
      { author: 'bob', name: 'tool', id: TOOL, code: '0', privacy: 'unlisted' },
    ],
    comments: [
      { id: R2, author: 'ada', val: 'bob/tool', comment: 'Neat!', createdAt: '2024-02-02T00:00:00Z' },
      { id: R1, author: 'bob', val: 'ada/hello', comment: 'How does *this* work?', createdAt: '2024-02-01T00:00:00Z' },
      { id: R3, author: 'ada', val: 'ada/hello', comment: 'Like this.', createdAt: '2024-02-03T00:00:00Z' },
      { id: R4, author: 'cleo', val: 'bob/tool', comment: 'Me too', createdAt: '2024-02-04T00:00:00Z' },
    ],
  };
  const ada = { id: ADA, username: 'ada' };
  const bob = { id: BOB, username: 'bob' };
  const hello = { name: 'hello', id: HELLO, version: 3, privacy: 'public', author: ada };
  const tool = { name: 'tool', id: TOOL, version: 0, privacy: 'unlisted', author: bob };
  const day = (n: number) => `2024-02-0${n}T00:00:00.000Z`;
  const question = { comment: 'How does *this* work?', id: R1, createdAt: day(1), author: bob, val: hello };
  const praise = { comment: 'Neat!', id: R2, createdAt: day(2), author: ada, val: tool };
  const reply = { comment: 'Like this.', id: R3, createdAt: day(3), author: ada, val: hello };

  test.each([
    ['given', [reply, praise]],
    ['received', [reply, question]],
    ['any', [reply, praise, question]],
  ])('relationship=%s lists these comments, the newest first', async (relationship, expected) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada').get(`/v1/me/comments?relationship=${relationship}`);

    expect(response.body).toStrictEqual({
      data: expected,
      links: { self: `${emulator.url}/v1/me/comments?relationship=${relationship}&limit=20&offset=0` },
    });
  });

  test('hides comments on a private val from all but its author', async () => {
    const emulator = await emulate(fixtures);
    const body = { code: '2', name: 'goodbye', privacy: 'private' };
    await as(emulator, 'ada').post(`/v1/vals/${HELLO}/versions`).send(body).expect(201);

    const theirs = await as(emulator, 'bob').get('/v1/me/comments?relationship=given');
    const own = await as(emulator, 'ada').get('/v1/me/comments?relationship=received&limit=1');

    expect(theirs.body.data).toStrictEqual([]);
    const val = { ...hello, name: 'goodbye', version: 4, privacy: 'private' };
    expect(own.body.data).toStrictEqual([{ ...reply, val }]);
  });
});

describe('GET /v1/me/references', () => {
  /** Makes fixtures with the val `hello` of Ada and a val of Bob with this code. */
  const withFollower = (code: string, privacy: 'public' | 'unlisted' = 'public'): Fixtures => ({
    users,
    vals: [
      { author: 'ada', name: 'hello', id: HELLO, code: 'export const hello = 1;', createdAt: '2024-01-01T00:00:00Z' },
      { author: 'bob', name: 'follower', id: TOOL, code, privacy, createdAt: '2024-01-02T00:00:00Z' },
    ],
  });
  const reference = (referencedAt: string) => ({
    reference: { id: TOOL, username: 'bob', author_id: BOB, name: 'follower' },
    dependsOn: { id: HELLO, username: 'ada', author_id: ADA, name: 'hello' },
    referencedAt,
  });
  const list = async (emulator: Awaited<ReturnType<typeof emulate>>, user = 'ada') =>
    (await as(emulator, user).get('/v1/me/references')).body.data;

  test.each(['hello', 'HELLO?v=0'])('lists an import of %s, with its time', async (name) => {
    const emulator = await emulate(withFollower(`import 'https://esm.town/v/Ada/${name}';`));

    expect(await list(emulator)).toStrictEqual([reference('2024-01-02T00:00:00.000Z')]);
    expect(await list(emulator, 'bob')).toStrictEqual([]);
  });

  test('lists each pair of vals, the newest import first', async () => {
    const code = "import 'https://esm.town/v/ada/one'; import 'https://esm.town/v/ada/two';";
    const emulator = await emulate({
      users,
      vals: [
        { author: 'ada', name: 'one', code: '1' },
        { author: 'ada', name: 'two', code: "import 'https://esm.town/v/ada/one';", createdAt: '2024-01-01T00:00:00Z' },
        { author: 'bob', name: 'both', code, createdAt: '2024-01-02T00:00:00Z' },
      ],
    });

    expect(await list(emulator)).toMatchObject([
      { reference: { name: 'both' }, dependsOn: { name: 'one' }, referencedAt: '2024-01-02T00:00:00.000Z' },
      { reference: { name: 'both' }, dependsOn: { name: 'two' }, referencedAt: '2024-01-02T00:00:00.000Z' },
      { reference: { name: 'two' }, dependsOn: { name: 'one' }, referencedAt: '2024-01-01T00:00:00.000Z' },
    ]);
  });

  test('follows the latest version of the importing val', async () => {
    const emulator = await emulate(withFollower('1'));
    const bob = as(emulator, 'bob');
    const add = (code: string) => bob.post(`/v1/vals/${TOOL}/versions`).send({ code }).expect(201);

    await add(IMPORT);
    expect(await list(emulator)).toStrictEqual([reference(NOW)]);
    await add('2');
    expect(await list(emulator)).toStrictEqual([]);
    // Version 1 is the latest again.
    await bob.delete(`/v1/vals/${TOOL}/versions/2`).expect(204);
    expect(await list(emulator)).toStrictEqual([reference(NOW)]);
    await add('3');
    await bob.delete(`/v1/vals/${TOOL}/versions/0`).expect(204);
    expect(await list(emulator)).toStrictEqual([]);
  });

  test("hides another user's unlisted importer", async () => {
    expect(await list(await emulate(withFollower(IMPORT, 'unlisted')))).toStrictEqual([]);
  });

  test('lists private vals for their author', async () => {
    const privacy = 'private';
    const vals = [
      { author: 'ada', name: 'hello', code: '1', privacy },
      { author: 'ada', name: 'notes', code: IMPORT, privacy },
    ] as const;

    expect(await list(await emulate({ users, vals: [...vals] }))).toMatchObject([
      { reference: { name: 'notes' }, dependsOn: { name: 'hello' } },
    ]);
  });

  test.each([
    ['public', 2],
    ['private', 2],
  ] as const)('referenceCount of a %s val counts other public vals, for all callers', async (privacy, count) => {
    const emulator = await emulate({
      users,
      vals: [
        { author: 'ada', name: 'hello', id: HELLO, code: IMPORT, privacy },
        { author: 'ada', name: 'own', code: IMPORT },
        { author: 'bob', name: 'public', code: IMPORT },
        { author: 'bob', name: 'unlisted', code: IMPORT, privacy: 'unlisted' },
        { author: 'bob', name: 'private', code: IMPORT, privacy: 'private' },
      ],
    });

    for (const user of privacy === 'private' ? ['ada'] : [undefined, 'ada', 'bob']) {
      const response = await as(emulator, user).get(`/v1/vals/${HELLO}`);
      expect(response.body.referenceCount).toBe(count);
    }
  });
});
