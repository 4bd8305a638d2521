import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';

const COMMAND = 'node_modules/.bin/val-emulator';
const { version } = createRequire(import.meta.url)('val-emulator/package.json');

const emulator = spawn(COMMAND, ['start', '--port', '0', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [line] = await once(emulator.stdout, 'data');
  const { url, users } = JSON.parse(line);
  const run = (...args) =>
    execFileSync(COMMAND, args, { encoding: 'utf8', env: { ...process.env, VAL_EMULATOR_URL: url } });

  assert.equal(run('--version'), `${version}\n`);
  assert.equal(run('wait', '--timeout', '1s'), `val-emulator ${version} responds at ${url}.\n`);
  await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${users[0].token}` } });
  assert.match(run('requests', '--route', 'GET /v1/me'), /GET +200 +ada +[\d.]+ +\/v1\/me/);
  run('reset');
  const script = 'fetch(process.env.VAL_EMULATOR_URL).then(() => console.log(process.env.VAL_EMULATOR_TOKEN))';
  const seeded = ['exec', '--fixtures-module', './seed.mts', '--', 'node', '-e', script];
  if (process.features.typescript) {
    // Of Node 24.0, which takes types out as an experiment.
    process.env.NODE_OPTIONS = '--disable-warning=ExperimentalWarning';
    assert.equal(run(...seeded), 'tia-token\n');
    delete process.env.NODE_OPTIONS;
  }
  assert.match(run('exec', '--', 'node', '-e', script), /^ada-token\n$/);
} finally {
  emulator.kill('SIGTERM');
}
assert.deepEqual(await once(emulator, 'exit'), [0, null]);

// As in test/vals/generator/golden.test.ts: a seed gives the same bytes on every Node.
const dataset = execFileSync(COMMAND, ['generate', '--users', '8', '--vals', '80', '--runs', '1500', '--seed', '42']);
assert.equal(
  createHash('sha256').update(dataset).digest('hex'),
  'c07d6d266ec37c0e14f76e5c4df3eea7a9b4a8056910f4d201bb500c6b8e211e',
);
