import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { runScript } from './github.js';
import { ROOT } from './pack.js';

const GITHUB = join(ROOT, '.github');
const Step = z.object({
  name: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.unknown()).default({}),
});
const Job = z.object({
  'timeout-minutes': z.int().max(90),
  permissions: z.record(z.string(), z.enum(['read', 'write'])),
  environment: z.string().optional(),
  steps: z.array(Step).min(1),
});
const Workflow = z.object({ name: z.string(), permissions: z.strictObject({}), jobs: z.record(z.string(), Job) });

const read = (path: string): string => readFileSync(join(GITHUB, path), 'utf8');
const files = readdirSync(join(GITHUB, 'workflows'));
const workflows = new Map(files.map((file) => [file, Workflow.parse(parse(read(`workflows/${file}`)))]));
const release = workflows.get('release.yml')?.jobs ?? {};
const stepsOf = (file: string) => Object.values(workflows.get(file)?.jobs ?? {}).flatMap(({ steps }) => steps);

test.each(files)('%s pins actions by commit, with the version as a comment', (file) => {
  const lines = read(`workflows/${file}`).match(/^.*\buses:.*$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test.each(files)('%s keeps no credentials in a checkout, and expands no text of others in a script', (file) => {
  const checkouts = stepsOf(file).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
  expect(checkouts.length).toBeGreaterThan(0);
  for (const step of checkouts) expect(step.with).toMatchObject({ 'persist-credentials': false });
  for (const { run = '' } of stepsOf(file)) expect(run).not.toContain('${{');
});

test('a release restores no cache, and only its last jobs may write', () => {
  expect(stepsOf('release.yml').length).toBeGreaterThan(0);
  for (const step of stepsOf('release.yml')) {
    expect(Object.keys(step.with).filter((key) => key.includes('cache'))).toEqual([]);
    expect(step.uses ?? '').not.toContain('cache');
  }
  expect(Object.fromEntries(Object.entries(release).map(([name, { permissions }]) => [name, permissions]))).toEqual({
    build: { contents: 'read' },
    npm: { 'id-token': 'write' },
    mcp: { contents: 'read', 'id-token': 'write' },
    image: { contents: 'read', packages: 'write', 'id-token': 'write' },
    notes: { contents: 'write' },
  });
});

test('the package is published with provenance, after an approval, and the image with its packages', () => {
  expect(release.npm?.environment).toBe('npm');
  expect(release.npm?.steps.at(-1)?.run).toMatch(/^npm publish --provenance /);
  expect(release.image?.steps.at(-1)?.with).toMatchObject({
    platforms: 'linux/amd64,linux/arm64',
    sbom: true,
    provenance: 'mode=max',
  });
});

const findScript = (words: string): string =>
  stepsOf('release.yml').find(({ name = '' }) => name.startsWith(words))?.run ?? '';

test.each([
  ['v1.2.3', 0],
  ['v1.2.4', 1],
])('a release of the tag %s ends with exit code %i for version 1.2.3', async (tag, code) => {
  const files = { 'package.json': '{ "version": "1.2.3" }' };
  const script = findScript('Check that the tag');
  expect(script).not.toBe('');
  expect((await runScript(script, { env: { GITHUB_REF_NAME: tag }, programs: {}, files })).code).toBe(code);
});

test('the notes of a release are its section of the CHANGELOG', async () => {
  const gh = '#!/bin/sh\ncat notes.md > output\n';
  const files = { 'CHANGELOG.md': '## Unreleased\n\n- next\n\n## 1.2.3\n\n- one\n- two\n\n## 1.2.2\n\n- old\n' };
  const { code, written } = await runScript(findScript('Create the release'), {
    env: { GITHUB_REF_NAME: 'v1.2.3' },
    programs: { gh },
    files,
  });
  expect(code).toBe(0);
  expect(written('output').trim()).toBe('- one\n- two');
});

test('each form of an issue has a required field, and names for its fields', () => {
  const forms = readdirSync(join(GITHUB, 'ISSUE_TEMPLATE')).filter((file) => file !== 'config.yml');
  const Field = z.object({
    type: z.enum(['textarea', 'input']),
    id: z.string(),
    attributes: z.object({ label: z.string() }),
  });
  const Form = z.object({ name: z.string(), description: z.string(), body: z.array(Field).min(1) });
  expect(forms).not.toEqual([]);
  for (const file of forms) expect(() => Form.parse(parse(read(`ISSUE_TEMPLATE/${file}`))), file).not.toThrow();
});
