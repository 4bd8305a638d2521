import * as fc from 'fast-check';
import { batch, statement } from './databases.js';
import {
  commentQuery,
  index,
  type Late,
  maybe,
  pick,
  plain,
  runQuery,
  type Scene,
  searchQuery,
  weighted,
  windowed,
} from './queries.js';
import type { Json, Val } from './records.js';
import { importing, NAMES, USERNAMES } from './seed.js';

interface Draft {
  readonly method: string;
  readonly target: string;
  readonly body?: string | undefined;
  readonly contentType?: string | undefined;
}
export type Drafter = (scene: Scene) => Draft;
const UNKNOWN = '99999999-9999-4999-9999-999999999999';
const idFrom = (ids: (scene: Scene) => readonly string[]) =>
  weighted<Late<string>>(
    [12, index.map((n) => (scene) => pick(ids(scene), n) ?? UNKNOWN)],
    [1, index.map((n) => (scene) => (pick(ids(scene), n) ?? UNKNOWN).toUpperCase())],
    [1, fc.constantFrom(UNKNOWN, 'beta', '%61', `${UNKNOWN}0`).map((id) => () => id)],
  );
const ownVals = ({ state, caller }: Scene) => state.vals.filter(({ author }: Val) => author.id === caller?.id);
const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
const valId = weighted<Late<string>>(
  [3, idFrom((scene) => ids(ownVals(scene)))],
  [3, idFrom(({ state }) => ids(state.vals))],
  [1, idFrom(({ everVals }) => everVals)],
);
const runId = weighted<Late<string>>(
  [3, idFrom(({ state }) => ids(state.runs))],
  [1, idFrom(({ everRuns }) => everRuns)],
);
const userId = idFrom(({ state }) => ids(state.users));
const username = weighted<Late<string>>(
  [
    6,
    index.map(
      (n) =>
        ({ state }) =>
          pick(state.users, n)?.username ?? 'nobody',
    ),
  ],
  [1, fc.constantFrom('@Ada', 'GRACE', '%40linus', 'nobody', '@', 'l%69nus').map((name) => () => name)],
);
const swapCase = (name: string) =>
  [...name].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');
export const goodName = fc.oneof(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES).map(swapCase));
const valName = weighted<Late<string>>(
  [2, goodName.map((name) => () => name)],
  [
    2,
    index.map(
      (n) =>
        ({ state }) =>
          swapCase(pick(state.vals, n)?.name ?? 'alpha'),
    ),
  ],
);
/** `user/name` of a val that there is, in other letters. */
const valPath = index.map(
  (n): Late<string> =>
    ({ state }) => {
      const val = pick(state.vals, n);
      return `${val?.author.username ?? 'nobody'}/${n % 2 === 0 ? val?.name : swapCase(val?.name ?? 'alpha')}`;
    },
);
export const code = weighted(
  [3, fc.tuple(fc.constantFrom(...USERNAMES, 'ADA', '@linus', 'nobody'), goodName).map(([u, n]) => importing(u, n))],
  [
    1,
    fc
      .tuple(fc.constantFrom(...USERNAMES), goodName)
      .map(([u, n]) => `export * from 'https://esm.town/v/${u}/${n}?v=2'`),
  ],
  [
    1,
    fc.tuple(fc.constantFrom(...USERNAMES), goodName).map(([u, n]) => `await import("https://esm.town/v/${u}/${n}")`),
  ],
  [1, fc.tuple(fc.constantFrom(...USERNAMES), goodName).map(([u, n]) => `// ${importing(u, n)}`)],
  [1, goodName.map((name) => `const text = "https://esm.town/v/ada/${name}";`)],
  [1, goodName.map((name) => importing('grace/beta', name))],
  [
    2,
    fc.constantFrom(
      'export const dice = 6;',
      'Dice',
      ' ',
      '🎲',
      `${importing('ada', 'alpha')}\n${importing('Grace', 'beta')}`,
    ),
  ],
);

// Bodies: fields with at most one that does not fit, and what is not an object at all.

