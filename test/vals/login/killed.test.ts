import { expect, test } from 'vitest';
import { makeFolder } from '../../engine/persistence/folder.js';
import { spawnCli } from '../../tools/cli/cli.js';
import { exchange, lead, refresh, register, toAddress } from './support.js';

/** Starts the command on a data folder. */
async function serve(data: string) {
  const command = spawnCli(['start', '--data', data, '--login', 'ada', '--port', '0']);
  const [, url = ''] = await command.prints(/listens on (\S+)/);
  const send = (path: string | URL | Request, init?: RequestInit) => fetch(`${url}${String(path)}`, init);
  return { send, kill: () => command.kill('SIGKILL') };
}

test('a killed process has kept each client, code and token that it gave', async () => {
  const data = makeFolder();
  const first = await serve(data);
  const client = await register(first.send);
  const address = toAddress(client, { scope: 'user_r offline_access' });
  const code = (await lead(first.send, address)).searchParams.get('code') ?? '';
  await first.kill();

  const second = await serve(data);
  const { status, body } = await exchange(second.send, client, code);
  await second.kill();

  const third = await serve(data);
  const me = await third.send('/v1/me', { headers: { authorization: `Bearer ${body.access_token}` } });
  const refreshed = await refresh(third.send, client, body.refresh_token);
  await third.kill();

  const fourth = await serve(data);
  const again = await exchange(fourth.send, client, code);
  const revoked = await refresh(fourth.send, client, refreshed.body.refresh_token);
  await fourth.kill();

  expect([status, me.status, refreshed.status]).toEqual([200, 200, 200]);
  expect([again.status, revoked.status]).toEqual([400, 400]);
});
