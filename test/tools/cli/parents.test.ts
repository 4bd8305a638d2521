import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Command, launch, MAIN } from './cli.js';

const LINE =
  'val-emulator: The program that started the emulator has ended, so the emulator ends. To keep one in the background: val-emulator start --detach.\n';

/** Starts an emulator in this process, with other programs as its parents. */
async function startBelow(parents: readonly number[], env: Readonly<Record<string, string>>) {
  const args = ['start', '--port', '0', '--fixtures', 'empty'];
  const none = { npm_command: undefined, npm_lifecycle_event: undefined };
  const command = launch(args, { env: { ...none, ...env } });
  command.parents = parents;
  await command.prints(/listens on/);
  return command;
}

test.each(['npm_command', 'npm_lifecycle_event'])('with %s, start ends with its parent', async (name) => {
  const command = await startBelow([40, 7], { [name]: 'start' });
  command.parents = [40, 1];
  expect(await command.end()).toMatchObject({ stderr: LINE, code: 0 });
});

test.each<[title: string, before: number[], after: number[], env: Record<string, string>]>([
  ['a parent that lives', [40, 7], [40, 7], { npm_command: 'start' }],
  ['a parent that was gone at the start', [], [1], { npm_command: 'start' }],
  ['no npm', [40], [1], {}],
])('start goes on with %s', async (_, before, after, env) => {
  const command = await startBelow(before, env);
  command.parents = after;
  await sleep(1_500);
  expect(await command.kill('SIGTERM')).toMatchObject({ stderr: '', code: 0 });
});

test.runIf(process.platform === 'linux')('a killed npm leaves no emulator, although its shell goes on', async () => {
  const script = '"$0" "$1" start --port 0 --fixtures empty; echo after';
  const npm = `
    require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(script)}, process.execPath, ${JSON.stringify(MAIN)}], { stdio: 'inherit' });
    setInterval(() => {}, 1_000);`;
  const command = new Command(process.execPath, ['-e', npm], { env: { npm_command: 'run-script' } });
  await command.prints(/listens on/);

  // Resolves when all three processes have closed their output.
  const { stdout, stderr } = await command.kill('SIGKILL');
  expect(stderr).toBe(LINE);
  expect(stdout).toMatch(/after\n$/);
});
