import { expect, test } from 'vitest';
import { as, emulate } from '../../support/emulate.js';
import { Command, MAIN, spawnCli } from './cli.js';

test.skipIf(process.platform !== 'linux').each([['print', 'schema'], ['print', 'openapi'], ['generate']])(
  'output that cannot be written ends with an error: %s',
  async (...words) => {
    const command = new Command('/bin/sh', ['-c', 'exec "$0" "$@" > /dev/full', process.execPath, MAIN, ...words]);
    const { stderr, code } = await command.end();

    expect(stderr).toContain('val-emulator: The output cannot be written: ');
    expect(code).toBe(2);
  },
);

test('a reader that closes the pipe early causes no error', async () => {
  const line = 'set -o pipefail; "$0" "$@" | head -c 10; echo " $?"';
  const { stdout, stderr } = await new Command('/bin/bash', [
    '-c',
    line,
    process.execPath,
    MAIN,
    'print',
    'openapi',
  ]).end();

  expect({ end: stdout.slice(10).trim(), stderr }).toEqual({ end: '0', stderr: '' });
});

test('requests --follow ends when the reader of its stdout does', async () => {
  const emulator = await emulate({ users: [{ username: 'ada' }] });
  await as(emulator, 'ada').get('/v1/me');
  const command = spawnCli(['requests', '--follow', '--after', 'r0', '--url', emulator.url]);
  await command.prints(/^r1 /);
  command.child.stdout?.destroy();
  await as(emulator, 'ada').get('/v1/me');
  expect(await command.end()).toMatchObject({ stderr: '', code: 0 });
});
