import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from './cli.js';

const shipped = (file: string) => readFileSync(new URL(`../../../schema/${file}`, import.meta.url), 'utf8');

test.each([
  [['print', 'schema'], 'fixtures.schema.json'],
  [['print', 'schema', '--collection', 'vals'], 'vals.schema.json'],
])('%j prints schema/%s', async (args, file) => {
  expect(await run(args)).toEqual({ stdout: shipped(file), stderr: '', code: 0 });
});

test('an unknown collection is refused', async () => {
  const { stderr, code } = await run(['print', 'schema', '--collection', 'posts']);
  expect(stderr).toContain(
    'found "posts"; expected users, organizations, memberships, projects, branches, commits, environment, responses, clients, grants, tokens, vals, versions, runs, likes, comments, emails, blobs or sqlite.',
  );
  expect(code).toBe(2);
});
