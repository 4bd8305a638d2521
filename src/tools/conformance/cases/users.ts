import { type Case, chosen, operation, type Rows, recorded, specified } from '../case.js';
import {
  basicVal,
  extendedVal,
  having,
  me,
  pageContaining,
  pageOf,
  pageWith,
  sameAs,
  shows,
  user,
  values,
} from './schemas.js';
import { agrees, make, post } from './steps.js';

const ME = values({ id: '{me.id}' });
const SEARCH = 'GET /v1/search/vals';
const ALIAS = 'GET /v1/alias';
const VALS = 'GET /v1/users/{me.id}/vals?limit=100';

/** Checks that a profile has the public keys, for each caller. */
const sameUser = (send: string): Rows => {
  const row = (as: 'anonymous' | 'me' | 'second') =>
    agrees({ mine: 'GET /v1/me' }, { send, as }, { allOf: [user, sameAs('mine', user)] });
  const title = 'Exactly the public keys, with the values of the own profile';
  return {
    [`keys: ${title}`]: row('anonymous'),
    [`keys-for-the-user: ${title}`]: row('me'),
    [`keys-for-another: ${title}`]: row('second'),
  };
};

export const userCases: readonly Case[] = [
  ...operation('getMe', 'GET /v1/me', [
    specified('profile', {
      'profile: The profile has the id and the username of the author of the own vals': [
        'GET /v1/me',
        values({ id: '{val.author.id}', username: '{val.author.username}' }),
      ],
    }),
    recorded('plain-username', {
      'no-at: The username does not begin with @': [
        'GET /v1/me',
        values({ username: { not: { type: 'string', pattern: '^@' } } }),
      ],
    }),
    recorded('own-keys', {
      'same-user: The rest is public': agrees({ mine: 'GET /v1/users/{me.id}' }, 'GET /v1/me', sameAs('mine', user)),
    }),
  ]),
  ...operation('getMe', '*', [
    recorded('keys', { 'keys: The profile has exactly the documented keys': ['GET /v1/me', shows(me)] }),
  ]),
  ...operation('getUser', '*', [
    recorded('uuid', {
      'upper-case: An id in upper case is the same user': ['GET /v1/users/{upper.me.id}', ME],
    }),
  ]),
  ...operation('getUser', 'GET /v1/users/{user_id}', [recorded('public-keys', sameUser('GET /v1/users/{me.id}'))]),
  ...operation('getAlias', 'GET /v1/alias/{username}', [
    recorded('same', sameUser(`${ALIAS}/{me.username}`)),
    recorded('at-sign', {
      'at: A name with an @ is the same user': [{ send: `${ALIAS}/@{me.username}`, as: 'anonymous' }, ME],
    }),
    recorded('case', {
      'case: A name in upper case is the same user': [`${ALIAS}/{upper.me.username}`, ME],
    }),
  ]),
  ...operation('getValByName', 'GET /v1/alias/{username}/{val_name}', [
    recorded('case', {
      'case: The name of a val in upper case is the same val': [
        `${ALIAS}/@{me.username}/{upper.val.name}`,
        shows({ allOf: [extendedVal, having({ id: '{val.id}' })] }),
      ],
      'unknown: An unknown name of a val is a 404': [`${ALIAS}/{me.username}/none_{hex}`, 404],
    }),
    chosen('unknown-author', {
      'unknown-author: An unknown author is a 404': [`${ALIAS}/unknown_{hex}/hello`, 404],
    }),
  ]),
  ...operation('listUserVals', 'GET /v1/users/{user_id}/vals', [
    recorded('privacy', {
      'public: Without a token only public vals are listed': [
        { send: VALS, as: 'anonymous' },
        shows(pageOf(having({ privacy: 'public', public: true }))),
      ],
    }),
    chosen('unknown-user', {
      'unknown: The vals of an unknown user are a 404': ['GET /v1/users/{unknown}/vals', 404],
    }),
  ]),
  ...operation('searchVals', 'GET /v1/search/vals', [
    recorded('public', {
      'public: All vals found are public': [
        `${SEARCH}?query={val.name}&limit=100`,
        shows(pageOf({ allOf: [basicVal, having({ privacy: 'public' })] })),
      ],
      'same-val: A new public val is found, as it was created': [
        [make({ privacy: 'public', type: 'http' }), `${SEARCH}?query={new.a}`],
        shows(pageContaining(sameAs('made', basicVal))),
      ],
    }),
    recorded('length', {
      'no-query: A search without a query is a 400': [SEARCH, 400],
    }),
    chosen('words', {
      'words: A query with a word that occurs nowhere finds nothing': [
        `${SEARCH}?query={val.name}%20none_{hex}`,
        values({ data: { type: 'array', maxItems: 0 } }),
      ],
      'case: A name in upper case is found': [
        `${SEARCH}?query={upper.val.name}&limit=100`,
        shows(pageWith({ id: '{val.id}' })),
      ],
    }),
    chosen('spaces', {
      'blank: The latest public val is the first one': [
        [make({ privacy: 'public' }), `${SEARCH}?query=%20&limit=1`],
        values({ data: { type: 'array', minItems: 1, items: [having({ id: '{made.id}' })] } }),
      ],
    }),
    chosen('rank', {
      'rank: A val of exactly that name is the first one': [
        [
          make({ code: '1', privacy: 'public' }),
          post({ name: '{new.a}_more', code: '1', privacy: 'public' }),
          post({ name: '{new.b}', code: '// {new.a}', privacy: 'public' }),
          `${SEARCH}?query={new.a}`,
        ],
        values({ data: { type: 'array', minItems: 3, items: [having({ id: '{made.id}' })] } }),
      ],
    }),
  ]),
];
