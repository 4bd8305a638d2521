import * as z from 'zod';
import type { Emulator, Fixtures } from '../../../src/index.js';

/** An account with each kind of records that a pull reads, of both versions. */
export const RICH: Fixtures = {
  users: [
    {
      username: 'ada',
      email: 'ada@planted.example',
      bio: 'Ada of Planted',
      profileImageUrl: 'https://a.example/a.png',
    },
    { username: 'grace' },
    { username: 'linus', bio: 'Member' },
  ],
  organizations: [{ username: 'acme', createdAt: '2024-01-01T00:00:00.000Z' }, { username: 'others' }],
  memberships: [
    { organization: 'acme', user: 'linus', role: 'owner' },
    { organization: 'acme', user: 'ada' },
    { organization: 'others', user: 'grace' },
  ],
  projects: [
    {
      ...{ owner: 'ada', name: 'site', description: 'Of Ada', imageUrl: 'https://a.example/site.png' },
      files: {
        'main.http.ts': 'export default () => new Response("ok");',
        'daily.cron.ts': '',
        'inbox.email.ts': 'export default () => {};',
        'notes_[1]_(draft)$.md': '# ada@planted.example\r\n\tä 🜁',
        'src/lib/deep/util.ts': 'export const limit = 1;',
        empty: { type: 'directory' },
        'many/file9.txt': '9',
      },
      env: { API_KEY: 's3cret-value', OTHER: { value: 'an0ther-value', description: 'Of the weather' } },
      createdAt: '2024-02-01T00:00:00.000Z',
    },
    { owner: 'ada', name: 'hidden', privacy: 'private', files: { 'a.ts': 'const key = "ada-token";' } },
    { owner: 'ada', name: 'bare', privacy: 'unlisted' },
    { owner: 'acme', name: 'shop', files: { 'index.html': '<p>' }, env: { SHOP: 's3cret-shop' } },
    { owner: 'acme', name: 'vault', privacy: 'private', files: { 'v.txt': 'v' } },
    { owner: 'grace', name: 'theirs', files: { 'a.ts': 'export const a = 1;' } },
    { owner: 'others', name: 'public', files: { 'b.ts': 'export const b = 1;' } },
  ],
  vals: [
    { author: 'ada', name: 'hello', code: 'export const hello = "ada-token";', readme: '# Hi' },
    { author: 'ada', name: 'secret', code: 'export const secret = 1;', privacy: 'private' },
    { author: 'grace', name: 'user', code: 'import { hello } from "https://esm.town/v/ada/hello";' },
  ],
  versions: [{ val: 'ada/hello', code: 'export const hello = 0;' }],
  runs: [
    {
      val: 'ada/hello',
      runStartAt: '2024-03-01T00:00:00.000Z',
      logs: ['ada-token', { deep: ['ä'] }],
      returnValue: { ok: 1 },
    },
    { val: 'ada/secret', runStartAt: '2024-03-02T00:00:00.000Z', error: { message: 'boom' } },
  ],
  likes: [
    { user: 'grace', val: 'ada/hello' },
    { user: 'ada', val: 'grace/user', createdAt: '2024-03-01T00:00:00.000Z' },
  ],
  comments: [
    { author: 'grace', val: 'ada/hello', comment: 'Nice, @ada', createdAt: '2024-03-01T00:00:00.000Z' },
    { author: 'grace', val: 'ada/secret', comment: 'How do you know?', createdAt: '2024-03-01T00:00:00.000Z' },
  ],
  emails: [{ user: 'ada', subject: 'Planted' }],
  blobs: [
    { user: 'ada', key: 'a/b?c#d', base64: 'AP8=', createdAt: '2024-01-01T00:00:00.000Z' },
    { user: 'ada', key: 'ä', text: 'with ada-token', createdAt: '2024-01-02T00:00:00.000Z' },
  ],
  sqlite: [{ user: 'ada', sql: 'CREATE TABLE notes (text)' }],
};

/** A client of the API with the token of ada. */
export const clientOf =
  ({ url }: Emulator) =>
  async (method: string, path: string, body?: object): Promise<{ readonly id: string }> => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return z.looseObject({ id: z.string().default('') }).parse(text === '' ? {} : JSON.parse(text));
  };

/** Lists the requests for all files of the project ada/site. @param history whether in all versions, not in the latest alone */
export async function listFileReads(emulator: Emulator, history: boolean): Promise<string[]> {
  const { id } = await clientOf(emulator)('GET', '/v2/alias/vals/ada/site');
  const Items = z.object({ data: z.array(z.looseObject({})) });
  const list = async (path: string) => {
    const response = await fetch(emulator.url + path, { headers: { authorization: 'Bearer ada-token' } });
    return Items.parse(await response.json()).data;
  };
  const reads: string[] = [];
  for (const { id: branch, version } of await list(`/v2/vals/${id}/branches?limit=100`)) {
    for (let each = history ? 0 : Number(version); each <= Number(version); each++) {
      const at = `branch_id=${branch}&version=${each}`;
      const all = `/v2/vals/${id}/files?path=&recursive=true&limit=100&${at}`;
      const files = (await list(all)).filter(({ type }) => type !== 'directory');
      const texts = files.map(
        ({ path }) => `/v2/vals/${id}/files/content?path=${encodeURIComponent(String(path))}&${at}`,
      );
      reads.push(all, ...texts);
    }
  }
  return reads;
}

/** Gives the project ada/site a history: forks of old versions and of forks, moves, swaps, deletions, a fork without its parent. */
export async function writeHistory(emulator: Emulator): Promise<void> {
  const send = clientOf(emulator);
  const { id } = await send('GET', '/v2/alias/vals/ada/site');
  const file = (path: string, branch?: string) =>
    `/v2/vals/${id}/files?path=${encodeURIComponent(path)}${branch === undefined ? '' : `&branch_id=${branch}`}`;
  const fork = async (name: string, branchId?: string) =>
    (await send('POST', `/v2/vals/${id}/branches`, { name, ...(branchId !== undefined && { branchId }) })).id;

  const draft = await fork('draft');
  await send('PUT', file('main.http.ts'), { content: 'export default () => new Response("new");' });
  await send('POST', file('tmp/a.ts'), { type: 'script', content: 'a' });
  await send('POST', file('tmp/b.ts'), { type: 'script', content: 'b' });
  const second = await fork('second');
  await send('PUT', file('tmp/a.ts'), { name: 'c.ts' });
  await send('PUT', file('tmp/b.ts'), { name: 'a.ts' });
  await send('PUT', file('tmp/c.ts'), { name: 'b.ts' });
  await send('PUT', file('tmp'), { name: 'moved' });
  const third = await fork('third');
  await send('DELETE', `${file('moved')}&recursive=true`);
  await send('POST', file('moved'), { type: 'file', content: 'a file now' });
  await send('PUT', file('src/lib'), { parent_path: null });
  await send('PUT', file('daily.cron.ts'), { type: 'script' });
  await send('PUT', file('main.http.ts', draft), { content: '' });
  const fourth = await fork('a$fork[of](a)-fork_1.0', draft);
  await send('DELETE', file('main.http.ts', fourth));
  await send('DELETE', `${file('', third)}&recursive=true`);
  await send('POST', file('x/y/z', third), { type: 'directory' });
  const gone = await fork('gone', second);
  await send('POST', file('own.txt', gone), { type: 'file', content: 'own' });
  const orphan = await fork('orphan', gone);
  await send('PUT', file('own.txt', orphan), { content: 'changed' });
  await send('DELETE', `/v2/vals/${id}/branches/${gone}`);
}
