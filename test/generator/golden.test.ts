import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { generate, writeFixture } from '../../src/generator/index.js';
import { buildGenerator } from './built.js';

const OPTIONS = { users: 8, vals: 80, runs: 1500, seed: 42 };

/**
 * SHA-256 of the dataset of these options. Any change to the generator changes it: update it, and say in the changelog
 * that datasets differ from the datasets of earlier versions.
 */
const GOLDEN = 'c07d6d266ec37c0e14f76e5c4df3eea7a9b4a8056910f4d201bb500c6b8e211e';

test('a seed gives the same bytes in every release', () => {
  const text = [...writeFixture(generate(OPTIONS))].join('');
  expect(createHash('sha256').update(text).digest('hex')).toBe(GOLDEN);
});

const PROGRAM = `
const { createHash } = await import('node:crypto');
const { generate, writeFixture } = await import(process.argv[1]);
const hash = createHash('sha256');
for (const chunk of writeFixture(generate(${JSON.stringify(OPTIONS)}))) hash.update(chunk);
console.log(process.version, hash.digest('hex'));
`;

let entry = '';
let remove = () => {};
beforeAll(() => {
  ({ entry, remove } = buildGenerator());
});
afterAll(() => remove());

const ENVIRONMENTS = [
  { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
  { TZ: 'Pacific/Auckland', LANG: 'en_NZ.UTF-8', LC_ALL: 'en_NZ.UTF-8' },
  { TZ: 'America/St_Johns', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
];

test.each(ENVIRONMENTS)('the same bytes under $TZ and $LANG', (env) => {
  expect(run([process.execPath], env)).toEqual([process.version, GOLDEN]);
});

function run([file = '', ...flags]: readonly string[], env: Readonly<Record<string, string>>): string[] {
  const args = [...flags, '--input-type=module', '-e', PROGRAM, entry];
  const { stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  if (stdout === '') throw new Error(stderr);
  return stdout.trim().split(' ');
}
