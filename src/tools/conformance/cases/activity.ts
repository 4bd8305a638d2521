import { isObject } from '#engine/lib/objects.js';
import {
  type Case,
  chosen,
  type JsonSchema,
  type Needs,
  operation,
  type Row,
  type Rows,
  recorded,
  specified,
} from '../case.js';
import {
  basicVal,
  commentVal,
  exactly,
  fullRun,
  having,
  pageContaining,
  pageOf,
  pageWith,
  pageWithout,
  run,
  sameAs,
  shows,
  text,
  values,
} from './schemas.js';
import { agrees, make, post, READ } from './steps.js';

/** What cases need of the runs and reactions of the account. */
export const activityNeeds: Needs = {
  run: {
    missing: 'the account has no run',
    lists: ['/v1/me/runs?limit=100'],
    find: (runs) => runs.find(({ error }) => error !== null) ?? runs[0],
  },
  liked: { missing: 'the account has no like', lists: ['/v1/me/likes?limit=100'], find: ([like]) => like },
  reference: {
    missing: 'no val depends on one of the account',
    lists: ['/v1/me/references?limit=100'],
    find: ([reference]) => reference,
  },
  other: {
    missing: 'the account has neither liked nor commented a public val of another user',
    lists: ['/v1/me/likes?limit=100', '/v1/me/comments?limit=100'],
    find: (seen, me) =>
      seen
        .map((each) => (isObject(each.val) ? each.val : each))
        .find(({ author, privacy }) => privacy === 'public' && isObject(author) && author.id !== me.id),
    makes: { privacy: 'public', as: 'second' },
  },
};

const all = (target: string) => ({ send: `GET ${target}?limit=100`, save: 'all' });
const FAILED = having({ error: { not: { type: 'null' } } });
const SUCCESSFUL = having({ error: { type: 'null' } });

/** Checks that a filter selects those items of a list that match a schema. */
const selects = (target: string, filter: string, where: JsonSchema): Row => [
  [all(target), `GET ${target}?limit=100&${filter}`],
  shows(pageOf(where), { listed: { of: 'all', where } }),
];
/** Checks that a filter selects all items of a list. */
const selectsAll = (target: string, filter: string): Row => [
  [all(target), `GET ${target}?limit=100&${filter}`],
  { status: 200, listed: { of: 'all' } },
];

/** Checks of the filters of a list of runs. */
const filters = (target: string): Rows => ({
  'failed: error=true lists failed runs, and all of them': selects(target, 'error=true', FAILED),
  'successful: error=false lists successful runs, and all of them': selects(target, 'error=false', SUCCESSFUL),
  'error-text: error=maybe is a 400': [`GET ${target}?error=maybe`, 400],
  'sources: A list of two sources is accepted': [`GET ${target}?source=interval,api`, 200],
  'unknown-source: source=cron is a 400': [`GET ${target}?source=cron`, 400],
  'all-sources: All sources together are all runs': selectsAll(target, 'source=ui,api,interval,email'),
});

/** A val or a comment by a user. */
const by = (user: string) => having({ author: having({ id: user }) });
const READABLE = having({ privacy: { enum: ['public', 'unlisted'] } });
/** Checks that a list is about its caller, for both accounts. */
const own = (id: string, title: string, target: string, schemaOf: (user: string) => JsonSchema): Rows => {
  const row = (as: 'me' | 'second'): Row => [
    { send: `GET ${target}?limit=100`, as },
    shows(pageOf(schemaOf(`{${as}.id}`))),
  ];
  return { [`${id}: ${title}`]: row('me'), [`${id}-second: ${title}`]: row('second') };
};

const MY_RUNS = '/v1/me/runs';
const VAL_RUNS = '/v1/vals/{run.val.id}/runs';
const RUN = 'GET /v1/runs/{run.id}';
const RUN_VAL = having({
  ...{ id: '{mine.id}', name: '{mine.name}', privacy: '{mine.privacy}', public: '{mine.public}' },
  ...{ author: '{mine.author}', author_id: '{mine.author.id}', username: '{mine.author.username}' },
  version: { type: 'integer', maximum: '{mine.version}' },
});

/** Checks that a list of runs agrees with a run and a val by their ids. */
const sameRun = (act: string): Rows => ({
  'same-run: A run has the values of the run by its id': agrees({ one: RUN }, act, pageContaining(sameAs('one', run))),
  'same-val: Its val has the values of the val by its id': agrees(
    { mine: 'GET /v1/vals/{run.val.id}' },
    act,
    pageWith({ id: '{run.id}', val: RUN_VAL }),
  ),
});

