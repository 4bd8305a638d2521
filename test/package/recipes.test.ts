import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from '@typescript/typescript6';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { variableFor } from '#tools/cli/command.js';
import { startFlags } from '#tools/cli/emulator-flags.js';
import { controlRoutes } from '#vals/service/service.control.js';
import { createEmulator } from '../../src/index.js';
import { loadCommands } from '../tools/cli/cli.js';
import { ROOT } from './pack.js';
import { readRecipe, recipeNames, runIn, writeRecipe } from './recipe.js';

/** Flags of Deno. */
const FLAGS_OF_OTHERS = ['--allow-net', '--allow-read', '--allow-env'];

/** Go has a command `version`. */
const has = (program: string) => ['--version', 'version'].some((flag) => spawnSync(program, [flag]).status === 0);

test.for([
  ['fake-timers', 'npx'],
  ['snapshot-tests', 'npx'],
  ['vitest-global-setup', 'npx'],
  ['proxies', 'npx'],
  ['shared-server', 'curl'],
  ['pytest', 'pytest'],
  ['go', 'go'],
  ['java', 'java'],
] as const)('the command of %s prints the output on the page', ([name, program], { skip }) => {
  if (!has(program)) skip(`there is no ${program}`);
  const recipe = readRecipe(name);

  const { status, output } = runIn(writeRecipe(recipe), recipe.command);

  expect(recipe.output).not.toEqual([]);
  for (const line of recipe.output) expect(output).toContain(line);
  expect(status, output).toBe(0);
});

test('the tasks of the Cypress page control a running emulator', async () => {
  const recipe = readRecipe('cypress');
  const folder = writeRecipe(recipe);
  // Cypress is not installed. It calls `setupNodeEvents`, and runs the tasks that are registered there.
  const main = `
    import config from './cypress.config.js';
    const tasks = {};
    config.e2e.setupNodeEvents((event, given) => Object.assign(tasks, given));
    const made = [await tasks.reset(), await tasks.fail({ route: 'GET /v1/me', status: 500, times: 1 })];
    const { status } = await fetch(process.env.VAL_EMULATOR_URL + '/v1/me');
    console.log(JSON.stringify([made[0], made[1].hits, status, (await tasks.requests('GET /v1/me')).length]));`;
  writeFileSync(join(folder, 'main.js'), main);
  writeFileSync(join(folder, 'cypress.config.js'), stubCypress(recipe.files.get('cypress.config.js')));

  expect(runIn(folder, 'val-emulator exec node main.js').output).toContain('},0,500,1]');
  expect(JSON.parse(recipe.files.get('package.json') ?? '')).toMatchObject({
    scripts: { test: expect.stringMatching(/^start-server-and-test emulator http:\/\/127\.0\.0\.1:4010 /) },
  });
});

const stubCypress = (config = '') =>
  config.replace("import { defineConfig } from 'cypress';", 'const defineConfig = (given) => given;');

test('the rewrites of the Next page keep the path of the API', async () => {
  const folder = writeRecipe(readRecipe('proxies'));

  const { default: config } = await import(pathToFileURL(join(folder, 'next.config.mjs')).href);

  expect(await config.rewrites()).toEqual([{ source: '/v1/:path*', destination: 'http://127.0.0.1:4010/v1/:path*' }]);
});

test('the tests of the Deno page pass', () => {
  const recipe = readRecipe('deno');
  const folder = writeRecipe(recipe);
  // Deno is not installed; npm run check -- matrix runs the package on it. Node lacks `await using` and `Deno.test`.
  const target = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 };
  const tests = ts.transpileModule(recipe.files.get('vals_test.js') ?? '', { compilerOptions: target }).outputText;
  const shim =
    'let last = Promise.resolve();\nconst Deno = { test: (name, body) => (last = last.then(body).then(() => console.log("ok", name))) };';
  writeFileSync(join(folder, 'main.mjs'), `${shim}\n${tests}\nawait last;`);

  const { status, output } = runIn(folder, 'node main.mjs');

  expect(output.match(/^ok .*/gm)).toEqual([
    'ok saves a val, and finds it',
    'ok reports that the service is unavailable',
  ]);
  expect(status, output).toBe(0);
  expect(JSON.parse(recipe.files.get('deno.json') ?? '')).toHaveProperty('tasks.test');
});

const Job = z.object({ script: z.array(z.string()).min(1), image: z.string() });