const BAD_FIELDS: readonly (readonly [string, unknown])[] = [
  ...[[], {}, '', '1a', 'a-b', 'é', 'n'.repeat(49), ' a'].map((value) => ['name', value] as const),
  ...[['a', 'b'], {}, ''].map((value) => ['code', value] as const),
  ...[{}, 'r'.repeat(8_193)].map((value) => ['readme', value] as const),
  ...['Public', '', 'open'].map((value) => ['privacy', value] as const),
  ...['interval', 'HTTP', ''].map((value) => ['type', value] as const),
];
const settings = fc.record(
  {
    name: goodName,
    readme: fc.constantFrom('', '# Dice', 'Nice 🎲', 'r'.repeat(8_192)),
    privacy: fc.constantFrom('public', 'unlisted', 'private'),
    type: fc.constantFrom('httpnext', 'http', 'script', 'email'),
    valId: fc.constant(UNKNOWN),
  },
  { requiredKeys: [] },
);
const JSON_TYPE = 'application/json';
type Body = Pick<Draft, 'body' | 'contentType'>;
const json = (value: unknown): Body => ({ body: JSON.stringify(value), contentType: JSON_TYPE });
const bodyFrom = (fields: fc.Arbitrary<Json>): fc.Arbitrary<Body> =>
  weighted(
    [24, fields.map(json)],
    [
      4,
      fc.tuple(fields, fc.constantFrom(...BAD_FIELDS)).map(([good, [field, bad]]) => json({ ...good, [field]: bad })),
    ],
    [1, fc.constantFrom<Body>({}, { contentType: JSON_TYPE }, json(null), json([]), json('code'), json(5))],
    [
      1,
      fc.constantFrom<Body>(
        { body: '{"code":', contentType: JSON_TYPE },
        { body: '{"code":"x"}', contentType: 'text/plain' },
      ),
    ],
  );
const newCode = bodyFrom(
  fc.tuple(settings, maybe(code, 12)).map(([rest, text]) => ({ ...rest, ...(text && { code: text }) })),
);
const settingsOnly = bodyFrom(settings.map((rest) => ({ ...rest, code: 'ignored' })));
const nameAndCode = bodyFrom(
  fc
    .tuple(maybe(goodName, 12), maybe(code, 12))
    .map(([name, text]) => ({ privacy: 'public', ...(name && { name }), ...(text && { code: text }) })),
);
/** Too large for the service, or just not. Rare, as such a body takes as long as a hundred others. */
const hugeCode = fc
  .constantFrom(256_000, 256_001, 1_048_565, 1_048_600)
  .map((length) => json({ code: 'x'.repeat(length) }));

const versionNumber = weighted([9, fc.nat(5).map(String)], [1, fc.constantFrom('-1', 'one', '1.5', '99')]);

/** A request from its method, its path and what comes late. `{}` stands for the next of `parts`. */
const to = (
  method: string,
  path: string,
  parts: readonly fc.Arbitrary<Late<string>>[] = [],
  {
    search = fc.constant<Late<string>>(() => ''),
    body = fc.constant<Body>({}),
  }: { search?: typeof plain; body?: fc.Arbitrary<Body> } = {},
): fc.Arbitrary<Drafter> =>
  fc.tuple(fc.tuple(...parts), search, body, fc.nat(11)).map(([late, after, sent, slash]) => (scene) => {
    const values = late.map((each) => each(scene));
    const filled = path.replaceAll('{}', () => values.shift() ?? '');
    return { method, target: `${filled}${slash === 0 ? '/' : ''}${after(scene)}`, ...sent };
  });