const CANCEL_ROUTE = 'POST /v1/vals/{val_id}/evaluations/{evaluation_id}/cancel';
const cancelPath = (val: string) => `/v1/vals/{${val}}/evaluations/{unknown}/cancel`;

const runCases: readonly Case[] = [
  ...operation('listMyRuns', 'GET /v1/me/runs', [
    specified(
      'list',
      own('own', 'All runs are of vals of the caller', MY_RUNS, (user) => having({ val: having({ author_id: user }) })),
    ),
    recorded('filters', filters(MY_RUNS)),
    recorded('all-vals', sameRun(`GET ${MY_RUNS}?limit=100`)),
    chosen('parent', {
      'parent: Each run has a parentId': [
        `GET ${MY_RUNS}?limit=100`,
        shows(pageOf(having({ parentId: { type: 'string', format: 'uuid' } }))),
      ],
    }),
  ]),
  ...operation('listValRuns', 'GET /v1/vals/{val_id}/runs', [
    specified('list', {
      'of-the-val: All runs are of that val': [
        `GET ${VAL_RUNS}?limit=100`,
        shows(pageOf(having({ val: having({ id: '{run.val.id}' }) }))),
      ],
      ...sameRun(`GET ${VAL_RUNS}?limit=100`),
    }),
    recorded('filters', filters(VAL_RUNS)),
    chosen('author', {
      "of-another: The runs of another user's val are a 404": ['GET /v1/vals/{other.id}/runs', 404],
      'for-another: The second account gets a 404': [{ send: `GET ${VAL_RUNS}`, as: 'second' }, 404],
    }),
  ]),
  ...operation('getRun', 'GET /v1/runs/{run_id}', [
    recorded('keys', {
      'keys: A run has exactly the documented keys': [
        RUN,
        shows({ allOf: [fullRun, having({ id: '{run.id}', runStartAt: '{run.runStartAt}' })] }),
      ],
      'same-run: The keys in lists have the values in the list': agrees({}, RUN, sameAs('run', run)),
    }),
    chosen('author', {
      'of-another: The second account gets a 404': [{ send: RUN, as: 'second' }, 404],
    }),
  ]),
  ...operation('cancelEvaluation', CANCEL_ROUTE, [
    recorded('found', {
      'unknown: An unknown evaluation is not found': [
        [make(), `POST ${cancelPath('made.id')}`],
        shows(exactly({ found: { const: false } })),
      ],
    }),
    recorded('text-404', {
      'no-val: An unknown val is a 404 with a text': [`POST ${cancelPath('unknown')}`, { status: 404, body: text }],
    }),
    chosen('author', {
      'of-another: The second account gets a 404': [
        [make(), { send: `POST ${cancelPath('made.id')}`, as: 'second' }],
        404,
      ],
    }),
  ]),
];

const likeCases = operation('listMyLikes', 'GET /v1/me/likes', [
  specified('list', {
    'liked: A liked val has at least one like': [
      'GET /v1/vals/{liked.id}',
      values({ likeCount: { type: 'integer', minimum: 1 } }),
    ],
  }),
  recorded('shape', {
    'same-val: A liked val has the values of the val by its id': agrees(
      { mine: 'GET /v1/vals/{liked.id}' },
      'GET /v1/me/likes?limit=100',
      pageContaining(sameAs('mine', basicVal)),
    ),
  }),
  chosen(
    'private',
    own('readable', 'Liked vals are public, unlisted, or of the caller', '/v1/me/likes', (user) => ({
      anyOf: [READABLE, by(user)],
    })),
  ),
]);

const COMMENTS = '/v1/me/comments';
const GIVEN = by('{me.id}');
const RECEIVED = having({ val: GIVEN });

