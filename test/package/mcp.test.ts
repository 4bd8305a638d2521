import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/index.js';

const COMMAND = ['dist/cjs/val-emulator.cjs', 'mcp'];

async function connect(...flags: string[]) {
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...COMMAND, ...flags] }));
  onTestFinished(() => client.close());
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const [first] = (await client.callTool({ name, arguments: args })).content;
    return first?.type === 'text' ? JSON.parse(first.text) : undefined;
  };
  return { client, call };
}

test('offers an emulator of its own over stdio', async () => {
  const { client, call } = await connect('--fixtures', 'empty');
  const url = /base URL of a program to (\S+)/.exec(client.getInstructions() ?? '')?.[1];
  await call('add', { users: [{ username: 'mary' }] });
  const response = await fetch(`${url}/v1/me`, { headers: { authorization: 'Bearer mary-token' } });
  expect(await response.json()).toMatchObject({ username: 'mary' });
  expect((await call('requests')).items).toMatchObject([{ route: 'GET /v1/me', status: 200 }]);
});

test('offers the tools of a running emulator, or of a sandbox', async () => {
  await using emulator = await createEmulator({ fixtures: { users: [{ username: 'ada' }] } });
  const { call } = await connect('--url', `${emulator.url}/_sandbox/other`);
  await call('add', { users: [{ username: 'mary' }] });
  expect(emulator.users).toHaveLength(1);
  expect(emulator.sandbox('other').users).toHaveLength(2);
});

test('writes the session of a running emulator to a file of its working directory', async () => {
  await using emulator = await createEmulator({ fixtures: { users: [{ username: 'ada' }] } });
  await emulator.fetch('/v1/me', { headers: { authorization: 'Bearer ada-token' } });
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const client = new Client({ name: 'agent', version: '1' });
  const args = [resolve('dist/cjs/val-emulator.cjs'), 'mcp', '--url', emulator.url];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder }));
  onTestFinished(() => client.close());

  await client.callTool({ name: 'save_session', arguments: { path: 'bug.ndjson' } });
  await using opened = await createEmulator({ session: join(folder, 'bug.ndjson') });
  expect(opened.requests()).toMatchObject([{ route: 'GET /v1/me', user: 'ada', status: 200 }]);
});

test('ends with stdin, and writes nothing but the protocol to stdout', async () => {
  const child = spawn(process.execPath, COMMAND, { stdio: 'pipe' });
  onTestFinished(() => void child.kill());
  const output = text(child.stdout);
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await output).toBe('');
});

test('prints errors on stderr', async () => {
  const child = spawn(process.execPath, [...COMMAND, '--url', 'http://127.0.0.1:9'], { stdio: 'pipe' });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(errors).toContain('No emulator at http://127.0.0.1:9');
  expect(code).toBe(3);
});