test('the vt page gives vt the address and a token', () => {
  const recipe = readRecipe('vt');
  const folder = writeRecipe(recipe);
  // vt needs Deno, and is in no registry of npm.
  const vt = `#!/usr/bin/env node
    const { VT_LOCAL, VAL_TOWN_API_KEY } = process.env;
    const url = VT_LOCAL === '1' ? 'http://localhost:3001' : 'https://api.example.com';
    const call = (path) => fetch(url + path, { headers: { authorization: 'Bearer ' + VAL_TOWN_API_KEY } });
    const [command, val, folder] = process.argv.slice(2);
    if (folder) require('node:fs').mkdirSync(folder);
    const path = command === 'clone' ? '/v2/alias/vals/' + val : '/v1/me';
    call(path).then(async (response) => console.log('vt', command, response.status, (await response.json()).name));`;
  writeFileSync(join(folder, 'node_modules/.bin/vt'), vt, { mode: 0o755 });
  const [command] = recipe.page.match(/^npx val-emulator exec .*$/m) ?? [''];

  const { status, output } = runIn(folder, command);

  expect(output.match(/^vt .*/gm)).toEqual([
    'vt clone 200 site',
    ...['push', 'status', 'checkout', 'list'].map((name) => `vt ${name} 200 undefined`),
  ]);
  expect(status, output).toBe(0);
});

test('the GitLab page has jobs with scripts', () => {
  const [document] = parseAllDocuments(readRecipe('gitlab').files.get('.gitlab-ci.yml') ?? '');

  expect(document?.errors).toEqual([]);
  const jobs = z.record(z.string(), Job).parse(document?.toJS());
  expect(Object.keys(jobs)).toEqual(['test', 'test-python', 'steps']);
  expect(jobs.steps?.script).toContain('npx val-emulator start --port 4010 --detach');
});

test('the Kubernetes page has one replica, and probes that the emulator passes', async () => {
  const documents = parseAllDocuments(readRecipe('kubernetes').files.get('emulator.yaml') ?? '');
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal(4010) }) });
  const Container = z.object({ args: z.array(z.string()), readinessProbe: Probe, livenessProbe: Probe });
  const Deployment = z.object({
    spec: z.object({
      replicas: z.literal(1),
      template: z.object({
        spec: z.object({ containers: z.tuple([Container]), enableServiceLinks: z.literal(false) }),
      }),
    }),
  });

  const [container] = Deployment.parse(documents[0]?.toJS()).spec.template.spec.containers;

  await using emulator = await createEmulator({ listen: false });
  const [flag = ''] = container.args;
  expect(startFlags).toHaveProperty([flag.slice(2)]);
  for (const { httpGet } of [container.readinessProbe, container.livenessProbe]) {
    expect((await emulator.fetch(httpGet.path)).status).toBe(200);
  }
});

test.each(recipeNames)('%s names only flags, variables and requests that exist', async (name) => {
  const { page } = readRecipe(name);
  const flags = (await loadCommands()).flatMap(({ variables, flags: others }) =>
    Object.keys({ ...variables, ...others }),
  );
  const known = [...flags, ...flags.map((flag) => `no-${flag}`)].map((flag) => `--${flag}`);
  const lines = page.split('\n').filter((line) => line.includes('val-emulator ') || /^\|.*`--|^ +args: /.test(line));
  const named = lines.flatMap((line) => line.match(/--[a-z][a-z-]+/g) ?? []);
  expect(named.filter((flag) => ![...known, ...FLAGS_OF_OTHERS].includes(flag))).toEqual([]);

  const variables = [...flags, 'token'].map(variableFor);
  const set = page.match(/VAL_EMULATOR_[A-Z_]+/g) ?? [];
  expect(set.filter((variable) => !variables.includes(variable))).toEqual([]);

  const paths = [...page.matchAll(/_emulator\/([a-z]+)/g)].map(([, segment]) => segment);
  const segments = ['health', ...controlRoutes.map(({ path }) => path.split('/')[2])];
  expect(paths.filter((segment) => !segments.includes(segment))).toEqual([]);
});

const listLinks = (page: string) => [...page.matchAll(/\]\((?!https?:)([^)#]+)/g)];

test('recipes have links to other pages', () => {
  expect(recipeNames.flatMap((name) => listLinks(readRecipe(name).page)).length).toBeGreaterThan(5);
});

test.each(recipeNames)('%s has at most 80 lines, valid links, and a row in the list', (name) => {
  const { page } = readRecipe(name);
  const list = readFileSync(join(ROOT, 'docs/recipes/README.md'), 'utf8');

  expect(page.split('\n').length).toBeLessThan(81);
  expect(list).toContain(`](${name}.md)`);
  for (const [, link = ''] of listLinks(page)) {
    expect(() => readFileSync(join(ROOT, 'docs/recipes', link)), link).not.toThrow();
  }
});