const commentCases = operation('listMyComments', 'GET /v1/me/comments', [
  specified('list', {
    ...own('given-or-received', 'Each comment is by the caller, or on a val of the caller', COMMENTS, (user) => ({
      anyOf: [by(user), having({ val: by(user) })],
    })),
    'any: relationship=any is the default': selectsAll(COMMENTS, 'relationship=any'),
  }),
  recorded('relationship', {
    'unknown-relationship: An unknown relationship is a 400': [`GET ${COMMENTS}?relationship=both`, 400],
  }),
  recorded('direction', {
    'given: relationship=given lists the comments of the caller, and all of them': selects(
      COMMENTS,
      'relationship=given',
      GIVEN,
    ),
    'received: relationship=received lists the comments on vals of the caller, and all of them': selects(
      COMMENTS,
      'relationship=received',
      RECEIVED,
    ),
    'author: Given comments have the name of the caller': [
      `GET ${COMMENTS}?limit=1&relationship=given`,
      shows(pageOf(having({ author: { const: { id: '{me.id}', username: '{me.username}' } } }))),
    ],
    'same-val: The val has the values of the val by its id': agrees(
      { all: `GET ${COMMENTS}?limit=1`, mine: 'GET /v1/vals/{all.data.0.val.id}' },
      `GET ${COMMENTS}?limit=1`,
      pageOf(having({ val: sameAs('mine', commentVal) })),
    ),
  }),
  chosen('own-val', {
    'once: No comment is listed twice': [
      `GET ${COMMENTS}?limit=100`,
      values({ data: { type: 'array', uniqueItems: true } }),
    ],
  }),
  chosen('private', {
    'readable: Each comment is on a val that is not private, or of the caller': [
      `GET ${COMMENTS}?limit=100`,
      shows(pageOf({ anyOf: [RECEIVED, having({ val: READABLE })] })),
    ],
  }),
]);

const REFERENCES = '/v1/me/references';
/** Code that imports a val of the caller. */
const importing = (name: string) => `import * as a from "https://esm.town/v/{me.username}/${name}";`;
const IMPORTED = make({ privacy: 'public' });
const IMPORTER = { name: '{new.b}', code: importing('{new.a}') };
const user = (others: object = {}) => ({ ...post({ ...IMPORTER, ...others }), save: 'user' });
const NOT_LISTED = shows(pageWithout({ reference: having({ id: '{user.id}' }) }));
/** A val in a reference. */
const referent = (name: string) =>
  having({
    ...{ id: `{${name}.id}`, name: `{${name}.name}` },
    ...{ author_id: `{${name}.author.id}`, username: `{${name}.author.username}` },
  });
const sameReference = (others: object): Row =>
  agrees(
    { importer: 'GET /v1/vals/{reference.reference.id}', mine: 'GET /v1/vals/{reference.dependsOn.id}' },
    `GET ${REFERENCES}?limit=100`,
    pageWith({ reference: referent('importer'), dependsOn: referent('mine'), ...others }),
  );
const ITSELF = make({ privacy: 'public', code: importing('{new.a}') });

const referenceCases = operation('listMyReferences', 'GET /v1/me/references', [
  specified(
    'list',
    own('own', 'Each reference depends on a val of the caller', REFERENCES, (user) =>
      having({ dependsOn: having({ author_id: user }) }),
    ),
  ),
  recorded('sides', {
    'imports: The code of a referencing val imports from esm.town': [
      'GET /v1/vals/{reference.reference.id}',
      values({ code: { type: 'string', pattern: 'esm\\.town/v/' } }),
    ],
    'same-vals: Both vals have the values of the vals by their ids': sameReference({}),
  }),
  chosen('import', {
    'new-import: A new val that imports one of the caller is a reference': [
      [IMPORTED, user({ privacy: 'public' }), `GET ${REFERENCES}?limit=100`],
      shows(pageWith({ reference: having({ id: '{user.id}' }), dependsOn: having({ id: '{made.id}' }) })),
    ],
    'old-import: An import that the latest version lacks does not count as a reference': [
      [
        ...[IMPORTED, user({ privacy: 'public' }), { send: 'POST /v1/vals/{user.id}/versions', body: { code: '1' } }],
        `GET ${REFERENCES}?limit=100`,
      ],
      NOT_LISTED,
    ],
    'time: The time of a reference is the time of the importing version': sameReference({
      referencedAt: '{importer.versionCreatedAt}',
    }),
  }),
  chosen('importers', {
    'private-importer: A private importer of the second account is not listed': [
      [IMPORTED, { ...user(), as: 'second' }, `GET ${REFERENCES}?limit=100`],
      NOT_LISTED,
    ],
  }),
  chosen('itself', {
    'itself: A val that imports itself is not listed': [
      [ITSELF, `GET ${REFERENCES}?limit=100`],
      shows(pageWithout({ reference: having({ id: '{made.id}' }) })),
    ],
    'itself-in-count: A val that imports itself does not count as an importer': [
      [ITSELF, READ],
      values({ referenceCount: 0 }),
    ],
  }),
]);

export const activityCases: readonly Case[] = [...runCases, ...likeCases, ...commentCases, ...referenceCases];
