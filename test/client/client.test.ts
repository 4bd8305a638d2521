import createClient from 'openapi-fetch';
import { expect, expectTypeOf, test } from 'vitest';
import { emulate } from '../support/emulate.js';
import type { components, paths } from './api.js';

type ExtendedVal = components['schemas']['ExtendedVal'];

/** Returns the data of a response. @throws for an error */
function unwrap<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data;
}

test('a generated client can call every kind of operation', async () => {
  const emulator = await emulate({
    users: [{ username: 'ada' }, { username: 'grace' }],
    vals: [{ author: 'grace', name: 'guest', code: "import 'https://esm.town/v/ada/greeting';" }],
  });
  const client = createClient<paths>({ baseUrl: emulator.url, headers: { Authorization: 'Bearer ada-token' } });

  const me = unwrap(await client.GET('/v1/me'));
  expectTypeOf(me.username).toEqualTypeOf<string | null>();
  expectTypeOf(me.tier).toEqualTypeOf<'free' | 'pro' | null>();
  expect(me.username).toBe('ada');

  const made = unwrap(await client.POST('/v1/vals', { body: { name: 'greeting', code: 'one', privacy: 'public' } }));
  expectTypeOf(made).toEqualTypeOf<ExtendedVal>();
  expect(made).toMatchObject({ name: 'greeting', version: 0, code: 'one' });
  const path = { val_id: made.id };

  const second = unwrap(await client.POST('/v1/vals/{val_id}/versions', { params: { path }, body: { code: 'two' } }));
  expect(second.version).toBe(1);
  const third = unwrap(await client.PUT('/v1/vals', { body: { name: 'greeting', code: 'three' } }));
  expect(third).toMatchObject({ id: made.id, version: 2 });

  const versions = await client.GET('/v1/vals/{val_id}/versions', { params: { path, query: { limit: 2 } } });
  expect(unwrap(versions).data.map(({ version }) => version)).toEqual([2, 1]);
  const first = await client.GET('/v1/vals/{val_id}/versions/{version}', { params: { path: { ...path, version: 0 } } });
  expect(unwrap(first).code).toBe('one');

  const renamed = await client.PUT('/v1/vals/{val_id}', { params: { path }, body: { name: 'welcome' } });
  expect(renamed.response.status).toBe(204);
  const found = await client.GET('/v1/alias/{username}/{val_name}', {
    params: { path: { username: '@ada', val_name: 'welcome' } },
  });
  expect(unwrap(found).id).toBe(made.id);

  const mine = await client.GET('/v1/users/{user_id}/vals', { params: { path: { user_id: me.id } } });
  expect(unwrap(mine).data).toHaveLength(1);
  const searched = await client.GET('/v1/search/vals', { params: { query: { query: 'greeting' } } });
  expect(unwrap(searched).data.map(({ name }) => name)).toEqual(['guest']);

  const received = await client.GET('/v1/me/comments', { params: { query: { relationship: 'received' } } });
  expect(unwrap(received).data).toEqual([]);
  const runs = await client.GET('/v1/vals/{val_id}/runs', {
    params: { path, query: { error: true, source: ['ui', 'api'] } },
    querySerializer: { array: { style: 'form', explode: false } },
  });
  expect(unwrap(runs).data).toEqual([]);

  const gone = await client.DELETE('/v1/vals/{val_id}', { params: { path } });
  expect(gone.response.status).toBe(204);
  const missing = await client.GET('/v1/vals/{val_id}', { params: { path } });
  expect(missing.error).toEqual({ message: 'The val was not found', error: 'Not Found', statusCode: 404 });
});

test('undocumented parameters and paths do not compile', () => {
  type Comments = paths['/v1/me/comments']['get']['parameters']['query'];

  expectTypeOf<{ relationship: 'any' }>().toExtend<NonNullable<Comments>>();
  expectTypeOf<{ relationship: 'all' }>().not.toExtend<NonNullable<Comments>>();
  expectTypeOf<{ limit: string }>().not.toExtend<NonNullable<Comments>>();
  expectTypeOf<{ code: string }>().toExtend<components['schemas']['NewCode']>();
  expectTypeOf<{ name: string }>().not.toExtend<components['schemas']['NewCode']>();
  expectTypeOf<'/v1/nothing'>().not.toExtend<keyof paths>();
});
