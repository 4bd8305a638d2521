import { type Case, chosen, operation, recorded, specified } from '../case.js';
import { basicVal, having, me, pageOf, pageWith } from './schemas.js';

export const userCases: readonly Case[] = [
  ...operation('getMe', 'GET /v1/me', [
    specified('The profile of the caller.', {
      id: 'profile',
      title: 'The profile has the id and the username of the author of the own vals',
      act: 'GET /v1/me',
      expect: { status: 200, body: having({ id: '{val.author.id}', username: '{val.author.username}' }) },
    }),
    recorded('The username has no @.', {
      id: 'no-at',
      title: 'The username does not begin with @',
      act: 'GET /v1/me',
      expect: { status: 200, body: having({ username: { not: { type: 'string', pattern: '^@' } } }) },
    }),
  ]),
  ...operation('getMe', '*', [
    recorded(
      'Objects have exactly the keys of late 2024: one published client requires each of them and rejects others.',
      {
        id: 'keys',
        title: 'The profile has exactly the documented keys',
        act: 'GET /v1/me',
        expect: { status: 200, body: me },
      },
    ),
  ]),
  ...operation('getUser', '*', [
    recorded(
      'An id is a UUID of any version; other values are a 400.',
      { id: 'unknown', title: 'An unknown id is a 404', act: 'GET /v1/users/{unknown}', expect: { status: 404 } },
      {
        id: 'upper-case',
        title: 'An id in upper case is the same user',
        act: 'GET /v1/users/{upper.me.id}',
        expect: { status: 200, body: having({ id: '{me.id}' }) },
      },
    ),
  ]),
  ...operation('getAlias', 'GET /v1/alias/{username}', [
    recorded('An @ before the name is ignored; some clients send one.', {
      id: 'at',
      title: 'A name with an @ is the same user',
      act: { send: 'GET /v1/alias/@{me.username}', as: 'anonymous' },
      expect: { status: 200, body: having({ id: '{me.id}' }) },
    }),
    recorded(
      'Names are case-insensitive.',
      {
        id: 'case',
        title: 'A name in upper case is the same user',
        act: 'GET /v1/alias/{upper.me.username}',
        expect: { status: 200, body: having({ id: '{me.id}' }) },
      },
      {
        id: 'unknown',
        title: 'An unknown name is a 404',
        act: 'GET /v1/alias/unknown_{hex}',
        expect: { status: 404 },
      },
    ),
  ]),
  ...operation('getValByName', 'GET /v1/alias/{username}/{val_name}', [
    recorded(
      'Names are case-insensitive, and an @ before the author is ignored.',
      {
        id: 'case',
        title: 'The name of a val in upper case is the same val',
        act: 'GET /v1/alias/@{me.username}/{upper.val.name}',
        expect: { status: 200, body: having({ id: '{val.id}' }) },
      },
      {
        id: 'unknown',
        title: 'An unknown name of a val is a 404',
        act: 'GET /v1/alias/{me.username}/none_{hex}',
        expect: { status: 404 },
      },
    ),
    chosen('An unknown author is the same 404 as an unknown val, since the route returns vals.', {
      id: 'unknown-author',
      title: 'An unknown author is a 404',
      act: 'GET /v1/alias/unknown_{hex}/hello',
      expect: { status: 404 },
    }),
  ]),
  ...operation('listUserVals', 'GET /v1/users/{user_id}/vals', [
    recorded('Clients see the public vals of a user; the user sees all.', {
      id: 'public',
      title: 'Without a token only public vals are listed',
      act: { send: 'GET /v1/users/{me.id}/vals?limit=100', as: 'anonymous' },
      expect: { status: 200, body: pageOf(having({ privacy: 'public', public: true })) },
    }),
    chosen('An unknown user is a 404, as on the route of the user.', {
      id: 'unknown',
      title: 'The vals of an unknown user are a 404',
      act: 'GET /v1/users/{unknown}/vals',
      expect: { status: 404 },
    }),
  ]),
  ...operation('searchVals', 'GET /v1/search/vals', [
    recorded('The search returns public vals only.', {
      id: 'public',
      title: 'All vals found are public',
      act: 'GET /v1/search/vals?query={val.name}&limit=100',
      expect: { status: 200, body: pageOf({ allOf: [basicVal, having({ privacy: 'public' })] }) },
    }),
    recorded(
      'A query has 1 to 512 characters.',
      {
        id: 'no-query',
        title: 'A search without a query is a 400',
        act: 'GET /v1/search/vals',
        expect: { status: 400 },
      },
      {
        id: 'empty',
        title: 'An empty query is a 400',
        act: 'GET /v1/search/vals?query=',
        expect: { status: 400 },
      },
      {
        id: 'longest',
        title: 'A query of 512 characters is accepted',
        act: 'GET /v1/search/vals?query={long.512}',
        expect: { status: 200 },
      },
      {
        id: 'too-long',
        title: 'A query of 513 characters is a 400',
        act: 'GET /v1/search/vals?query={long.513}',
        expect: { status: 400 },
      },
    ),
    chosen(
      'Each word of the query must occur in name, readme or code; case is ignored.',
      {
        id: 'words',
        title: 'A query with a word that occurs nowhere finds nothing',
        act: 'GET /v1/search/vals?query={val.name}%20none_{hex}',
        expect: { status: 200, body: having({ data: { type: 'array', maxItems: 0 } }) },
      },
      {
        id: 'case',
        title: 'A name in upper case is found',
        act: 'GET /v1/search/vals?query={upper.val.name}&limit=100',
        expect: { status: 200, body: pageWith({ id: '{val.id}' }) },
      },
    ),
    chosen(
      'Results are ranked: equal names, names that begin with the query, names that contain it, readmes, code. The newest of each come first.',
      {
        id: 'rank',
        title: 'A val of exactly that name is the first one',
        level: 'write',
        arrange: [
          { send: 'POST /v1/vals', body: { name: '{new.a}', code: '1', privacy: 'public' }, save: 'made' },
          { send: 'POST /v1/vals', body: { name: '{new.a}_more', code: '1', privacy: 'public' } },
          { send: 'POST /v1/vals', body: { name: '{new.b}', code: '// {new.a}', privacy: 'public' } },
        ],
        act: 'GET /v1/search/vals?query={new.a}',
        expect: {
          status: 200,
          body: having({ data: { type: 'array', minItems: 3, items: [having({ id: '{made.id}' })] } }),
        },
      },
    ),
  ]),
];
