import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { expect, test } from 'vitest';
import { folderOf } from '../engine/fixtures/loading.js';
import { PATIENCE } from '../support/patience.js';
import { ROOT } from './pack.js';

/** Makes a project with some files, in which the package is installed. */
function makeProject(files: Readonly<Record<string, string>>): string {
  const project = folderOf(files);
  mkdirSync(join(project, 'node_modules'));
  symlinkSync(ROOT, join(project, 'node_modules/val-emulator'), 'junction');
  return project;
}

/** Bundles a program for browsers. Warnings are errors. */
async function bundle(program: string, external: string[] = []) {
  const project = makeProject({ 'main.js': program });
  const onLog = (level: string, { message }: { message: string }) => {
    throw new Error(`${level}: ${message}`);
  };
  const input = join(project, 'main.js');
  const { output } = await build({ input, external, platform: 'browser', write: false, onLog });
  return output[0];
}

test.each([
  ['val-emulator/client', "export { connect, ExpectationError } from 'val-emulator/client';", []],
  ['val-emulator/msw', "export { handlers } from 'val-emulator/msw';", ['msw']],
])('%s in a bundle for browsers has no import of Node', async (_, program, external) => {
  const { code, imports, dynamicImports } = await bundle(program, external);

  expect([...imports, ...dynamicImports]).toEqual(external);
  expect(code).not.toMatch(/\brequire\(|["']node:|\bprocess\.|\bBuffer\b/);
  expect(code.length).toBeLessThan(40_000);
});

test.each(['val-emulator', 'val-emulator/vitest'])(
  '%s in a bundle for browsers names the client to use instead',
  async (name) => {
    const { code, imports } = await bundle(
      `import { createEmulator, test } from '${name}';\nconsole.log(createEmulator, test);`,
    );

    expect(imports).toEqual([]);
    expect(code.length).toBeLessThan(4_000);
    expect(() => new Function(code.replace(/^export .*$/gm, ''))()).toThrow(
      'val-emulator runs in Node. In a browser, connect to a running emulator: import { connect } from "val-emulator/client".',
    );
  },
);

test('a CommonJS program connects and gets the error classes of the package', () => {
  const program = `
    const { connect, ExpectationError } = require('val-emulator/client');
    const { createEmulator, ExpectationError: LocalError } = require('val-emulator');
    createEmulator().then(async (emulator) => {
      const sandbox = await connect(emulator.url).sandbox({ title: 'cy.task' });
      const error = await sandbox.expectRequest('GET /v1/me').catch((error) => error);
      console.log(sandbox.name, (await sandbox.users)[0].token, error instanceof LocalError, ExpectationError === LocalError);
      await emulator.close();
    });`;

  const args = ['--disable-warning=ExperimentalWarning', '-e', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: makeProject({}),
    encoding: 'utf8',
    timeout: PATIENCE,
  });

  expect(stderr).toBe('');
  expect(stdout).toBe('cy.task-1 ada-token true true\n');
});
