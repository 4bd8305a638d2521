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

const commands = await loadCommands();

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

const compare = (code: number, files: Readonly<Record<string, string>> = {}) =>
  runScript(getScript('Compare the account'), {
    env: { SERVICE_URL: 'https://api.example.com', VAL_EMULATOR_TOKEN: 'secret' },
    programs: { npx: npx(code) },
    files,
  });

test('the first pull of the account is compared with nothing, and a later one with the last', async () => {
  const [first, later] = [await compare(0), await compare(0, { 'account/fixtures.json': '{}' })];
  const flags = ['--no-run-details', '--no-history', '--out', 'account'];

  expect(first.written('arguments').split('\n').slice(0, -1)).toEqual([
    ...['val-emulator', 'pull', '--url', 'https://api.example.com', ...flags],
  ]);
  expect(later.written('arguments')).toMatch(/\n--out\naccount\n--compare\naccount\n$/);
});

test.each([
  [1, 0],
  [2, 1],
])('a comparison that ends with %d ends the step with %d', async (compared, code) => {
  const ended = await compare(compared);

  expect(ended).toMatchObject({ code, stdout: 'checked\n' });
  expect(ended.written('output')).toBe(`code=${compared}\n`);
  expect(ended.written('account.txt')).toBe('checked\n');
});

test('the issue shows the output of the check and links to the report', async () => {
  const { code, written } = await runScript(getScript('Open an issue'), {
    env: { RUN_URL: 'https://github.com/ada/app/actions/runs/1' },
    programs: { gh: `#!/bin/sh\nprintf '%s\\n' "$@" > arguments\n` },
    files: { 'drift.txt': 'failed The profile has the key tier.\n', 'account.txt': '+ projects ada/site\n' },
  });

  expect(code).toBe(0);
  expect(written('arguments')).toBe(
    'issue\ncreate\n--title\nThe vals API or the account has changed\n--body-file\nissue.md\n',
  );
  expect(written('issue.md')).toBe(
    [
      'The report is the artifact of [this run](https://github.com/ada/app/actions/runs/1).',
      '~~~~text\nfailed The profile has the key tier.\n\n+ projects ada/site\n\n~~~~\n',
    ].join('\n'),
  );
});

test.each([
  ['conformance', 'Check the service'],
  ['pull', 'Compare the account'],
])('the command %s has known flags only', (name, step) => {
  const command = commands.find((each) => each.name === name);
  const readme = readFileSync(join(FOLDER, 'README.md'), 'utf8');
  const commandLines = readme.split('\n').filter((line) => line.includes(`val-emulator ${name}`));
  const named = [getScript(step), ...commandLines].flatMap((part) => part.match(/(?<=--)[a-z-]+/g) ?? []);
  const flags = Object.keys({ ...command?.variables, ...command?.flags });

  expect(named.length).toBeGreaterThan(2);
  expect(flags).toEqual(expect.arrayContaining(named.map((flag) => flag.replace(/^no-/, ''))));
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

test('the comparison of a running emulator finds what has changed in either version of the API', async () => {
  const { url } = await serve();
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  const create = (path: string, body: object) =>
    fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const runStep = (files: Readonly<Record<string, string>> = {}) =>
    runScript(getScript('Compare the account'), {
      env: { SERVICE_URL: url, VAL_EMULATOR_TOKEN: 'ada-token' },
      programs: { npx: `#!/bin/sh\nshift\nexec '${process.execPath}' '${MAIN}' "$@"\n` },
      files,
    });

  const first = await runStep();
  expect({ code: first.code, output: first.written('output') }).toEqual({ code: 0, output: 'code=0\n' });
  const files = { 'account/fixtures.json': first.written('account/fixtures.json') };
  expect((await runStep(files)).written('output')).toBe('code=0\n');
  expect((await create('/v1/vals', { name: 'oldStyle', code: '1', privacy: 'public' })).status).toBe(200);
  expect((await create('/v2/vals', { name: 'newStyle', privacy: 'public' })).status).toBe(201);
  const { code, stdout, written } = await runStep(files);
  expect({ code, output: written('output') }).toEqual({ code: 0, output: 'code=1\n' });
  expect(stdout).toMatch(/\n\+ projects ada\/newStyle [\s\S]*\n\+ vals ada\/oldStyle /);
});
