import { type Case, chosen, type Need, type Needs, operation, recorded, specified } from '../case.js';
import { extendedVal, having, pageWith, pageWithout, shows, values } from './schemas.js';
import { DELETE, fields, LIST_VERSIONS, make, post, READ, update } from './steps.js';

/** Finds a val of a privacy, the one with the most versions: their list has more than one page. */
const ownVal = (privacy: 'public' | 'unlisted' | 'private'): Pick<Need, 'lists' | 'find' | 'makes'> => ({
  lists: ['/v1/users/{me.id}/vals?limit=100'],
  find: (vals) =>
    vals.filter((val) => val.privacy === privacy).sort((a, b) => Number(b.version) - Number(a.version))[0],
  makes: { privacy, as: 'me' },
});

/** What cases need of the vals of the account. */
export const valNeeds: Needs = {
  val: { missing: 'the account has no public val', ...ownVal('public') },
  unlisted: { missing: 'the account has no unlisted val', ...ownVal('unlisted') },
  private: { missing: 'the account has no private val', ...ownVal('private') },
  othersPrivate: {
    ...{ missing: 'it needs --second-token, of an account with a private val', ...ownVal('private') },
    ...{ of: 'second', makes: { privacy: 'private', as: 'second' } },
  },
};

const PUBLIC = make({ privacy: 'public' });
const OWN_LIST = 'GET /v1/users/{me.id}/vals?limit=100';
const endpoint = having({ endpoint: { type: 'string', pattern: '^https://' } });
const ALL_SETTINGS = { name: '{new.b}', readme: '# b', privacy: 'unlisted', type: 'email' };
const EMPTY = { status: 204, body: 'none' } as const;

const getCases = operation('getVal', 'GET /v1/vals/{val_id}', [
  specified('read', {
    'keys: Without a token a public val has exactly the documented keys': [
      { send: 'GET /v1/vals/{val.id}', as: 'anonymous' },
      shows({ allOf: [extendedVal, having({ id: '{val.id}', name: '{val.name}' })] }),
    ],
  }),
  recorded('privacy', {
    'endpoint: Only vals that serve HTTP have an endpoint': [
      [make({ type: 'httpnext' }), READ],
      values({ links: endpoint }),
    ],
    'no-endpoint: A script has no endpoint': [[make(), READ], values({ links: { not: { required: ['endpoint'] } } })],
  }),
]);

const idCases = operation('getVal', '*', [
  recorded('uuid', {
    'version-1: An unknown UUID of version 1 is a 404': ['GET /v1/vals/1ff86f92-e9f7-11ee-9325-8aad37b30b4b', 404],
    'upper-case: An id in upper case is the same val': ['GET /v1/vals/{upper.val.id}', values({ id: '{val.id}' })],
  }),
]);

const settingsCases = operation('updateVal', 'PUT /v1/vals/{val_id}', [
  recorded('optional', {
    'one-setting: A new privacy leaves name, readme and type unchanged': [
      [make({ readme: '# a' }), update({ privacy: 'public' }), READ],
      values({ privacy: 'public', public: true, name: '{made.name}', readme: '# a', type: 'script' }),
    ],
    'all-settings: Name, readme, privacy and type are changed at once': [
      [make(), update(ALL_SETTINGS), READ],
      values({ ...ALL_SETTINGS, version: 0 }),
    ],
    'empty: An empty object is a success': [[make(), update({})], 204],
    'wrong-privacy: An unknown privacy is a 400': [[make(), update({ privacy: 'secret' })], 400],
  }),
  recorded('status', {
    'status: A change is a 204 without a body': [[make(), update({ readme: '# a' })], EMPTY],
  }),
  recorded('code', {
    'code: Code in the body changes nothing': [
      [make(), update({ code: '2' }), READ],
      values({ code: fields().code, version: 0 }),
    ],
  }),
  chosen('conflict', {
    'conflict: The name of another val is a 409': [
      [make(), post({ name: '{new.b}' }), update({ name: '{new.b}' })],
      409,
    ],
    'own-name: The own name in upper case is accepted': [[make(), update({ name: '{upper.made.name}' })], 204],
  }),
  chosen('owner', {
    "of-another: Another user's public val is a 404": [[PUBLIC, update({ readme: '# b' }, 'second')], 404],
  }),
]);

const deleteCases = operation('deleteVal', 'DELETE /v1/vals/{val_id}', [
  specified('delete', { 'deletes: A deleted val is a 404': [[make(), DELETE, READ], 404] }),
  recorded('gone', {
    'status: The response is a 204 without a body': [[make(), DELETE], EMPTY],
    'twice: The second time is a 404': [[make(), DELETE, DELETE], 404],
  }),
  recorded('name', {
    'name: The name of a deleted val is accepted for a new one': [[make(), DELETE, post()], values({ version: 0 })],
  }),
  chosen('parts', {
    'versions: The versions of a deleted val are a 404': [[make(), DELETE, LIST_VERSIONS], 404],
    'list: A deleted val is not in the list of its author': [
      [make(), DELETE, OWN_LIST],
      shows(pageWithout({ id: '{made.id}' })),
    ],
  }),
  chosen('owner', {
    "of-another: Another user's public val is a 404": [[PUBLIC, { send: DELETE, as: 'second' }], 404],
    'stays: A val that another user tried to delete is still there': [
      [PUBLIC, { send: DELETE, as: 'second', status: 404 }, OWN_LIST],
      shows(pageWith({ id: '{made.id}' })),
    ],
  }),
]);

/** Of the routes with the id of a val. */
export const valCases: readonly Case[] = [...getCases, ...idCases, ...settingsCases, ...deleteCases];
