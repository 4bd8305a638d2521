import { win32 } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { quoteForShell } from '../../src/lib/messages.js';
import { folderOf } from '../fixtures/loading.js';
import { createEmulator, emulate } from '../support/emulate.js';

test('a command line is quoted as cmd.exe and shells read it', () => {
  expect(quoteForShell('Authorization: Bearer ada-token')).toBe('"Authorization: Bearer ada-token"');
  expect(quoteForShell('http://[::1]:4010/v1/me')).toBe('"http://[::1]:4010/v1/me"');
  expect(quoteForShell('C:/work/session.ndjson')).toBe('C:/work/session.ndjson');
  // What a shell would replace in double quotes stays in single ones.
  expect(quoteForShell('a $HOME `id` "b"')).toBe(`'a $HOME \`id\` "b"'`);
});

test('a file of fixtures with the line ends of Windows is loaded', async () => {
  const lines = ['{', '  "users": [{ "username": "ada" }]', '}'];
  const folder = folderOf({ 'fixtures.json': `${lines.join('\r\n')}\r\n` });
  const emulator = await createEmulator({ fixtures: `${folder}/fixtures.json` });
  onTestFinished(() => emulator.close());
  expect(emulator.users.map(({ username }) => username)).toEqual(['ada']);
});

test('the name of a sandbox can be the name of a file', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  for (const name of ['a:b', 'a\\b', 'a/b', 'a*b', 'a?b', 'a|b', 'a"b', 'a<b']) {
    expect(() => emulator.sandbox(name), name).toThrow('Invalid sandbox name');
  }
  expect(win32.basename(`C:\\results\\${emulator.sandbox('lists-the-runs-17').name}.ndjson`)).toBe(
    'lists-the-runs-17.ndjson',
  );
});
