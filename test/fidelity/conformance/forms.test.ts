import { expect, test } from 'vitest';
import { readJson } from '../../support/read-json.js';
import { hasRedis } from '../../support/redis.js';
import { FORMS, ON_REDIS } from './forms.js';
import { TOKENS } from './target.js';

const names = Object.keys(FORMS).filter((name) => hasRedis || name !== ON_REDIS);

test.each(names)('%s: the emulator knows both users, and its links lead back to it', async (name) => {
  const target = await FORMS[name]?.();
  if (!target) throw new Error(`no form ${name}`);
  try {
    const get = async (token: string, url: string) =>
      readJson(await fetch(url, { headers: { authorization: `Bearer ${token}` } }));
    const me = await get(target.token, `${target.url}/v1/me`);
    const { username } = await get(TOKENS.secondToken, `${target.url}/v1/me`);
    const { links } = await get(target.token, `${target.url}/v1/me/runs?limit=1`);
    const next = await get(target.token, links.next);
    const created = await fetch(`${target.url}/v1/vals`, {
      method: 'POST',
      headers: { authorization: `Bearer ${target.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'made', code: '1' }),
    });

    expect([me.username, username]).toEqual(['ada', 'grace']);
    expect(me.links.self).toBe(`${target.url}/v1/users/${me.id}`);
    expect(next.links.self).toBe(`${target.url}/v1/me/runs?limit=1&offset=1`);
    expect([created.status, (await readJson(created)).name]).toEqual([200, 'made']);
  } finally {
    await target.close();
  }
  await expect(fetch(`${target.url}/v1/me`)).rejects.toThrow('fetch failed');
});
