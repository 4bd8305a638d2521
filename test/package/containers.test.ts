import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { Command, MAIN, serve } from '../tools/cli/cli.js';
import { ROOT } from './pack.js';

test('the context of the image has every file that the build reads', () => {
  const read = (name: string) => readFileSync(join(ROOT, 'scripts', name), 'utf8');
  const [, list = ''] = /^const SOURCES = \[(.*?)^\];$/ms.exec(read('build.js')) ?? [];
  const sources = [...list.matchAll(/^ {2}'(.*?)',$/gm)].map(([, name]) => name);
  expect(sources).toContain('tsconfig.build.json');
  expect(sources).toContain('scripts/plain-schemas.d.ts');
  const included = readFileSync(join(ROOT, 'deploy/Dockerfile.dockerignore'), 'utf8').split('\n');
  for (const file of [...sources, 'schema', 'scripts/*.js']) {
    expect(included).toContain(`!${file}`);
  }
});

test('the image is built from all files that the bundles contain', () => {
  const files = readFileSync(join(ROOT, 'deploy/Dockerfile.dockerignore'), 'utf8').split('\n');
  expect(files).toEqual(expect.arrayContaining(['!dashboard', '!docs/*.json', '!fixtures', '!scripts/*.js']));
});

test('both stages use one base image, pinned by its digest', () => {
  const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(bases).toEqual(Array(2).fill('$'.concat('{NODE_IMAGE}')));
  expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:24-slim@sha256:[\da-f]{64}$/m);
});

test('the health check exits with 0 while the emulator responds, and with 1 afterwards', async () => {
  const [, check = ''] =
    /^HEALTHCHECK (?:.*\\\n)+? +CMD (.*)$/m.exec(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')) ?? [];
  const script = check.replace('val-emulator', `'${process.execPath}' '${MAIN}'`);
  const { command, url } = await serve();
  const env = { VAL_EMULATOR_PORT: new URL(url).port };

  const up = await new Command('sh', ['-c', script], { env }).end();
  await command.kill('SIGTERM');
  const down = await new Command('sh', ['-c', script], { env }).end();

  expect({ up: up.code, down: down.code }).toEqual({ up: 0, down: 1 });
  expect(down.stderr).toContain('connection refused');
});

const Compose = z.object({
  services: z.object({
    program: z.object({ command: z.array(z.string()), environment: z.record(z.string(), z.string()) }),
  }),
});

test('the program in compose.yaml resets the emulator and reads its user', async () => {
  const { program } = Compose.parse(parse(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8'))).services;
  const [, ...args] = program.command;
  const { url } = await serve();

  const { stdout, code } = await new Command(process.execPath, args, {
    env: { ...program.environment, API_URL: url },
  }).end();

  expect({ stdout, code }).toEqual({ stdout: 'I am ada\n', code: 0 });
});
