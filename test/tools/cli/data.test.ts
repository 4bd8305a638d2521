import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../../engine/fixtures/loading.js';
import { logOf } from '../../engine/persistence/folder.js';
import { launch, run, serve } from './cli.js';

const newFolder = () => join(folderOf({}), 'data');
const FIRST_LINE = /^Data: .*/m;

async function createVal(url: string, name: string): Promise<void> {
  const response = await fetch(`${url}/v1/vals`, {
    method: 'POST',
    headers: { authorization: 'Bearer ada-token', 'content-type': 'application/json' },
    body: JSON.stringify({ name, code: 'export default 1' }),
  });
  expect(response.status).toBe(200);
}

test('a created val is there after the next start, whose first line names the opened folder', async () => {
  const data = newFolder();
  const first = await serve(['--data', data]);
  expect(first.command.stdout.split('\n')[0]).toMatch(
    /^Data: \S+ \(new, 7 users, 1 organization, 2 memberships, 3 projects, 4 branches, 9 commits, 1 environment variable, 31 vals, .*; seed "default" of \d{4}-\d\d-\d\d\)$/,
  );
  await createVal(first.url, 'durable');
  const { stdout } = await first.command.kill('SIGTERM');
  expect(stdout).not.toContain('not kept');

  const second = await serve(['--data', data]);
  expect(second.command.stdout.split('\n')[0]).toMatch(
    /^Data: \S+ \(opened, 7 users, 1 organization, 2 memberships, 3 projects, 4 branches, 9 commits, 1 environment variable, 32 vals, /,
  );
  const found = await fetch(`${second.url}/v1/alias/ada/durable`, { headers: { authorization: 'Bearer ada-token' } });
  expect(found.status).toBe(200);
});

test('VAL_EMULATOR_DATA names the folder, and without it the data is in memory', async () => {
  const data = newFolder();
  const { command } = await serve([], { env: { VAL_EMULATOR_DATA: data } });
  expect(command.stdout).toMatch(/^Data: \S+ \(new, /);
  await command.kill('SIGTERM');
  expect(existsSync(data)).toBe(true);

  const plain = await serve([]);
  expect(plain.command.stdout.split('\n')[0]).toBe('Data: in memory');
});

test('other fixtures leave the data unchanged, with a message', async () => {
  const data = newFolder();
  await (await serve(['--data', data])).command.kill('SIGTERM');

  const same = await serve(['--data', data, '--fixtures', 'default']);
  expect(same.command.stdout).not.toContain('These fixtures');
  await same.command.kill('SIGTERM');

  const other = await serve(['--data', data, '--fixtures', 'empty']);
  expect(FIRST_LINE.exec(other.command.stdout)?.[0]).toContain('(opened, 7 users');
  expect(other.command.stdout).toContain('Ignoring the fixtures: ');
});

test('--reseed needs a confirmation', async () => {
  const data = newFolder();
  const { command, url } = await serve(['--data', data]);
  await createVal(url, 'durable');
  await command.kill('SIGTERM');

  const refused = await run(['start', '--data', data, '--reseed', '--port', '0']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes to confirm.') });
  const asked = launch(['start', '--data', data, '--reseed', '--port', '0'], { terminal: 80 });
  await asked.prints(/Continue\? \[y\/N\] $/);
  asked.stdin.type('n\n');
  expect(await asked.end()).toMatchObject({ code: 2, stderr: expect.stringContaining('Cancelled. Nothing changed.') });
  const kept = await serve(['--data', data]);
  expect(kept.command.stdout).toContain('32 vals');
  await kept.command.kill('SIGTERM');

  const confirmed = await serve(['--data', data, '--reseed', '--yes']);
  expect(confirmed.command.stdout).toMatch(
    /^Data: \S+ \(new, 7 users, 1 organization, 2 memberships, 3 projects, 4 branches, 9 commits, 1 environment variable, 31 vals, /,
  );
});

test('flags that contradict --data are refused', async () => {
  const data = newFolder();
  const watching = await run(['start', '--data', data, '--watch', '--port', '0']);
  expect(watching).toMatchObject({ code: 2, stderr: expect.stringContaining('--data: cannot be used with --watch.') });
  const alone = await run(['start', '--reseed', '--port', '0']);
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('Use it with --data.') });
  expect(existsSync(data)).toBe(false);
});

test('a second emulator is refused with the process that uses the folder', async () => {
  const data = newFolder();
  await serve(['--data', data]);
  const second = await run(['start', '--data', data, '--port', '0']);
  expect(second.code).toBe(2);
  expect(second.stderr).toContain(`is in use by process ${process.pid}`);
});

test('a run whose folder fails ends with exit code 1, also when a signal stops it', async () => {
  const data = newFolder();
  const { command, url } = await serve(['--data', data]);
  await createVal(url, 'durable');
  truncateSync(logOf(data), 100);
  await expect(createVal(url, 'refused')).rejects.toThrow('expected 503 to be 200');
  const { code, stderr } = await command.kill('SIGTERM');
  expect([code, stderr]).toEqual([1, expect.stringContaining('the file was cut to')]);

  const healthy = await serve(['--data', newFolder()]);
  expect((await healthy.command.kill('SIGTERM')).code).toBe(0);
});

test('a folder with other files is refused', async () => {
  const data = folderOf({});
  writeFileSync(join(data, 'notes.txt'), 'mine');
  const refused = await run(['start', '--data', data, '--port', '0']);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('has other files, such as notes.txt');
  expect(readFileSync(join(data, 'notes.txt'), 'utf8')).toBe('mine');
});

test('a folder becomes a fixture and back without loss', async () => {
  const [data, copy, out] = [newFolder(), newFolder(), join(folderOf({}), 'world.json')];
  const { command, url } = await serve(['--data', data]);
  await createVal(url, 'durable');
  const running = await run(['data', 'export', '--data', data]);
  await command.kill('SIGTERM');
  const exported = await run(['data', 'export', '--data', data]);
  expect(exported).toMatchObject({ code: 0, stdout: running.stdout });
  expect(exported.stdout).toContain('"name": "durable"');
  expect(exported.stdout).toContain('ada-token');

  expect(await run(['data', 'export', '--data', data, '--out', out])).toMatchObject({ code: 0 });
  await (await serve(['--data', copy, '--fixtures', out])).command.kill('SIGTERM');
  expect((await run(['data', 'export', '--data', copy])).stdout).toBe(exported.stdout);
});

test('export without a folder, or of an unknown sandbox, names those that exist', async () => {
  const data = newFolder();
  expect(await run(['data', 'export', '--data', data])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('has no data'),
  });
  await (await serve(['--data', data, '--fixtures', 'empty'])).command.kill('SIGTERM');
  const unknown = await run(['data', 'export', '--data', data, '--sandbox', 'demo']);
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('no sandbox "demo"') });
});

