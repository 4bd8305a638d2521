import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildGenerator } from './built.js';
import { GOLDEN, OPTIONS } from './golden.js';

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
