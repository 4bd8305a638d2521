import { type Case, chosen, operation, recorded, specified } from '../case.js';
import { fields, make } from './new-val.js';
import { extendedVal, having, pageWith, pageWithout } from './schemas.js';

const getCases = operation('getVal', 'GET /v1/vals/{val_id}', [
  specified('Returns a val by its id, with or without a token.', {
    id: 'keys',
    title: 'Without a token a public val has exactly the documented keys',
    act: { send: 'GET /v1/vals/{val.id}', as: 'anonymous' },
    expect: { status: 200, body: { allOf: [extendedVal, having({ id: '{val.id}', name: '{val.name}' })] } },
  }),
  recorded(
    'Every client can read public and unlisted vals; only the author can read private ones.',
    {
      id: 'endpoint',
      title: 'Only vals that serve HTTP have an endpoint',
      level: 'write',
      arrange: [make({ type: 'httpnext' })],
      act: 'GET /v1/vals/{made.id}',
      expect: { status: 200, body: having({ links: having({ endpoint: { type: 'string', pattern: '^https://' } }) }) },
    },
    {
      id: 'no-endpoint',
      title: 'A script has no endpoint',
      level: 'write',
      arrange: [make()],
      act: 'GET /v1/vals/{made.id}',
      expect: { status: 200, body: having({ links: { not: { required: ['endpoint'] } } }) },
    },
  ),
]);

const idCases = operation('getVal', '*', [
  recorded(
    'An id is a UUID of any version; other values are a 400.',
    {
      id: 'version-1',
      title: 'An unknown UUID of version 1 is a 404',
      act: 'GET /v1/vals/1ff86f92-e9f7-11ee-9325-8aad37b30b4b',
      expect: { status: 404 },
    },
    { id: 'unknown', title: 'An unknown id is a 404', act: 'GET /v1/vals/{unknown}', expect: { status: 404 } },
    {
      id: 'upper-case',
      title: 'An id in upper case is the same val',
      act: 'GET /v1/vals/{upper.val.id}',
      expect: { status: 200, body: having({ id: '{val.id}' }) },
    },
  ),
]);

const settingsCases = operation('updateVal', 'PUT /v1/vals/{val_id}', [
  recorded(
    'Every setting is optional, and settings left out stay unchanged. An empty object is valid.',
    {
      id: 'one-setting',
      title: 'A new privacy leaves name, readme and type unchanged',
      level: 'write',
      arrange: [make({ readme: '# a' }), { send: 'PUT /v1/vals/{made.id}', body: { privacy: 'public' } }],
      act: 'GET /v1/vals/{made.id}',
      expect: {
        status: 200,
        body: having({ privacy: 'public', public: true, name: '{made.name}', readme: '# a', type: 'script' }),
      },
    },
    {
      id: 'all-settings',
      title: 'Name, readme, privacy and type are changed at once',
      level: 'write',
      arrange: [
        make(),
        {
          send: 'PUT /v1/vals/{made.id}',
          body: { name: '{new.b}', readme: '# b', privacy: 'unlisted', type: 'email' },
        },
      ],
      act: 'GET /v1/vals/{made.id}',
      expect: {
        status: 200,
        body: having({ name: '{new.b}', readme: '# b', privacy: 'unlisted', type: 'email', version: 0 }),
      },
    },
    {
      id: 'empty',
      title: 'An empty object is a success',
      level: 'write',
      arrange: [make()],
      act: { send: 'PUT /v1/vals/{made.id}', body: {} },
      expect: { status: 204 },
    },
    {
      id: 'wrong-privacy',
      title: 'An unknown privacy is a 400',
      level: 'write',
      arrange: [make()],
      act: { send: 'PUT /v1/vals/{made.id}', body: { privacy: 'secret' } },
      expect: { status: 400 },
    },
  ),
  recorded('Clients expect exactly a 204.', {
    id: 'status',
    title: 'A change is a 204 without a body',
    level: 'write',
    arrange: [make()],
    act: { send: 'PUT /v1/vals/{made.id}', body: { readme: '# a' } },
    expect: { status: 204, body: 'none' },
  }),
  recorded('code is ignored, since it has versions.', {
    id: 'code',
    title: 'Code in the body changes nothing',
    level: 'write',
    arrange: [make(), { send: 'PUT /v1/vals/{made.id}', body: { code: '2' } }],
    act: 'GET /v1/vals/{made.id}',
    expect: { status: 200, body: having({ code: 'export const a = 1;', version: 0 }) },
  }),
  chosen(
    'A name in use by another val of the author is a 409, as with POST.',
    {
      id: 'conflict',
      title: 'The name of another val is a 409',
      level: 'write',
      arrange: [make(), { send: 'POST /v1/vals', body: fields({ name: '{new.b}' }) }],
      act: { send: 'PUT /v1/vals/{made.id}', body: { name: '{new.b}' } },
      expect: { status: 409 },
    },
    {
      id: 'own-name',
      title: 'The own name in upper case is accepted',
      level: 'write',
      arrange: [make()],
      act: { send: 'PUT /v1/vals/{made.id}', body: { name: '{upper.made.name}' } },
      expect: { status: 204 },
    },
  ),
  chosen(
    "Another user's val is a 404, as with DELETE.",
    {
      id: 'of-another',
      title: "Another user's public val is a 404",
      level: 'write',
      needs: ['second'],
      arrange: [make({ privacy: 'public' })],
      act: { send: 'PUT /v1/vals/{made.id}', as: 'second', body: { readme: '# b' } },
      expect: { status: 404 },
    },
    {
      id: 'unknown',
      title: 'An unknown id is a 404',
      level: 'write',
      act: { send: 'PUT /v1/vals/{unknown}', body: {} },
      expect: { status: 404 },
    },
  ),
]);

