import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from './cli.js';

const committed = (file: string) => readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');

test.each([
  [['print', 'openapi'], 'openapi.json'],
  [['print', 'openapi', '--control'], 'openapi-control.json'],
])('%j prints docs/%s', async (args, file) => {
  expect(await run(args)).toEqual({ stdout: committed(file), stderr: '', code: 0 });
});

test('--spec-only omits the unofficial operations', async () => {
  const { stdout } = await run(['print', 'openapi', '--spec-only']);

  const { paths } = JSON.parse(stdout);
  expect(Object.keys(paths)).not.toContain('/v1/alias/{username}');
  expect(Object.keys(paths['/v1/vals/{val_id}'])).toEqual(['get', 'delete']);
});
