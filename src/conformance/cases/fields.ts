import { type Case, type Check, chosen, operation, recorded, type Step, specified } from '../case.js';
import { addVersion, fields, make } from './new-val.js';
import { basicVal, commentVal, having, pageContaining, pageOf, pageWith, run, sameAs, user } from './schemas.js';

const RUN = 'GET /v1/runs/{run.id}';
const RUN_VAL = { id: '{mine.id}', name: '{mine.name}', privacy: '{mine.privacy}', public: '{mine.public}' };
const RUN_AUTHOR = { author: '{mine.author}', author_id: '{mine.author.id}', username: '{mine.author.username}' };
/** Checks of a list of runs. */
const sameRun = (target: string): Check[] => [
  {
    id: 'same-run',
    title: 'A run in the list has the values of the run by its id',
    arrange: [{ send: RUN, save: 'one' }],
    act: `GET ${target}?limit=100`,
    expect: { status: 200, body: pageContaining(sameAs('one', run)) },
  },
  {
    id: 'same-val',
    title: 'The val of a run has the values of the val by its id',
    arrange: [{ send: 'GET /v1/vals/{run.val.id}', save: 'mine' }],
    act: `GET ${target}?limit=100`,
    expect: { status: 200, body: pageWith({ id: '{run.id}', val: having({ ...RUN_VAL, ...RUN_AUTHOR }) }) },
  },
];

/** A val in a reference, with the values of a saved one. */
const referent = (name: string) =>
  having({
    id: `{${name}.id}`,
    name: `{${name}.name}`,
    author_id: `{${name}.author.id}`,
    username: `{${name}.author.username}`,
  });
const IMPORT: readonly Step[] = [
  { send: 'GET /v1/vals/{reference.reference.id}', save: 'importer' },
  { send: 'GET /v1/vals/{reference.dependsOn.id}', save: 'mine' },
];

/** Checks of the public profile. */
const sameUser = (send: string) =>
  (['me', 'second', 'anonymous'] as const).map((as) => ({
    id: `same-user-${as}`,
    title: 'Exactly the public keys, with the values of the own profile',
    arrange: [{ send: 'GET /v1/me', save: 'mine' }],
    act: { send, as },
    expect: { status: 200, body: { allOf: [user, sameAs('mine', user)] } },
  }));

