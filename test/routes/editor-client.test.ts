import { expect, test } from 'vitest';
import * as z from 'zod';
import { launch } from '../cli/cli.js';

const Val = z.object({
  id: z.string(),
  name: z.string(),
  code: z.string().nullable(),
  version: z.number(),
  privacy: z.enum(['public', 'unlisted', 'private']),
  author: z.object({ username: z.string().nullable() }).nullable(),
});
const Version = z.object({ val_id: z.string(), version: z.number(), createdAt: z.string() });
const Me = z.object({ id: z.string(), username: z.string() });

/** What an editor extension does with the API, knowing nothing of the emulator but an address and a token. */
class Editor {
  readonly #base: string;
  readonly #token: string;

  constructor(base: string, token: string) {
    this.#base = base;
    this.#token = token;
  }

  /** Like many clients it says that it sends JSON, also where it sends nothing. */
  async #send(method: string, address: string, body?: object): Promise<Response> {
    return fetch(new URL(address, this.#base), {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json', Accept: '*/*' },
      ...(body ? { body: JSON.stringify(body, null, 2) } : {}),
    });
  }

  async #read<T>(schema: z.ZodType<T>, method: string, address: string, body?: object): Promise<T> {
    const response = await this.#send(method, address, body);
    if (!response.ok)
      throw new Error(
        `${method} ${address}: ${z.object({ message: z.string() }).parse(await response.json()).message}`,
      );
    return schema.parse(await response.json());
  }

  async #list<T>(schema: z.ZodType<T>, address: string): Promise<T[]> {
    const Page = z.object({ data: z.array(schema), links: z.object({ next: z.url().optional() }) });
    const items: T[] = [];
    for (let at: string | undefined = address; at !== undefined; ) {
      const page: z.infer<typeof Page> = await this.#read(Page, 'GET', at);
      items.push(...page.data);
      at = page.links.next;
    }
    return items;
  }

  /** Clients take exactly 204 for done. */
  async #do(method: string, address: string, body?: object): Promise<void> {
    const response = await this.#send(method, address, body);
    if (response.status !== 204) throw new Error(`${method} ${address}: ${response.status}`);
  }

  whoAmI = () => this.#read(Me, 'GET', '/v1/me');
  valsOf = (userId: string) => this.#list(Val, `/v1/users/${userId}/vals?limit=10`);
  open = (id: string) => this.#read(Val, 'GET', `/v1/vals/${id}`);
  create = (code: string) => this.#read(Val, 'POST', '/v1/vals', { code });
  save = (id: string, code: string) => this.#read(Val, 'POST', `/v1/vals/${id}/versions`, { code });
  rename = (id: string, name: string) => this.#do('PUT', `/v1/vals/${id}`, { name });
  setPrivacy = (id: string, privacy: string) => this.#do('PUT', `/v1/vals/${id}`, { privacy });
  versions = (id: string) => this.#list(Version, `/v1/vals/${id}/versions`);
  openVersion = (id: string, version: number) => this.#read(Val, 'GET', `/v1/vals/${id}/versions/${version}`);
  remove = (id: string) => this.#do('DELETE', `/v1/vals/${id}`);
  search = (query: string) => this.#list(Val, `/v1/search/vals?limit=10&query=${encodeURIComponent(query)}`);
  resolve = (uri: string) => this.#read(Val, 'GET', `/v1/alias/${uri}`);
}

test('an editor works from the first screen to the last', async () => {
  const command = launch(['start', '--port', '0', '--json']);
  const [line = ''] = await command.prints(/^.*\n/);
  const { url, users } = z
    .object({ url: z.url(), users: z.array(z.object({ token: z.string() })) })
    .parse(JSON.parse(line));
  const editor = new Editor(url, users[0]?.token ?? '');

  const me = await editor.whoAmI();
  expect(me.username).toBe('ada');
  const before = await editor.valsOf(me.id);
  expect(before.length).toBeGreaterThan(5);
  expect(before.map(({ author }) => author?.username)).toEqual(before.map(() => 'ada'));
  expect(new Set(before.map(({ privacy }) => privacy))).toEqual(new Set(['public', 'unlisted', 'private']));

  const draft = await editor.create('export const answer = 41;');
  expect(draft).toMatchObject({ version: 0, privacy: 'private' });
  const saved = await editor.save(draft.id, 'export const answer = 42;');
  expect(saved).toMatchObject({ id: draft.id, name: draft.name, version: 1, code: 'export const answer = 42;' });
  await editor.rename(draft.id, 'ultimateAnswer');
  expect(await editor.search('ultimateAnswer')).toEqual([]);
  await editor.setPrivacy(draft.id, 'public');
  expect(await editor.open(draft.id)).toMatchObject({ name: 'ultimateAnswer', privacy: 'public', version: 1 });

  const [latest, ...previous] = await editor.versions(draft.id);
  expect(latest?.version).toBe(1);
  expect(previous.map(({ version }) => version)).toEqual([0]);
  expect(await editor.openVersion(draft.id, 0)).toMatchObject({ version: 0, code: 'export const answer = 41;' });

  expect((await editor.search('ultimateanswer')).map(({ id }) => id)).toEqual([draft.id]);
  expect(await editor.resolve('@ada/ULTIMATEanswer')).toMatchObject({ id: draft.id });
  expect((await editor.valsOf(me.id)).map(({ id }) => id)).toEqual([draft.id, ...before.map(({ id }) => id)]);

  await editor.remove(draft.id);
  await expect(editor.open(draft.id)).rejects.toThrow('The val was not found');
  await expect(editor.resolve('@ada/ultimateAnswer')).rejects.toThrow('The val was not found');
  expect(await editor.valsOf(me.id)).toEqual(before);
});
