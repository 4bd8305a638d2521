import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emulate } from '../support/emulate.js';
import { serve } from '../tools/cli/cli.js';

const read = (file: string): string => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const users = [{ username: 'ada' }];
const ADA = { authorization: 'Bearer ada-token' };

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, unknown> }>>>>;
}

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
