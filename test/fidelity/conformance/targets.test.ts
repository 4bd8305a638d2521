import { expect, test } from 'vitest';
import { readJson } from '../../support/read-json.js';
import type { Target } from './target.js';
import { startJsonServer, startPrism } from './targets.js';

const get = ({ url, token }: Target, path: string) =>
  fetch(url + path, { headers: { authorization: `Bearer ${token}` } });

async function look(target: Target, paths: readonly string[]) {
  const seen: unknown[] = [];
  for (const path of paths) {
    const response = await get(target, path);
    const body = await readJson(response);
    seen.push([path, response.status, Array.isArray(body) ? body.length : Object.keys(body)]);
  }
  return seen;
}

test('json-server has the records, and neither pages nor the shapes of the API', async () => {
  const target = await startJsonServer();
  const paths = ['/v1/me', '/v1/me/runs?limit=2', '/v1/me/references', '/v1/alias/ada', '/v1/alias/ada/hello'];
  try {
    expect(await look(target, [...paths, '/v1/search/vals?query=weather'])).toEqual([
      ['/v1/me', 200, ['username', 'id', 'email', 'bio', 'profileImageUrl', 'tier']],
      ['/v1/me/runs?limit=2', 200, 66],
      ['/v1/me/references', 404, []],
      ['/v1/alias/ada', 200, 1],
      ['/v1/alias/ada/hello', 200, 1],
      ['/v1/search/vals?query=weather', 200, 2],
    ]);
  } finally {
    await target.close();
  }
});

test('Prism has the shapes of the API, and one example in place of the records', async () => {
  const target = await startPrism();
  try {
    expect(await look(target, ['/v1/me', '/v1/me/runs?limit=2', '/v1/me/runs?limit=500', '/v1/nothing'])).toEqual([
      ['/v1/me', 200, ['id', 'bio', 'username', 'profileImageUrl', 'url', 'links', 'tier', 'email']],
      ['/v1/me/runs?limit=2', 200, ['data', 'links']],
      ['/v1/me/runs?limit=500', 400, ['message', 'error', 'statusCode', 'code']],
      ['/v1/nothing', 404, ['type', 'title', 'status', 'detail']],
    ]);
  } finally {
    await target.close();
  }
});
