import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { loadCommands, MAIN, serve } from '../tools/cli/cli.js';
import { runScript } from './github.js';
import { ROOT } from './pack.js';

const Step = z.strictObject({
  name: z.string().optional(),
  id: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  env: z.record(z.string(), z.string()).optional(),
  run: z.string().optional(),
});
const Workflow = z.strictObject({
  name: z.string(),
  on: z.strictObject({ schedule: z.tuple([z.strictObject({ cron: z.string() })]), workflow_dispatch: z.null() }),
  permissions: z.record(z.string(), z.enum(['read', 'write'])),
  concurrency: z.string(),
  defaults: z.strictObject({ run: z.strictObject({ shell: z.literal('bash') }) }),
  jobs: z.strictObject({
    drift: z.strictObject({ 'runs-on': z.string(), 'timeout-minutes': z.number(), steps: z.array(Step) }),
  }),
});

const FOLDER = join(ROOT, 'examples/drift');
const text = readFileSync(join(FOLDER, '.github/workflows/drift.yml'), 'utf8');
const workflow = Workflow.parse(parse(text));
const { steps } = workflow.jobs.drift;

const conformance = (await loadCommands()).find(({ name }) => name === 'conformance');

function getScript(name: string): string {
  const script = steps.find((step) => step.name === name)?.run;
  if (script === undefined) throw new Error(`drift.yml has no script ${name}`);
  return script;
}

/** An `npx` that writes its arguments to a file and ends with a code. */
const npx = (code: number) => `#!/bin/sh\nprintf '%s\\n' "$@" > arguments\necho checked\nexit ${code}\n`;

const check = (code: number, files: Readonly<Record<string, string>> = {}) =>
  runScript(getScript('Check the service'), {
    env: { SERVICE_URL: 'https://api.example.com', VAL_EMULATOR_TOKEN: 'secret' },
    programs: { npx: npx(code) },
    files,
  });

test('the workflow uses only actions of GitHub and may write only issues', () => {
  const actions = steps.flatMap(({ uses = '' }) => uses.match(/^.*(?=@v\d+$)/) ?? []);

  expect(actions).toEqual([
    'actions/checkout',
    'actions/setup-node',
    'actions/cache/restore',
    'actions/upload-artifact',
    'actions/cache/save',
  ]);
  expect(workflow.permissions).toEqual({ contents: 'read', issues: 'write' });
});

test('scripts get secrets through their environment only', () => {
  expect(steps.length).toBeGreaterThan(3);
  for (const { run = '' } of steps) expect(run).not.toContain('${'.concat('{'));
});

test('the next run restores the report that a run saves', () => {
  const [restore, save] = ['Restore the last report', 'Save the report as the baseline'].map(
    (name) => steps.find((step) => step.name === name)?.with,
  );

  expect(save).toEqual({ path: restore?.path, key: restore?.key });
  expect(save?.key).toMatch(new RegExp(`^${restore?.['restore-keys']}.*run_id.*run_attempt`));
});

test('the first check has no baseline', async () => {
  const { code, written } = await check(0);

  expect({ code, output: written('output') }).toEqual({ code: 0, output: 'code=0\n' });
  expect(written('arguments').split('\n').slice(0, -1)).toEqual([
    ...['val-emulator', 'conformance', '--url', 'https://api.example.com', '--level', 'read'],
    ...['--report', 'report.json', '--report', 'report.xml'],
  ]);
});

test('a later check has the last report as its baseline', async () => {
  const { written } = await check(0, { 'report.json': '{}' });

  expect(written('arguments')).toMatch(/\n--baseline\nreport\.json\n$/);
});

test.each([
  [1, 0],
  [2, 1],
])('a check that ends with %d ends the step with %d', async (checked, code) => {
  const ended = await check(checked);

  expect(ended).toMatchObject({ code, stdout: 'checked\n' });
  expect(ended.written('output')).toBe(`code=${checked}\n`);
  expect(ended.written('drift.txt')).toBe('checked\n');
});

test('the issue shows the output of the check and links to the report', async () => {
  const { code, written } = await runScript(getScript('Open an issue'), {
    env: { RUN_URL: 'https://github.com/ada/app/actions/runs/1' },
    programs: { gh: `#!/bin/sh\nprintf '%s\\n' "$@" > arguments\n` },
    files: { 'drift.txt': 'failed The profile has the key tier.\n' },
  });

  expect(code).toBe(0);
  expect(written('arguments')).toBe('issue\ncreate\n--title\nThe vals API has changed\n--body-file\nissue.md\n');
  expect(written('issue.md')).toBe(
    [
      'The report is the artifact of [this run](https://github.com/ada/app/actions/runs/1).',
      '~~~~text\nfailed The profile has the key tier.\n\n~~~~\n',
    ].join('\n'),
  );
});

test('the command has known flags only', () => {
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  const commandLines = readme.split('\n').filter((line) => line.includes('val-emulator conformance'));
  const named = [getScript('Check the service'), ...commandLines].flatMap(
    (part) => part.match(/(?<=--)[a-z-]+/g) ?? [],
  );

  expect(Object.keys({ ...conformance?.variables, ...conformance?.flags })).toEqual(expect.arrayContaining(named));
});

test('the check of a running emulator passes', async () => {
  const { url } = await serve();

  const { code, stderr, written } = await runScript(getScript('Check the service'), {
    env: { SERVICE_URL: url, VAL_EMULATOR_TOKEN: 'ada-token' },
    programs: { npx: `#!/bin/sh\nshift\nexec '${process.execPath}' '${MAIN}' "$@"\n` },
  });

  // A run of some seconds says how far it is.
  expect({ code, stderr: stderr.replace(/^val-emulator: checking .*\n/gm, '') }).toEqual({ code: 0, stderr: '' });
  expect(written('output')).toBe('code=0\n');
  expect(JSON.parse(written('report.json'))).toMatchObject({ totals: { failed: 0 } });
});