const deleteCases = operation('deleteVal', 'DELETE /v1/vals/{val_id}', [
  specified('Deletes a val.', {
    id: 'deletes',
    title: 'A deleted val is a 404',
    level: 'write',
    arrange: [make(), { send: 'DELETE /v1/vals/{made.id}' }],
    act: 'GET /v1/vals/{made.id}',
    expect: { status: 404 },
  }),
  recorded(
    'The response is 204, and 404 the second time.',
    {
      id: 'status',
      title: 'The response is a 204 without a body',
      level: 'write',
      arrange: [make()],
      act: 'DELETE /v1/vals/{made.id}',
      expect: { status: 204, body: 'none' },
    },
    {
      id: 'twice',
      title: 'The second time is a 404',
      level: 'write',
      arrange: [make(), { send: 'DELETE /v1/vals/{made.id}' }],
      act: 'DELETE /v1/vals/{made.id}',
      expect: { status: 404 },
    },
  ),
  recorded('The name can be used again.', {
    id: 'name',
    title: 'The name of a deleted val is accepted for a new one',
    level: 'write',
    arrange: [make(), { send: 'DELETE /v1/vals/{made.id}' }],
    act: { send: 'POST /v1/vals', body: fields() },
    expect: { status: 200, body: having({ version: 0 }) },
  }),
  chosen(
    'Versions, runs, likes and comments of the val are deleted too, since no route leads to them.',
    {
      id: 'versions',
      title: 'The versions of a deleted val are a 404',
      level: 'write',
      arrange: [make(), { send: 'DELETE /v1/vals/{made.id}' }],
      act: 'GET /v1/vals/{made.id}/versions',
      expect: { status: 404 },
    },
    {
      id: 'list',
      title: 'A deleted val is not in the list of its author',
      level: 'write',
      arrange: [make(), { send: 'DELETE /v1/vals/{made.id}' }],
      act: 'GET /v1/users/{me.id}/vals?limit=100',
      expect: { status: 200, body: pageWithout({ id: '{made.id}' }) },
    },
  ),
  chosen(
    "Another user's val is a 404, the only error in the documents.",
    {
      id: 'of-another',
      title: "Another user's public val is a 404",
      level: 'write',
      needs: ['second'],
      arrange: [make({ privacy: 'public' })],
      act: { send: 'DELETE /v1/vals/{made.id}', as: 'second' },
      expect: { status: 404 },
    },
    {
      id: 'stays',
      title: 'A val that another user tried to delete is still there',
      level: 'write',
      needs: ['second'],
      arrange: [make({ privacy: 'public' }), { send: 'DELETE /v1/vals/{made.id}', as: 'second', status: 404 }],
      act: 'GET /v1/users/{me.id}/vals?limit=100',
      expect: { status: 200, body: pageWith({ id: '{made.id}' }) },
    },
  ),
]);

/** Of the routes with the id of a val. */
export const valCases: readonly Case[] = [...getCases, ...idCases, ...settingsCases, ...deleteCases];
