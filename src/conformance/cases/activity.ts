import { type Case, type Check, chosen, type JsonSchema, operation, recorded, specified } from '../case.js';
import { make } from './new-val.js';
import { fullRun, having, pageOf, pageWith, pageWithout } from './schemas.js';

const all = (target: string) => ({ send: `GET ${target}?limit=100`, save: 'all' });
const FAILED = having({ error: { not: { type: 'null' } } });
const SUCCESSFUL = having({ error: { type: 'null' } });

/** Checks of the filters of a list of runs. */
const filters = (target: string): Check[] => [
  {
    id: 'failed',
    title: 'error=true lists failed runs, and all of them',
    arrange: [all(target)],
    act: `GET ${target}?limit=100&error=true`,
    expect: { status: 200, body: pageOf(FAILED), listed: { of: 'all', where: FAILED } },
  },
  {
    id: 'successful',
    title: 'error=false lists successful runs, and all of them',
    arrange: [all(target)],
    act: `GET ${target}?limit=100&error=false`,
    expect: { status: 200, body: pageOf(SUCCESSFUL), listed: { of: 'all', where: SUCCESSFUL } },
  },
  { id: 'error-text', title: 'error=maybe is a 400', act: `GET ${target}?error=maybe`, expect: { status: 400 } },
  {
    id: 'sources',
    title: 'A list of two sources is accepted',
    act: `GET ${target}?source=interval,api`,
    expect: { status: 200 },
  },
  { id: 'unknown-source', title: 'source=cron is a 400', act: `GET ${target}?source=cron`, expect: { status: 400 } },
  {
    id: 'all-sources',
    title: 'All sources together are all runs',
    arrange: [all(target)],
    act: `GET ${target}?limit=100&source=ui,api,interval,email`,
    expect: { status: 200, listed: { of: 'all' } },
  },
];

/** A val or a comment by a user. */
const by = (user: string) => having({ author: having({ id: user }) });
/** Checks that a list is about its caller, for both accounts. */
const own = (id: string, title: string, target: string, schemaOf: (user: string) => JsonSchema): Check[] =>
  (['me', 'second'] as const).map((as) => ({
    ...{ id: as === 'me' ? id : `${id}-second`, title },
    act: { send: `GET ${target}?limit=100`, as },
    expect: { status: 200, body: pageOf(schemaOf(`{${as}.id}`)) },
  }));

const runCases: readonly Case[] = [
  ...operation('listMyRuns', 'GET /v1/me/runs', [
    specified(
      'Runs of the caller, by error, limit, offset, since and until.',
      ...own('own', 'All runs are of vals of the caller', '/v1/me/runs', (user) =>
        having({ val: having({ author_id: user }) }),
      ),
    ),
    recorded(
      'error selects failed (true) or successful (false) runs; source selects runs by how they were started.',
      ...filters('/v1/me/runs'),
    ),
    chosen('The parentId of a run without a parent is the id of the run, since clients require an id.', {
      id: 'parent',
      title: 'Each run has a parentId',
      act: 'GET /v1/me/runs?limit=100',
      expect: { status: 200, body: pageOf(having({ parentId: { type: 'string', format: 'uuid' } })) },
    }),
  ]),
  ...operation('listValRuns', 'GET /v1/vals/{val_id}/runs', [
    specified('Runs of a val, by limit and offset, for callers with a token.', {
      id: 'of-the-val',
      title: 'All runs are of that val',
      act: 'GET /v1/vals/{run.val.id}/runs?limit=100',
      expect: { status: 200, body: pageOf(having({ val: having({ id: '{run.val.id}' }) })) },
    }),
    recorded(
      'error, source, since and until work as in the list of all runs.',
      ...filters('/v1/vals/{run.val.id}/runs'),
    ),
    chosen(
      "Only the author of the val can list its runs, as in the list of all runs; another user's val is a 404.",
      {
        id: 'of-another',
        title: "The runs of another user's val are a 404",
        act: 'GET /v1/vals/{other.id}/runs',
        expect: { status: 404 },
      },
      {
        id: 'for-another',
        title: 'The second account gets a 404',
        act: { send: 'GET /v1/vals/{run.val.id}/runs', as: 'second' },
        expect: { status: 404 },
      },
      {
        id: 'unknown',
        title: 'The runs of an unknown val are a 404',
        act: 'GET /v1/vals/{unknown}/runs',
        expect: { status: 404 },
      },
    ),
  ]),
  ...operation('getRun', 'GET /v1/runs/{run_id}', [
    recorded(
      'In addition to the keys in lists, a run has its emails, logs, return value and arguments.',
      {
        id: 'keys',
        title: 'A run has exactly the documented keys',
        act: 'GET /v1/runs/{run.id}',
        expect: { status: 200, body: { allOf: [fullRun, having({ id: '{run.id}', runStartAt: '{run.runStartAt}' })] } },
      },
      { id: 'unknown', title: 'An unknown run is a 404', act: 'GET /v1/runs/{unknown}', expect: { status: 404 } },
    ),
    chosen("Only the author of the val can read its runs, as in lists; a run of another user's val is a 404.", {
      id: 'of-another',
      title: 'The second account gets a 404',
      act: { send: 'GET /v1/runs/{run.id}', as: 'second' },
      expect: { status: 404 },
    }),
  ]),
];

