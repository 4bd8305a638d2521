import {
  type Case,
  chosen,
  type JsonSchema,
  operation,
  type Row,
  type Rows,
  recorded,
  type Step,
  specified,
} from '../case.js';
import { basicVal, commentVal, having, pageContaining, pageOf, pageWith, run, sameAs, shows, user } from './schemas.js';
import { make } from './steps.js';

type Reads = Readonly<Record<string, string>>;

/** Checks that a response agrees with what was read before. @param reads requests, by the names of their responses */
const agrees = (reads: Reads, act: Step | string, body: JsonSchema): Row => [
  [...Object.entries(reads).map(([save, send]) => ({ send, save })), act],
  shows(body),
];

const BY_ID = 'GET /v1/vals/{val.id}';
const ME = { mine: 'GET /v1/me' };
const RUN = 'GET /v1/runs/{run.id}';
const RUN_VAL = having({
  ...{ id: '{mine.id}', name: '{mine.name}', privacy: '{mine.privacy}', public: '{mine.public}' },
  ...{ author: '{mine.author}', author_id: '{mine.author.id}', username: '{mine.author.username}' },
});
const LIKED = { mine: 'GET /v1/vals/{liked.id}' };
const IMPORT = { importer: 'GET /v1/vals/{reference.reference.id}', mine: 'GET /v1/vals/{reference.dependsOn.id}' };
const COMMENTS = 'GET /v1/me/comments?limit=1';
const COMMENT = { all: COMMENTS, mine: 'GET /v1/vals/{all.data.0.val.id}' };
const GIVEN = having({ author: { const: { id: '{me.id}', username: '{me.username}' } } });
const VERSIONS = { all: `${BY_ID}/versions`, mine: BY_ID };
const PREVIOUS = `${BY_ID}/versions/{all.data.1.version}`;
const TIME = having({ version: '{all.data.1.version}', versionCreatedAt: '{all.data.1.createdAt}' });
const REFERENCES = 'GET /v1/me/references?limit=100';
/** The keys that all versions of a val share. */
const SHARED = { required: 'id name public privacy type createdAt url author readme likeCount'.split(' ') };

/** Checks of a list of runs. */
const sameRun = (act: string): Rows => ({
  'same-run: A run has the values of the run by its id': agrees({ one: RUN }, act, pageContaining(sameAs('one', run))),
  'same-val: Its val has the values of the val by its id': agrees(
    { mine: 'GET /v1/vals/{run.val.id}' },
    act,
    pageWith({ id: '{run.id}', val: RUN_VAL }),
  ),
});

/** Checks of the public profile. */
const sameUser = (send: string): Rows => {
  const body = { allOf: [user, sameAs('mine', user)] };
  const title = 'Exactly the public keys, with the values of the own profile';
  return {
    [`keys: ${title}`]: agrees(ME, { send, as: 'anonymous' }, body),
    [`keys-for-the-user: ${title}`]: agrees(ME, { send, as: 'me' }, body),
    [`keys-for-another: ${title}`]: agrees(ME, { send, as: 'second' }, body),
  };
};

/** A val in a reference. */
const referent = (name: string) =>
  having({
    ...{ id: `{${name}.id}`, name: `{${name}.name}` },
    ...{ author_id: `{${name}.author.id}`, username: `{${name}.author.username}` },
  });
const VALS = { reference: referent('importer'), dependsOn: referent('mine') };

/** What a response has in each field: the values of another response. */
export const agreementCases: readonly Case[] = [
  ...operation('getMe', 'GET /v1/me', [
    recorded('Only this route includes tier and email; the rest is public.', {
      'same-user: The rest is public': agrees({ mine: 'GET /v1/users/{me.id}' }, 'GET /v1/me', sameAs('mine', user)),
    }),
  ]),
  ...operation('getUser', 'GET /v1/users/{user_id}', [
    recorded('Only the public keys of a user: neither email nor tier.', sameUser('GET /v1/users/{me.id}')),
  ]),
  ...operation('getAlias', 'GET /v1/alias/{username}', [
    recorded('The response is the same as by id.', sameUser('GET /v1/alias/{me.username}')),
  ]),
  ...operation('searchVals', 'GET /v1/search/vals', [
    recorded('The search returns public vals only.', {
      'same-val: A new public val is found, as it was created': [
        [make({ privacy: 'public', type: 'http' }), 'GET /v1/search/vals?query={new.a}'],
        shows(pageContaining(sameAs('made', basicVal))),
      ],
    }),
  ]),
  ...operation('listMyRuns', 'GET /v1/me/runs', [
    recorded('The list contains the runs of all vals of the caller.', sameRun('GET /v1/me/runs?limit=100')),
  ]),
  ...operation('listValRuns', 'GET /v1/vals/{val_id}/runs', [
    specified(
      'Runs of a val, by limit and offset, for callers with a token.',
      sameRun('GET /v1/vals/{run.val.id}/runs?limit=100'),
    ),
  ]),
  ...operation('getRun', 'GET /v1/runs/{run_id}', [
    recorded('In addition to the keys in lists, a run has its emails, logs, return value and arguments.', {
      'same-run: The keys in lists have the values in the list': agrees({}, RUN, sameAs('run', run)),
    }),
  ]),
  ...operation('listMyLikes', 'GET /v1/me/likes', [
    recorded('Items have the shape of vals in lists.', {
      'same-val: A liked val has the values of the val by its id': agrees(
        LIKED,
        'GET /v1/me/likes?limit=100',
        pageContaining(sameAs('mine', basicVal)),
      ),
    }),
  ]),
  ...operation('listMyComments', 'GET /v1/me/comments', [
    recorded('Given comments are by the caller; received ones are on vals of the caller.', {
      'author: Given comments have the name of the caller': agrees({}, `${COMMENTS}&relationship=given`, pageOf(GIVEN)),
      'same-val: The val has the values of the val by its id': agrees(
        COMMENT,
        COMMENTS,
        pageOf(having({ val: sameAs('mine', commentVal) })),
      ),
    }),
  ]),
  ...operation('listMyReferences', 'GET /v1/me/references', [
    recorded('reference is the importing val, dependsOn the val of the caller.', {
      'same-vals: Both vals have the values of the vals by their ids': agrees(IMPORT, REFERENCES, pageWith(VALS)),
    }),
    chosen(
      'A reference is an import from esm.town in the latest version of a val. Its time is the time of that version.',
      {
        'time: The time of a reference is the time of the importing version': agrees(
          IMPORT,
          REFERENCES,
          pageWith({ ...VALS, referencedAt: '{importer.versionCreatedAt}' }),
        ),
      },
    ),
  ]),
  ...operation('getVersion', 'GET /v1/vals/{val_id}/versions/{version}', [
    recorded('The response is the val with the number, code and time of the version.', {
      'time: A previous version has its time in the list of versions': agrees(VERSIONS, PREVIOUS, TIME),
    }),
    chosen('All other keys are those of the current val, since settings belong to the val.', {
      'same-val: A previous version has the creation time and settings of the val': agrees(
        VERSIONS,
        PREVIOUS,
        sameAs('mine', SHARED),
      ),
    }),
  ]),
];
