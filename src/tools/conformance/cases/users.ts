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
    specified('The profile of the caller.', {
      'profile: The profile has the id and the username of the author of the own vals': [
        'GET /v1/me',
        values({ id: '{val.author.id}', username: '{val.author.username}' }),
      ],
    }),
    recorded('The username has no @.', {
      'no-at: The username does not begin with @': [
        'GET /v1/me',
        values({ username: { not: { type: 'string', pattern: '^@' } } }),
      ],
    }),
    recorded('Only this route includes tier and email; the rest is public.', {
      'same-user: The rest is public': agrees({ mine: 'GET /v1/users/{me.id}' }, 'GET /v1/me', sameAs('mine', user)),
    }),
  ]),
  ...operation('getMe', '*', [
    recorded(
      'Objects have exactly the keys of November 2024: one published client requires each of them and rejects others. Their web addresses have the documented forms.',
      { 'keys: The profile has exactly the documented keys': ['GET /v1/me', shows(me)] },
    ),
  ]),
  ...operation('getUser', '*', [
    recorded('An id is a UUID of any version; other values are a 400.', {
      'upper-case: An id in upper case is the same user': ['GET /v1/users/{upper.me.id}', ME],
    }),
  ]),
  ...operation('getUser', 'GET /v1/users/{user_id}', [
    recorded('Only the public keys of a user: neither email nor tier.', sameUser('GET /v1/users/{me.id}')),
  ]),
  ...operation('getAlias', 'GET /v1/alias/{username}', [
    recorded('The response is the same as by id.', sameUser(`${ALIAS}/{me.username}`)),
    recorded('An @ before the name is ignored; some clients send one.', {
      'at: A name with an @ is the same user': [{ send: `${ALIAS}/@{me.username}`, as: 'anonymous' }, ME],
    }),
    recorded('Names are case-insensitive.', {
      'case: A name in upper case is the same user': [`${ALIAS}/{upper.me.username}`, ME],
    }),
  ]),
  ...operation('getValByName', 'GET /v1/alias/{username}/{val_name}', [
    recorded('Names are case-insensitive, and an @ before the author is ignored.', {
      'case: The name of a val in upper case is the same val': [
        `${ALIAS}/@{me.username}/{upper.val.name}`,
        shows({ allOf: [extendedVal, having({ id: '{val.id}' })] }),
      ],
      'unknown: An unknown name of a val is a 404': [`${ALIAS}/{me.username}/none_{hex}`, 404],
    }),
    chosen('An unknown author is the same 404 as an unknown val, since the route returns vals.', {
      'unknown-author: An unknown author is a 404': [`${ALIAS}/unknown_{hex}/hello`, 404],
    }),
  ]),
  ...operation('listUserVals', 'GET /v1/users/{user_id}/vals', [
    recorded('Clients see the public vals of a user; the user sees all.', {
      'public: Without a token only public vals are listed': [
        { send: VALS, as: 'anonymous' },
        shows(pageOf(having({ privacy: 'public', public: true }))),
      ],
    }),
    chosen('An unknown user is a 404, as on the route of the user.', {
      'unknown: The vals of an unknown user are a 404': ['GET /v1/users/{unknown}/vals', 404],
    }),
  ]),
  ...operation('searchVals', 'GET /v1/search/vals', [
    recorded('The search returns public vals only.', {
      'public: All vals found are public': [
        `${SEARCH}?query={val.name}&limit=100`,
        shows(pageOf({ allOf: [basicVal, having({ privacy: 'public' })] })),
      ],
      'same-val: A new public val is found, as it was created': [
        [make({ privacy: 'public', type: 'http' }), `${SEARCH}?query={new.a}`],
        shows(pageContaining(sameAs('made', basicVal))),
      ],
    }),
    recorded('A query has 1 to 512 characters.', {
      'no-query: A search without a query is a 400': [SEARCH, 400],
    }),
    chosen('Each word of the query must occur in name, readme or code; case is ignored.', {
      'words: A query with a word that occurs nowhere finds nothing': [
        `${SEARCH}?query={val.name}%20none_{hex}`,
        values({ data: { type: 'array', maxItems: 0 } }),
      ],
      'case: A name in upper case is found': [
        `${SEARCH}?query={upper.val.name}&limit=100`,
        shows(pageWith({ id: '{val.id}' })),
      ],
    }),
    chosen('A query of spaces finds every public val, the newest first: a published program fills itself so.', {
      'blank: The latest public val is the first one': [
        [make({ privacy: 'public' }), `${SEARCH}?query=%20&limit=1`],
        values({ data: { type: 'array', minItems: 1, items: [having({ id: '{made.id}' })] } }),
      ],
    }),
    chosen(
      'Results are ranked: equal names, names that begin with the query, names that contain it, readmes, code. The newest of each come first.',
      {
        'rank: A val of exactly that name is the first one': [
          [
            make({ code: '1', privacy: 'public' }),
            post({ name: '{new.a}_more', code: '1', privacy: 'public' }),
            post({ name: '{new.b}', code: '// {new.a}', privacy: 'public' }),
            `${SEARCH}?query={new.a}`,
          ],
          values({ data: { type: 'array', minItems: 3, items: [having({ id: '{made.id}' })] } }),
        ],
      },
    ),
  ]),
];
