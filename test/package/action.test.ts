import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { makeAddressVariables } from '#tools/cli/variables.js';
import manifest from '../../package.json' with { type: 'json' };
import { MAIN } from '../tools/cli/cli.js';
import { type Programs, runScript } from './github.js';
import { ROOT } from './pack.js';

const Action = z.object({
  inputs: z.record(z.string(), z.object({ default: z.string().default('') })),
  runs: z.object({
    steps: z.array(z.object({ name: z.string(), env: z.record(z.string(), z.string()), run: z.string() })),
  }),
});
const action = Action.parse(parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')));

/** Runs a step with inputs, which come in its environment. */
async function runStep(name: string, inputs: Readonly<Record<string, string>>, programs: Programs) {
  const step = action.runs.steps.find((candidate) => candidate.name === name);
  if (!step) throw new Error(`action.yml has no step ${name}`);
  const given = Object.entries(step.env).map(([variable, text]) => {
    const input = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(text)?.[1] ?? '';
    return [variable, inputs[input] ?? action.inputs[input]?.default];
  });
  return runScript(step.run, { env: Object.fromEntries(given), programs });
}

const VAL_EMULATOR = { 'val-emulator': `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n` };

/** Ends what the step has left running, as the end of a job does. */
function endLater(folder: string): void {
  const [started = ''] = readdirSync(folder).filter((name) => name.startsWith('val-emulator-'));
  const { pid }: { pid: number } = JSON.parse(readFileSync(join(folder, started, 'started.json'), 'utf8'));
  onTestFinished(() => void process.kill(pid));
}

test('the action starts an emulator and outputs its address and token', async () => {
  const inputs = { port: '0', fixtures: 'empty', args: '--rate-limit 7/1m\n--now 2024-06-11T22:05:12Z' };

  const { code, stderr, folder, written } = await runStep('Start val-emulator', inputs, VAL_EMULATOR);

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  endLater(folder);
  const [, url = ''] = /^url=(.*)\ntoken=ada-token\n$/.exec(written('output')) ?? [];
  const env = Object.fromEntries(
    written('env')
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  expect(env).toEqual(makeAddressVariables(url, 'ada-token', false));
  // A job may have a real key, which must not reach the service.
  expect(env).toMatchObject({ VAL_TOWN_BASE_URL: url, VAL_TOWN_API_KEY: 'ada-token' });
  const { status, headers } = await fetch(`${url}/v1/me`, { headers: { authorization: 'Bearer ada-token' } });
  expect(status).toBe(200);
  expect(headers.get('x-ratelimit-limit')).toBe('7');
  expect(headers.get('date')).toBe('Tue, 11 Jun 2024 22:05:12 GMT');
});

test('the action fails with the error of an emulator that cannot start', async () => {
  const { code, stderr, written } = await runStep('Start val-emulator', { fixtures: 'defalt' }, VAL_EMULATOR);

  expect(code).toBe(1);
  expect(stderr).toMatch(/^1 problem in the fixtures:\n.*Did you mean "default"\?\n$/);
  expect(written('output')).toBe('');
});

test.each([
  ['the version of the action', {}, `val-emulator@${manifest.version}`],
  ['another version', { version: 'latest' }, 'val-emulator@latest'],
  ['a tarball', { version: 'latest', package: './val-emulator.tgz' }, './val-emulator.tgz'],
])('the action installs %s', async (_, inputs, installed) => {
  const npm = '#!/bin/sh\nprintf "%s\\n" "$@" > "$RUNNER_TEMP/arguments"\n';

  const { code, folder, written } = await runStep('Install val-emulator', inputs, { npm });

  expect(code).toBe(0);
  expect(written('arguments').split('\n').slice(-2)).toEqual([installed, '']);
  expect(written('arguments')).toMatch(/^install\n/);
  expect(written('path')).toBe(`${folder}/val-emulator/node_modules/.bin\n`);
});