/** `id/versions/number` of a version that there is, mostly of a val with several. */
const versionPath = index.map(
  (n): Late<string> =>
    (scene) => {
      const own = ownVals(scene).filter(({ versions }) => versions.length > 1);
      const vals = own.length > 0 ? own : scene.state.vals;
      const all = vals.flatMap(({ id, versions }) => versions.map((each) => `${id}/versions/${each.version}`));
      return pick(all.reverse(), n) ?? `${UNKNOWN}/versions/0`;
    },
);
/** `id/evaluations/run` of a run of a val, an unfinished one if there is one. */
const runPath = index.map(
  (n): Late<string> =>
    ({ state }) => {
      const open = state.runs.filter(({ end }) => end === null);
      const run = pick(open.length > 0 ? open : state.runs, n);
      return `${run?.val ?? UNKNOWN}/evaluations/${run?.id ?? UNKNOWN}`;
    },
);
const version = versionNumber.map(
  (text): Late<string> =>
    () =>
      text,
);
const read = fc.constantFrom('GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD');
const get = (...[path, parts, search]: [string, fc.Arbitrary<Late<string>>[]?, typeof plain?]) =>
  read.chain((method) => to(method, path, parts, search && { search }));

const blobKey = fc.constantFrom('a', 'a%2Fb', 'b').map(
  (key): Late<string> =>
    () =>
      key,
);

/** A request to any route, or to none. */
export const anyRequest: fc.Arbitrary<Drafter> = weighted(
  [6, to('POST', '/v1/vals', [], { body: newCode })],
  [4, to('PUT', '/v1/vals', [], { body: nameAndCode })],
  [4, to('PUT', '/v1/vals/{}', [valId], { body: settingsOnly })],
  [6, to('POST', '/v1/vals/{}/versions', [valId], { body: newCode })],
  [3, to('DELETE', '/v1/vals/{}', [valId], { body: fc.constantFrom<Body>({}, { contentType: JSON_TYPE }) })],
  [2, to('DELETE', '/v1/vals/{}/versions/{}', [valId, version])],
  [4, to('DELETE', '/v1/vals/{}', [versionPath])],
  [1, get('/v1/me')],
  [3, get('/v1/me/runs', [], runQuery)],
  [3, get('/v1/me/likes', [], plain)],
  [3, get('/v1/me/comments', [], commentQuery)],
  [4, get('/v1/me/references', [], windowed)],
  [4, get('/v1/vals/{}', [valId])],
  [2, get('/v1/vals/{}/versions', [valId], plain)],
  [1, get('/v1/vals/{}/versions/{}', [valId, version], plain)],
  [3, get('/v1/vals/{}', [versionPath], plain)],
  [2, get('/v1/vals/{}/runs', [valId], runQuery)],
  [2, get('/v1/runs/{}', [runId])],
  [2, to('POST', '/v1/vals/{}/evaluations/{}/cancel', [valId, runId])],
  [2, to('POST', '/v1/vals/{}/cancel', [runPath])],
  [3, get('/v1/users/{}/vals', [userId], plain)],
  [3, get('/v1/search/vals', [], searchQuery)],
  [1, get('/v1/users/{}', [userId])],
  [1, get('/v1/alias/{}', [username])],
  [1, get('/v1/alias/{}/{}', [username, valName])],
  [3, get('/v1/alias/{}', [valPath])],
  [
    1,
    fc
      .constantFrom('/v1/eval/x', '/v2/me', '/v1/blob/x', '/v1/run/ada.alpha', '/v1', '/v1/me/none')
      .map((target) => () => ({ method: 'GET', target })),
  ],
  [3, to('POST', '/v1/blob/{}', [blobKey], { body: fc.constantFrom({ body: '{"a":1}' }, { body: '"ä"' }) })],
  [2, get('/v1/blob/{}', [blobKey])],
  [1, to('DELETE', '/v1/blob/{}', [blobKey])],
  [1, get('/v1/blob')],
  [1, to('POST', '/v1/email', [], { body: fc.constant(json({ html: '' })) })],
  [5, to('POST', '/v1/sqlite/execute', [], { body: statement.map((each) => json({ statement: each })) })],
  [3, to('POST', '/v1/sqlite/batch', [], { body: batch.map((statements) => json({ statements })) })],
  [1, to('PATCH', '/v1/vals/{}', [valId])],
);
/** Requests whose code is at the limits of the service. */
export const hugeRequest = to('POST', '/v1/vals', [], { body: hugeCode });
