import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { toSandboxName } from '#engine/sandbox/names.js';
import { shareEmulator } from '#tools/testing/server.js';
import { folderOf } from '../../engine/fixtures/loading.js';

test.each([
  ['lists the runs', 17, 'lists-the-runs-17'],
  ['ünïcode: “quotes” & more!', 1, 'n-code-quotes-more-1'],
  ['', 2, '2'],
  ['…', 3, '3'],
  ['x'.repeat(100), 4, `${'x'.repeat(62)}-4`],
])('a test named %j has the sandbox %j', (title, number, name) => {
  expect(toSandboxName(title, number)).toBe(name);
  expect(name).toMatch(/^[A-Za-z0-9._-]{1,64}$/);
});

test('a closed shared emulator listens again, with the same seed data', async () => {
  const server = shareEmulator({ generate: { users: 3, seed: 1 } });
  const readUsers = () =>
    server.withSandbox('reads users', async (emulator) => {
      const response = await fetch(`${emulator.url}/v1/search/vals?query=a`);
      return { url: emulator.url, status: response.status, users: emulator.users };
    });

  const before = await readUsers();
  await server.close();
  await expect(fetch(before.url)).rejects.toThrow('fetch failed');
  const after = await readUsers();
  await server.close();

  expect(after).toMatchObject({ status: 200, users: before.users });
});

test('a sandbox is closed when its test or a hook fails', async () => {
  const names: string[] = [];
  const fail = (step: string) => () => {
    throw new Error(`error of ${step}`);
  };
  const server = shareEmulator(
    { listen: false, maxSandboxes: 1, failedSessions: false },
    { afterEach: fail('afterEach') },
  );
  const open = (body: () => void) =>
    server.withSandbox('fails', (emulator) => {
      names.push(emulator.name);
      body();
    });

  await expect(open(() => {})).rejects.toThrow('error of afterEach');
  await expect(open(fail('test'))).rejects.toThrow('error of test');
  expect(names).toEqual(['fails-1', 'fails-2']);
});

test.each([
  [{ beforEach: () => {} }, 'hooks: found "beforEach"; expected beforeEach or afterEach. Did you mean "beforeEach"?'],
  [{ afterEach: 'reset' }, 'hooks.afterEach: found "reset"; expected a function.'],
])('reports unknown hooks: %j', (hooks, message) => {
  // @ts-expect-error: unknown hooks
  expect(() => shareEmulator({}, hooks)).toThrow(new TypeError(message));
});

test.each([
  [
    { onUnhandledRequest: 'eror' },
    'option onUnhandledRequest: found "eror"; expected "ignore", "warn" or "error". Did you mean "error"?',
  ],
  [{ failedSessions: true }, 'option failedSessions: found true; expected the path of a folder, or false.'],
  [{ url: 'http://127.0.0.1:1', port: 1 }, 'option port: expected url, controlToken and options of the helper'],
])('reports invalid options of the helper: %j', (options, message) => {
  expect(() => Reflect.apply(shareEmulator, undefined, [options])).toThrow(message);
});

test('a worker writes at most 20 sessions of failed tests, and prints a message if it cannot write a folder', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const folder = folderOf({ file: '' });
  const failMany = async (failedSessions: string, count: number) => {
    const server = shareEmulator({ listen: false, failedSessions });
    for (let i = 0; i < count; i++) {
      await expect(server.withSandbox('fails', () => Promise.reject(new Error('the reason')))).rejects.toThrow(
        'the reason',
      );
    }
    await server.close();
  };

  await failMany(join(folder, 'sessions'), 22);
  await failMany(join(folder, 'file'), 1);

  expect(readdirSync(join(folder, 'sessions'))).toHaveLength(20);
  const lines = write.mock.calls.map(([text]) => String(text));
  expect(lines).toHaveLength(22);
  expect(lines.slice(20)).toEqual([
    'val-emulator: 20 sessions of failed tests are written; no more follow.\n',
    expect.stringMatching(/^val-emulator: cannot write the session of a failed test: .*file/),
  ]);
});
