import { expect } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';

export const id = (n: number): string => `4e110000-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const NO_ID = id(999);

/** Projects of a user and of an organization, in which Ada and Bob are. */
const fixtures: Fixtures = {
  users: [
    { username: 'ada', id: id(1) },
    { username: 'bob', id: id(2) },
    { username: 'eve', id: id(3) },
  ],
  organizations: [{ username: 'team', id: id(10) }],
  memberships: [
    { organization: 'team', user: 'bob', role: 'member', id: id(12) },
    { organization: 'team', user: 'ada', role: 'owner', id: id(11) },
  ],
  projects: [
    {
      ...{ owner: 'ada', name: 'site', id: id(20), privacy: 'public', description: 'Pages' },
      createdAt: '2024-06-01T00:00:00Z',
      files: { 'main.http.ts': 'one', 'src/a.ts': 'two' },
    },
    { owner: 'ada', name: 'hidden', id: id(21), privacy: 'private', createdAt: '2024-06-02T00:00:00Z' },
    { owner: 'ada', name: 'quiet', id: id(22), privacy: 'unlisted', createdAt: '2024-06-03T00:00:00Z' },
    { owner: 'team', name: 'shared', id: id(23), privacy: 'private', createdAt: '2024-06-04T00:00:00Z' },
    { owner: 'eve', name: 'site', id: id(24), privacy: 'public', createdAt: '2024-06-05T00:00:00Z' },
  ],
};
export const [SITE, HIDDEN, QUIET, SHARED, EVES] = [id(20), id(21), id(22), id(23), id(24)];

/** Sends requests to an emulator over the fixtures, and returns what a test expects of them. */
export async function serve(more: Fixtures = {}) {
  const emulator = await emulate({ ...fixtures, ...more });
  type Client = ReturnType<typeof as>;
  const send =
    (method: 'get' | 'post' | 'put' | 'delete') =>
    async (path: string, body?: object, user: string | undefined = 'ada') => {
      const client: Client = as(emulator, user === 'nobody' ? undefined : user);
      const request = client[method](path);
      const response = body === undefined ? await request : await request.send(body);
      return { status: response.status, body: response.body, text: response.text, headers: response.headers };
    };
  const [get, post, put, del] = [send('get'), send('post'), send('put'), send('delete')];
  return {
    ...{ emulator, get, post, put, del },
    /** Returns the id and the version of a branch. */
    async branch(name = 'main', project = SITE) {
      const { body } = await get(`/v2/vals/${project}/branches?limit=100`);
      const found = body.data.find((each: { readonly name: string }) => each.name === name);
      expect(found).toBeDefined();
      return found;
    },
    async paths(query = '', project = SITE): Promise<string[]> {
      const { body } = await get(`/v2/vals/${project}/files?path=&recursive=true&limit=100${query}`);
      return body.data.map((file: { readonly path: string }) => file.path);
    },
  };
}