const likeCases = operation('listMyLikes', 'GET /v1/me/likes', [
  specified('Vals that the caller likes, by limit and offset.', {
    id: 'liked',
    title: 'A liked val has at least one like',
    act: 'GET /v1/vals/{liked.id}',
    expect: { status: 200, body: having({ likeCount: { type: 'integer', minimum: 1 } }) },
  }),
  chosen(
    'A private val of another user is not listed, since the caller may not read it.',
    ...own('readable', 'Liked vals are public, unlisted, or of the caller', '/v1/me/likes', (user) => ({
      anyOf: [having({ privacy: { enum: ['public', 'unlisted'] } }), by(user)],
    })),
  ),
]);

const GIVEN = by('{me.id}');
const RECEIVED = having({ val: GIVEN });

const commentCases = operation('listMyComments', 'GET /v1/me/comments', [
  specified(
    'Comments given or received, filtered by relationship (with the value any), limit, offset, since and until.',
    ...own(
      'given-or-received',
      'Each comment is by the caller, or on a val of the caller',
      '/v1/me/comments',
      (user) => ({
        anyOf: [by(user), having({ val: by(user) })],
      }),
    ),
    {
      id: 'any',
      title: 'relationship=any is the default',
      arrange: [all('/v1/me/comments')],
      act: 'GET /v1/me/comments?limit=100&relationship=any',
      expect: { status: 200, listed: { of: 'all' } },
    },
  ),
  recorded('relationship is any (the default), given or received.', {
    id: 'unknown-relationship',
    title: 'An unknown relationship is a 400',
    act: 'GET /v1/me/comments?relationship=both',
    expect: { status: 400 },
  }),
  recorded(
    'Given comments are by the caller; received ones are on vals of the caller.',
    {
      id: 'given',
      title: 'relationship=given lists the comments of the caller, and all of them',
      arrange: [all('/v1/me/comments')],
      act: 'GET /v1/me/comments?limit=100&relationship=given',
      expect: { status: 200, body: pageOf(GIVEN), listed: { of: 'all', where: GIVEN } },
    },
    {
      id: 'received',
      title: 'relationship=received lists the comments on vals of the caller, and all of them',
      arrange: [all('/v1/me/comments')],
      act: 'GET /v1/me/comments?limit=100&relationship=received',
      expect: { status: 200, body: pageOf(RECEIVED), listed: { of: 'all', where: RECEIVED } },
    },
  ),
  chosen('A comment by the author of the val is both given and received; any lists it once.', {
    id: 'once',
    title: 'No comment is listed twice',
    act: 'GET /v1/me/comments?limit=100',
    expect: { status: 200, body: having({ data: { type: 'array', uniqueItems: true } }) },
  }),
  chosen('Comments on a private val of another user are not listed, since the caller may not read the val.', {
    id: 'readable',
    title: 'Each comment is on a val that is not private, or of the caller',
    act: 'GET /v1/me/comments?limit=100',
    expect: {
      status: 200,
      body: pageOf({ anyOf: [RECEIVED, having({ val: having({ privacy: { enum: ['public', 'unlisted'] } }) })] }),
    },
  }),
]);