test('compact drops data that nothing refers to', async () => {
  const data = newFolder();
  const { command, url } = await serve(['--data', data]);
  for (let i = 0; i < 5; i++) await createVal(url, `val${i}`);
  await fetch(`${url}/_emulator/reset`, { method: 'POST' });
  await createVal(url, 'last');
  await command.kill('SIGTERM');
  const before = (await run(['data', 'export', '--data', data])).stdout;
  const size = statSync(logOf(data)).size;

  const compacted = await run(['data', 'compact', '--data', data, '--json']);
  const after = statSync(logOf(data)).size;
  expect(JSON.parse(compacted.stdout)).toMatchObject({ before: size, after });
  expect(after).toBeLessThan(size);
  expect((await run(['data', 'export', '--data', data])).stdout).toBe(before);
});

test('requests are written with --keep-journal only', async () => {
  const data = newFolder();
  const { command, url } = await serve(['--data', data, '--keep-journal']);
  await createVal(url, 'one');
  await fetch(`${url}/v1/me`, { headers: { authorization: 'Bearer ada-token', 'x-note': 'kept' } });
  await command.kill('SIGTERM');

  const again = await serve(['--data', data, '--keep-journal']);
  await createVal(again.url, 'two');
  const kept = await run(['requests', '--url', again.url, '--json']);
  expect(
    JSON.parse(kept.stdout).map(({ id, method, path, commit }: Record<string, string>) => [id, method, path, commit]),
  ).toEqual([
    ['r1', 'POST', '/v1/vals', 'r1'],
    ['r2', 'GET', '/v1/me', 'r1'],
    ['r3', 'POST', '/v1/vals', 'r3'],
  ]);
  expect(JSON.parse(kept.stdout)[1].request.headers).toMatchObject({ 'x-note': 'kept' });
  await fetch(`${again.url}/_emulator/requests`, { method: 'DELETE' });
  await fetch(`${again.url}/v1/me`);
  await again.command.kill('SIGTERM');

  const cleared = await serve(['--data', data, '--keep-journal']);
  const left = await run(['requests', '--url', cleared.url, '--json']);
  expect(JSON.parse(left.stdout).map(({ id }: { id: string }) => id)).toEqual(['r4']);

  const other = newFolder();
  const plain = await serve(['--data', other]);
  await createVal(plain.url, 'one');
  await plain.command.kill('SIGTERM');
  expect(readdirSync(other)).toEqual(['log.1.ndjson']);
  const alone = await run(['start', '--keep-journal', '--port', '0']);
  expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('--keep-journal: there is no data folder') });
});

test('a folder that --store names is a data folder for other flags', async () => {
  const path = newFolder();
  expect(await run(['start', '--store', `file:${path}`, '--watch'])).toMatchObject({
    stderr: 'val-emulator: --data: cannot be used with --watch.\n',
    code: 2,
  });
  expect(existsSync(path)).toBe(false);
});
