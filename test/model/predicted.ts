import { Rng } from '#engine/lib/rng.js';
import { BATCHED, STATEMENTS } from './databases.js';
import { importing, NAMES, START, USERNAMES } from './seed.js';
import type { Values } from './values.js';

const UNKNOWN = '99999999-9999-4999-9999-999999999999';
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const swapCase = (name: string) =>
  name.replaceAll(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
const minutesAgo = (minutes: number, shift: number) => new Date(START - minutes * 60_000 + shift).toISOString();

const names = [...NAMES, ...NAMES.map(swapCase)];
const users = [...USERNAMES, 'ADA', id(4), id(2), 'nobody', 'hopper'];
const vals = [...USERNAMES, 'ADA', id(4)].flatMap((user) => names.map((name) => `${user}/${name}`));
const modules = [...USERNAMES, 'ADA', '@linus', 'nobody'].flatMap((user) => names.map((name) => [user, name] as const));
const times = [0, 1, 12, 15, 20, 27, 29, 30, 57, 60].flatMap((minutes) =>
  [-1, 0, 0, 1].map((shift) => minutesAgo(minutes, shift)),
);
const ago = ['-0s', '-1m', '-90s', '-2h', minutesAgo(0, 0)];
const ids = [UNKNOWN, `${UNKNOWN}0`, 'beta'];
const versions = [0, 1, 2, 3, 4, 5, '-1', 'one', '1.5', 99];
const usernames = [...USERNAMES, ...USERNAMES, '@Ada', 'GRACE', '@linus', 'nobody', '@'];
const ROUTES = [
  'POST /v1/vals',
  'PUT /v1/vals',
  'POST /v1/vals/{val_id}/versions',
  'GET /v1/vals/{val_id}',
  'GET /nowhere',
];
const rng = new Rng('batches');

/** The keys and values that the model predicts the responses to. */
const values: Values = {
  ...{ val_id: ids, run_id: ids, evaluation_id: ids, user_id: ids, key: ['a', 'a/b', 'b'], val_name: names },
  ...{ 'getValVersion.version': versions, 'deleteValVersion.version': versions },
  ...{ 'getUserByName.username': usernames, 'getValByAlias.username': usernames },
  ...{ limit: [1, 1, 1, 1, 2, 2, 3, 20, 100, '02'], offset: [0, 1, 1, 1, 2, 5, 999], error: ['true', 'false'] },
  since: [...times, ...times.map((time) => time.toLowerCase()), ...times.map(toZone)],
  until: [...times, ...times.map((time) => time.replace('Z', '+00:00'))],
  ...{ source: ['api', 'ui,email'], relationship: ['any', 'given', 'received'] },
  query: ['alpha', 'ALPHA', 'a', 'dice', 'dice x', 'esm.town', '🎲', ' ', 'q'.repeat(512)],
  name: names,
  readme: ['', '# Dice', 'Nice 🎲', 'r'.repeat(8_192)],
  privacy: ['public', 'unlisted', 'private'],
  type: ['httpnext', 'http', 'script', 'email'],
  code: [
    ...modules.flatMap(([user, name]) => Array<string>(3).fill(importing(user, name))),
    ...modules.map(([user, name]) => `export * from 'https://esm.town/v/${user}/${name}?v=2'`),
    ...modules.map(([user, name]) => `await import("https://esm.town/v/${user}/${name}")`),
    ...modules.map(([user, name]) => `// ${importing(user, name)}`),
    ...names.map((name) => `const text = "https://esm.town/v/ada/${name}";`),
    ...['export const dice = 6;', 'Dice', ' ', '🎲', `${importing('ada', 'alpha')}\n${importing('Grace', 'beta')}`],
  ],
  ...{ user: users, author: users, val: [...vals, ...[10, 11, 12, 13, 14, 15, 16, 17].map(id)], createdAt: ago },
  ...{ 'addUser.username': ['hopper', 'HOPPER', 'turing', 'ada', 'a b', null, null], 'addUser.bio': ['Hi'] },
  'addUser.id': [4, 5, 6].map(id),
  ...{ 'addVal.type': ['interval', 'script'], 'addVal.version': [0, 1, 2, 3] },
  ...{ 'addRun.runStartAt': ago, 'addRun.source': ['api', 'email'], 'addRun.error': ['boom', { message: 'boom' }] },
  ...{ 'addRun.duration': ['2s'], comment: ['Nice'] },
  ...{ 'restoreSnapshot.name': ['one', 'a b', 'none'], 'dropSnapshot.name': ['none'], 'disarmFault.id': ['f99'] },
};

const bodies: Values = {
  addToken: users.flatMap((user) =>
    ['ada reads', 'ada-token', 'fresh-1', 'fresh-2'].flatMap((token) =>
      [['val:write'], ['user:read', 'val_r'], ['sqlite:write', 'email:write'], ['blob_rw'], []].map((scopes) => {
        return { user, token, scopes };
      }),
    ),
  ),
  reset: [{ confirm: true }],
  sendEmail: [{ html: '' }],
  storeBlob: ['{"a":1}', '"ä"'],
  executeSql: STATEMENTS.map((statement) => ({ statement })),
  batchSql: Array.from({ length: 80 }, () => ({
    statements: Array.from({ length: rng.int(0, 4) }, () => rng.pick(BATCHED)),
  })),
  changeClock: [
    ...[{ advance: '1s' }, { advance: '1m' }, { advance: 1 }, { advance: '1d' }, { advance: -1 }, { advance: 'soon' }],
    ...[{ set: minutesAgo(0, 0) }, { set: '2024-06-11T22:00:00Z' }],
    ...[{ freeze: true }, { freeze: '2024-06-11T22:06:00Z' }, { freeze: 'later' }],
  ],
  takeSnapshot: [{ name: 'one' }, { name: 'a b' }],
  rewind: [
    ...[1, 1, 2, 2, 3, 4].map((steps) => ({ steps })),
    ...Array.from({ length: 15 }, (_, i) => ({ before: `r${2 * i}` })),
  ],
  armFault: [
    ...ROUTES.flatMap((route) => [{ route }, { route, user: 'ada', after: 1 }]),
    ...['POST', 'PUT', 'DELETE'].map((method) => ({ method })),
    ...users.map((user) => ({ user })),
    ...[{}, { after: 1 }, { after: 2 }],
  ].flatMap((target) =>
    [
      ...[
        {},
        { status: 503 },
        { status: 429, headers: { 'Retry-After': '1' } },
        { status: 418, body: { short: true } },
      ],
      ...[{ headers: { 'x-why': 'a fault' } }, { delay: 0 }, { reset: true }],
    ].map((effect, i) => ({ ...target, ...effect, times: 1 + (i % 3) })),
  ),
};

/** The only values of the requests to the model. */
export const PREDICTED = { values, bodies };

/** Parameters that are refused. */
export const BAD_PARAMETERS = [
  ...['limit=0', 'limit=101', 'limit=', 'limit=x', 'limit=1.5', 'limit=2&limit=3', 'offset=-1', 'offset=x'],
  ...['since=', 'since=yesterday', 'until=2024-13-01T00:00:00Z', 'until=2024-06-11', 'error=maybe', 'error='],
  ...['relationship=all', 'relationship=', 'query=', `query=${'q'.repeat(513)}`],
];
/** Fields that are refused. */
export const BAD_FIELDS: readonly (readonly [key: string, value: unknown])[] = Object.entries({
  name: [[], {}, '', '1a', 'a-b', 'é', 'n'.repeat(49), ' a'],
  code: [['a', 'b'], {}, ''],
  readme: [{}, 'r'.repeat(8_193)],
  privacy: ['Public', '', 'open'],
  type: ['interval', 'HTTP', ''],
}).flatMap(([key, all]) => all.map((value) => [key, value] as const));
/** Targets of no route. */
export const NOWHERE = ['/v1/eval/x', '/v2/me', '/v1/run/ada.alpha', '/v1', '/v1/me/none'];

function toZone(time: string): string {
  return new Date(Date.parse(time) + 7_200_000).toISOString().replace('Z', '+02:00');
}