const readCases: readonly Case[] = [
  ...operation('getMe', 'GET /v1/me', [
    recorded('Only this route includes tier and email; the rest is public.', {
      id: 'same-user',
      title: 'The rest equals the public profile',
      arrange: [{ send: 'GET /v1/users/{me.id}', as: 'anonymous', save: 'byId' }],
      act: 'GET /v1/me',
      expect: { status: 200, body: sameAs('byId', user) },
    }),
  ]),
  ...operation('getUser', 'GET /v1/users/{user_id}', [
    recorded('Only the public keys of a user: neither email nor tier.', ...sameUser('GET /v1/users/{me.id}')),
  ]),
  ...operation('getAlias', 'GET /v1/alias/{username}', [
    recorded('The response is the same as by id.', ...sameUser('GET /v1/alias/{me.username}')),
  ]),
  ...operation('searchVals', 'GET /v1/search/vals', [
    recorded('The search returns public vals only.', {
      id: 'same-val',
      title: 'A new public val is found, with the values of the response to its creation',
      level: 'write',
      arrange: [make({ privacy: 'public', type: 'http' })],
      act: 'GET /v1/search/vals?query={new.a}',
      expect: { status: 200, body: pageContaining(sameAs('made', basicVal)) },
    }),
  ]),
  ...operation('listMyRuns', 'GET /v1/me/runs', [
    recorded('The list contains the runs of all vals of the caller.', ...sameRun('/v1/me/runs')),
  ]),
  ...operation('listValRuns', 'GET /v1/vals/{val_id}/runs', [
    specified(
      'Runs of a val, by limit and offset, for callers with a token.',
      ...sameRun('/v1/vals/{run.val.id}/runs'),
    ),
  ]),
  ...operation('getRun', 'GET /v1/runs/{run_id}', [
    recorded('In addition to the keys in lists, a run has its emails, logs, return value and arguments.', {
      id: 'same-run',
      title: 'The keys in lists have the values in the list',
      act: RUN,
      expect: { status: 200, body: sameAs('run', run) },
    }),
  ]),
  ...operation('listMyLikes', 'GET /v1/me/likes', [
    recorded('Items have the shape of vals in lists.', {
      id: 'same-val',
      title: 'A liked val has the values of the val by its id',
      arrange: [{ send: 'GET /v1/vals/{liked.id}', save: 'mine' }],
      act: 'GET /v1/me/likes?limit=100',
      expect: { status: 200, body: pageContaining(sameAs('mine', basicVal)) },
    }),
  ]),
  ...operation('listMyComments', 'GET /v1/me/comments', [
    recorded(
      'Given comments are by the caller; received ones are on vals of the caller.',
      {
        id: 'author',
        title: 'The author of a given comment has the id and the username of the caller',
        act: 'GET /v1/me/comments?limit=100&relationship=given',
        expect: {
          status: 200,
          body: pageOf(having({ author: { const: { id: '{me.id}', username: '{me.username}' } } })),
        },
      },
      {
        id: 'same-val',
        title: 'The val of a comment has the values of the val by its id',
        arrange: [
          { send: 'GET /v1/me/comments?limit=1', save: 'all' },
          { send: 'GET /v1/vals/{all.data.0.val.id}', save: 'mine' },
        ],
        act: 'GET /v1/me/comments?limit=1',
        expect: { status: 200, body: pageOf(having({ val: sameAs('mine', commentVal) })) },
      },
    ),
  ]),
  ...operation('listMyReferences', 'GET /v1/me/references', [
    recorded('reference is the importing val, dependsOn the val of the caller.', {
      id: 'same-vals',
      title: 'Both vals have the values of the vals by their ids',
      arrange: IMPORT,
      act: 'GET /v1/me/references?limit=100',
      expect: { status: 200, body: pageWith({ reference: referent('importer'), dependsOn: referent('mine') }) },
    }),
    chosen(
      'A reference is an import from esm.town in the latest version of a val. Its time is the time of that version.',
      {
        id: 'time',
        title: 'The time of a reference is the time of the latest version of the importing val',
        arrange: IMPORT,
        act: 'GET /v1/me/references?limit=100',
        expect: {
          status: 200,
          body: pageWith({ reference: referent('importer'), referencedAt: '{importer.versionCreatedAt}' }),
        },
      },
    ),
  ]),
  ...operation('getVersion', 'GET /v1/vals/{val_id}/versions/{version}', [
    recorded('The response is the val with the number, code and time of the version.', {
      id: 'time',
      title: 'A previous version has its number and its time, as in the list of versions',
      arrange: [{ send: 'GET /v1/vals/{val.id}/versions', save: 'all' }],
      act: 'GET /v1/vals/{val.id}/versions/{all.data.1.version}',
      expect: {
        status: 200,
        body: having({ version: '{all.data.1.version}', versionCreatedAt: '{all.data.1.createdAt}' }),
      },
    }),
    chosen('All other keys are those of the current val, since settings belong to the val.', {
      id: 'same-val',
      title: 'A previous version has the creation time and all settings of the val',
      arrange: [
        { send: 'GET /v1/vals/{val.id}/versions', save: 'all' },
        { send: 'GET /v1/vals/{val.id}', save: 'mine' },
      ],
      act: 'GET /v1/vals/{val.id}/versions/{all.data.1.version}',
      expect: {
        status: 200,
        body: having(
          Object.fromEntries(
            [
              'id',
              'name',
              'public',
              'privacy',
              'type',
              'createdAt',
              'url',
              'author',
              'readme',
              'likeCount',
              'referenceCount',
            ].map((key) => [key, `{mine.${key}}`]),
          ),
        ),
      },
    }),
  ]),
];

/** Characters that a service may lose: line breaks and spaces at the ends, controls, and those that take two code units. */
const TEXTS = {
  'line-breaks': '// 1\r\n// 2\r// 3\n',
  spaces: '\n \t// 1 \t\n\n',
  controls: '// \u0001\u0008\u000b\u000c\u001b\u007f',
  separators: '// \u0085\u2028\u2029\u00a0\u200b',
  astral: '// \u{1d4b3}\u{1f600} e\u0301 \u00e9',
  'byte-order-mark': '\ufeff// 1\ufeff',
};
const ALL_TEXTS = Object.values(TEXTS).join('\n');
const KEPT = 'A val has the code and the readme that were sent, with all characters.';
const EMPTY_README = 'An empty readme stays empty; a val without a readme has null.';
const UPDATE = { send: 'PUT /v1/vals/{made.id}' };
const SETTINGS = { privacy: 'unlisted', type: 'http', readme: '# a' };

