import { expect, test } from 'vitest';
import type { Fixtures } from '../../src/index.js';
import { as, emulate } from '../support/emulate.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';

const fixtures: Fixtures = {
  users: [{ username: 'ada' }],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: '1', type: 'http' },
    { author: 'ada', name: 'follower', code: "import 'https://esm.town/v/ada/hello';" },
  ],
  runs: [{ val: 'ada/hello', error: { message: 'boom', val: 'ada.hello' }, logs: ['never shown in a list'] }],
  likes: [{ user: 'ada', val: 'ada/hello' }],
  comments: [{ author: 'ada', val: 'ada/hello', comment: 'Hm' }],
};

const BASIC = 'author code createdAt id links name privacy public type url version';
const EXTENDED =
  'author code createdAt id likeCount links name privacy public readme referenceCount type url version versionCreatedAt';

/** Sorted keys of each object in an answer. Clients that decode strictly refuse one more and one less. */
const SHAPES: [path: string, keys: Record<string, string>][] = [
  ['/v1/me', { '': 'bio email id links profileImageUrl tier url username', links: 'self' }],
  [
    '/v1/me/runs',
    {
      '': 'data links',
      'data.0': 'error id parentId runEndAt runStartAt val',
      'data.0.val': 'author author_id id name privacy public username version',
      'data.0.val.author': 'id username',
      links: 'self',
    },
  ],
  [
    '/v1/me/likes',
    {
      '': 'data links',
      'data.0': BASIC,
      'data.0.links': 'endpoint module self versions',
      'data.0.author': 'id username',
      links: 'self',
    },
  ],
  [
    '/v1/me/comments',
    {
      '': 'data links',
      'data.0': 'author comment createdAt id val',
      'data.0.author': 'id username',
      'data.0.val': 'author id name privacy version',
      'data.0.val.author': 'id username',
      links: 'self',
    },
  ],
  [
    '/v1/me/references',
    {
      '': 'data links',
      'data.0': 'dependsOn reference referencedAt',
      'data.0.reference': 'author_id id name username',
      'data.0.dependsOn': 'author_id id name username',
      links: 'self',
    },
  ],
  [`/v1/vals/${HELLO}`, { '': EXTENDED, links: 'endpoint module self versions', author: 'id username' }],
  [`/v1/vals/${HELLO}/versions`, { '': 'data links', 'data.0': 'createdAt val_id version', links: 'self' }],
  [`/v1/vals/${HELLO}/versions/0`, { '': EXTENDED, links: 'endpoint module self versions', author: 'id username' }],
  [
    `/v1/vals/${HELLO}/runs`,
    {
      '': 'data links',
      'data.0': 'error id parentId runEndAt runStartAt val',
      'data.0.val': 'author author_id id name privacy public username version',
      'data.0.val.author': 'id username',
      links: 'self',
    },
  ],
];

test.each(SHAPES)('GET %s answers with exactly these keys', async (path, keys) => {
  const response = await as(await emulate(fixtures), 'ada').get(path);

  for (const [place, expected] of Object.entries(keys)) {
    expect(keysAt(response.body, place), place).toBe(expected);
  }
});

test.each([
  ['post', '/v1/vals', { code: '1', type: 'email' }],
  ['put', '/v1/vals', { name: 'fresh', code: '1' }],
  ['post', `/v1/vals/${HELLO}/versions`, { code: '1', type: 'script' }],
] as const)('%s %s answers with exactly the keys of a val', async (method, path, body) => {
  const response = await as(await emulate(fixtures), 'ada')
    [method](path)
    .send(body);

  expect(keysAt(response.body, '')).toBe(EXTENDED);
  expect(keysAt(response.body, 'links')).toBe('module self versions');
  expect(keysAt(response.body, 'author')).toBe('id username');
});

function keysAt(body: object, place: string): string {
  const at = place === '' ? body : place.split('.').reduce((value: object, key) => Reflect.get(value, key), body);
  return Object.keys(at).sort().join(' ');
}
