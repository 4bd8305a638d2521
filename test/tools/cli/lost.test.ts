import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { serve } from './cli.js';

const DEMO = '{"users":[{"username":"ada","token":"secret"}]}';

/** Starts an emulator with a file that has one user. */
async function serveDemo(flags: readonly string[] = []) {
  const cwd = folderOf({ 'demo.json': DEMO });
  const { command, url } = await serve(['--fixtures', 'demo.json', ...flags], { cwd });
  const post = (path: string, body?: object) =>
    fetch(`${url}/_emulator/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  return { command, cwd, post };
}

test('the last line has the number of lost changes, and the file is as before', async () => {
  const { command, cwd, post } = await serveDemo();
  await post('records/users', { username: 'bob' });
  await post('records/users', { username: 'ken' });
  const { stdout } = await command.kill('SIGINT');
  expect(stdout).toMatch(/\n2 changes not kept \(start --data FOLDER keeps them\)\.\n$/);
  expect(readFileSync(join(cwd, 'demo.json'), 'utf8')).toBe(DEMO);
});

test.each([['--json'], ['--quiet']])('with %s the last line does not mention changes', async (flag) => {
  const { command, post } = await serveDemo([flag]);
  await post('records/users', { username: 'bob' });
  expect((await command.kill('SIGINT')).stdout).not.toContain('kept');
});

test('after a reset the last line does not mention changes', async () => {
  const { command, post } = await serveDemo();
  await post('records/users', { username: 'bob' });
  await post('reset');
  expect((await command.kill('SIGINT')).stdout).not.toContain('kept');
});