/** Checks that a val which a request has written can be read as it was in the response. */
const writes = (id: string, ...arrange: readonly Step[]): Check => ({
  ...{ id, title: 'The val that is read next equals the response', level: 'write', arrange },
  act: 'GET /v1/vals/{written.id}',
  expect: { status: 200, equals: 'written' },
});
/** Checks the values that a val has after requests. */
const reads = (id: string, title: string, arrange: readonly Step[], values: object): Check => ({
  ...{ id, title, level: 'write', arrange },
  act: 'GET /v1/vals/{made.id}',
  expect: { status: 200, body: having({ ...values }) },
});

const put = (code: string): Step => ({ send: 'PUT /v1/vals', body: fields({ code }) });
/** Adds a version, at another time than the val. */
const later = (step: Step): Step[] => [
  make(SETTINGS),
  { ...step, pause: 5 },
  { send: 'GET /v1/vals/{made.id}/versions', save: 'all' },
];
const TIMES = { createdAt: '{made.createdAt}', versionCreatedAt: '{all.data.0.createdAt}' };
const TIMES_TITLE = 'A new version has its own time, and the val its creation time';

const writeCases: readonly Case[] = [
  ...operation('createVal', '*', [
    specified(
      KEPT,
      ...Object.entries(TEXTS).map(([name, text]) =>
        reads(
          `keeps-${name}`,
          `Code and readme keep their ${name.replaceAll('-', ' ')}`,
          [make({ code: text, readme: text })],
          { code: text, readme: text },
        ),
      ),
    ),
    chosen(EMPTY_README, reads('empty-readme', 'An empty readme is empty', [make({ readme: '' })], { readme: '' })),
  ]),
  ...operation('upsertVal', '*', [
    specified(
      KEPT,
      reads('keeps-texts', 'New code keeps all characters', [make(), put(ALL_TEXTS)], { code: ALL_TEXTS }),
      reads('keeps-texts-of-new', 'The code of a new val keeps all characters', [{ ...put(ALL_TEXTS), save: 'made' }], {
        code: ALL_TEXTS,
      }),
    ),
  ]),
  ...operation('upsertVal', 'PUT /v1/vals', [
    chosen(
      'The response is the val, as in earlier documents; later ones do not say.',
      writes('written-new', { ...put('2'), save: 'written' }),
      writes('written', make(SETTINGS), { ...put('2'), save: 'written' }),
    ),
    recorded(
      'An update adds a version and leaves the rest of the val unchanged.',
      reads('times', TIMES_TITLE, later(put('2')), TIMES),
    ),
  ]),
  ...operation('createVersion', '*', [
    specified(
      KEPT,
      reads(
        'keeps-texts',
        'New code and a new readme keep all characters',
        [make(), addVersion(ALL_TEXTS, { readme: ALL_TEXTS })],
        { code: ALL_TEXTS, readme: ALL_TEXTS },
      ),
    ),
    chosen(
      EMPTY_README,
      reads('empty-readme', 'An empty readme is empty', [make(SETTINGS), addVersion('2', { readme: '' })], {
        readme: '',
      }),
    ),
  ]),
  ...operation('createVersion', 'POST /v1/vals/{val_id}/versions', [
    recorded(
      'The response is 201 with the val at its new version.',
      writes('written', make(SETTINGS), { ...addVersion('2'), save: 'written' }),
      reads('times', TIMES_TITLE, later(addVersion('2')), TIMES),
    ),
  ]),
  ...operation('updateVal', '*', [
    specified(
      KEPT,
      reads('keeps-texts', 'A new readme keeps all characters', [make(), { ...UPDATE, body: { readme: ALL_TEXTS } }], {
        readme: ALL_TEXTS,
      }),
    ),
    chosen(
      EMPTY_README,
      reads('empty-readme', 'An empty readme is empty', [make(SETTINGS), { ...UPDATE, body: { readme: '' } }], {
        readme: '',
      }),
    ),
  ]),
];

/** What a response has in each field: the values of another response, and what was sent. */
export const fieldCases: readonly Case[] = [...readCases, ...writeCases];
