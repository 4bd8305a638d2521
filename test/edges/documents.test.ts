import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../cli/cli.js';
import { emulate } from '../support/emulate.js';
import { readJson } from '../support/read-json.js';

const read = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const users = [{ username: 'ada' }];
const ADA = { authorization: 'Bearer ada-token' };

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, unknown> }>>>>;
}

test('the README gives an install from git, as the package is not on a registry', () => {
  const readme = read('README.md');
  const [beforeCode = ''] = readme.split('## Install');

  expect(beforeCode).toContain('The package is not on a registry yet: [Install](#install)');
  expect(readme).toContain('npm install --save-dev git+https://');
});

test('every operation of the OpenAPI document has the errors of a sandbox', async () => {
  const { paths }: Document = JSON.parse(read('docs/openapi.json'));
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

  expect(operations.length).toBeGreaterThan(20);
  for (const { responses } of operations) {
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '404', '503']));
  }
  const emulator = await emulate({ users }, { maxSandboxes: 1 });
  await emulator.sandbox('closed').close();
  emulator.sandbox('other');
  const statusIn = async (name: string) => (await emulator.fetch(`/_sandbox/${name}/v1/me`, { headers: ADA })).status;
  expect([await statusIn('a%20b'), await statusIn('closed'), await statusIn('third')]).toEqual([400, 404, 503]);
});

test('offsets and versions have no documented maximum', () => {
  const document = read('docs/openapi.json');

  const schemas = [...document.matchAll(/"name": "(?:offset|version)"[\s\S]*?"schema": (\{[^}]*\})/g)];

  expect(schemas.length).toBeGreaterThan(0);
  for (const [, schema] of schemas) expect(schema).not.toContain('maximum');
});

test('the documented status of POST /_emulator/sandboxes is the one that it returns', async () => {
  const emulator = await emulate({ users });
  const row = read('docs/control.md')
    .split('\n')
    .find((line) => line.includes('`POST /_emulator/sandboxes`'));

  const { status } = await emulator.fetch('/_emulator/sandboxes', { method: 'POST' });

  expect(row).toContain(`| ${status} \`{ "name", "url" }\` |`);
});

test('calls of the SDK to /v2 return 501, as the README documents', async () => {
  const emulator = await emulate({ users });

  for (const path of ['/v2/vals', '/v2/me/vals', '/v2/alias/vals/ada/hello']) {
    expect((await emulator.fetch(path, { headers: ADA })).status, path).toBe(501);
  }
  const [id] = emulator.users.map((user) => user.id);
  for (const path of ['/v1/me', `/v1/users/${id}`, '/v1/alias/ada', '/v1/search/vals?query=x']) {
    expect((await emulator.fetch(path, { headers: ADA })).status, path).toBe(200);
  }
  expect(read('README.md')).toMatch(
    /Use version 0\.38\.3, the\s+last one that calls `\/v1\/vals`\. Later versions\s+\(1\.0\.0 and up\) call `\/v2` for everything except profiles, users and search; the emulator responds with 501/,
  );
});

test('a val created without privacy is private, as docs/routes.md documents', async () => {
  const emulator = await emulate({ users });
  const init = {
    method: 'PUT',
    headers: { ...ADA, 'content-type': 'application/json' },
    body: '{"name":"a","code":"1"}',
  };
  const { id } = await readJson(await emulator.fetch('/v1/vals', init));

  expect((await emulator.fetch(`/v1/vals/${id}`)).status).toBe(404);
  expect((await emulator.fetch(`/v1/vals/${id}`, { headers: ADA })).status).toBe(200);
  expect(read('docs/routes.md')).toContain('A val that a request creates without `privacy` is private');
});

test.each<[value: string, isServed: boolean]>([
  ['off', false],
  ['0', false],
  ['on', true],
  ['1', true],
])('VAL_EMULATOR_CONTROL=%s sets whether the control API is served: %s', async (value, isServed) => {
  const { url } = await serve(['--fixtures', 'empty'], { env: { VAL_EMULATOR_CONTROL: value } });

  expect((await fetch(`${url}/_emulator/users`)).status).toBe(isServed ? 200 : 404);
  expect(read('docs/options.md')).toContain('| `--no-control` | `VAL_EMULATOR_CONTROL=off` |');
});