/** Code that imports a val of the caller. */
const importing = (name: string) => `import * as a from "https://esm.town/v/{me.username}/${name}";`;

const referenceCases = operation('listMyReferences', 'GET /v1/me/references', [
  specified(
    "Vals that depend on any of the caller's vals. It names no parameters.",
    ...own('own', 'Each reference depends on a val of the caller', '/v1/me/references', (user) =>
      having({ dependsOn: having({ author_id: user }) }),
    ),
  ),
  recorded('reference is the importing val, dependsOn the val of the caller.', {
    id: 'imports',
    title: 'The code of a referencing val imports from esm.town',
    act: 'GET /v1/vals/{reference.reference.id}',
    expect: { status: 200, body: having({ code: { type: 'string', pattern: 'esm\\.town/v/' } }) },
  }),
  chosen(
    'A reference is an import from esm.town in the latest version of a val. Its time is the time of that version.',
    {
      id: 'new-import',
      title: 'A new val that imports one of the caller is a reference',
      level: 'write',
      arrange: [
        make({ privacy: 'public' }),
        {
          send: 'POST /v1/vals',
          body: { name: '{new.b}', code: importing('{new.a}'), privacy: 'public' },
          save: 'user',
        },
      ],
      act: 'GET /v1/me/references?limit=100',
      expect: {
        status: 200,
        body: pageWith({ reference: having({ id: '{user.id}' }), dependsOn: having({ id: '{made.id}' }) }),
      },
    },
    {
      id: 'old-import',
      title: 'An import that the latest version lacks is no reference',
      level: 'write',
      arrange: [
        make({ privacy: 'public' }),
        {
          send: 'POST /v1/vals',
          body: { name: '{new.b}', code: importing('{new.a}'), privacy: 'public' },
          save: 'user',
        },
        { send: 'POST /v1/vals/{user.id}/versions', body: { code: '1' } },
      ],
      act: 'GET /v1/me/references?limit=100',
      expect: { status: 200, body: pageWithout({ reference: having({ id: '{user.id}' }) }) },
    },
  ),
  chosen('Unlisted and private importers are visible only to their author, as in other lists of vals.', {
    id: 'private-importer',
    title: 'A private importer of the second account is not listed',
    level: 'write',
    needs: ['second'],
    arrange: [
      make({ privacy: 'public' }),
      { send: 'POST /v1/vals', as: 'second', body: { name: '{new.b}', code: importing('{new.a}') }, save: 'user' },
    ],
    act: 'GET /v1/me/references?limit=100',
    expect: { status: 200, body: pageWithout({ reference: having({ id: '{user.id}' }) }) },
  }),
  chosen(
    'A val that imports itself is not a reference, since it depends on no other val.',
    {
      id: 'itself',
      title: 'A val that imports itself is not listed',
      level: 'write',
      arrange: [make({ privacy: 'public', code: importing('{new.a}') })],
      act: 'GET /v1/me/references?limit=100',
      expect: { status: 200, body: pageWithout({ reference: having({ id: '{made.id}' }) }) },
    },
    {
      id: 'itself-in-count',
      title: 'A val that imports itself does not count as an importer',
      level: 'write',
      arrange: [make({ privacy: 'public', code: importing('{new.a}') })],
      act: 'GET /v1/vals/{made.id}',
      expect: { status: 200, body: having({ referenceCount: 0 }) },
    },
  ),
]);

export const activityCases: readonly Case[] = [...runCases, ...likeCases, ...commentCases, ...referenceCases];
