import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from './pack.js';

const FOLDER = join(ROOT, 'docs/recipes');

/** The names of all recipes. */
export const recipeNames = readdirSync(FOLDER)
  .filter((file) => file !== 'README.md')
  .map((file) => file.replace('.md', ''));

/** A page of `docs/recipes`. A line such as "`vite.config.js`:" above a block of code names the file of the block. */
export interface Recipe {
  readonly page: string;
  readonly files: ReadonlyMap<string, string>;
  /** The last command that the page shows; empty if it shows none. */
  readonly command: string;
  /** The lines that the command prints, among others. */
  readonly output: readonly string[];
}

/** Reads a recipe by name. */
export const readRecipe = (name: string): Recipe => readPage(join(FOLDER, `${name}.md`));

/** Reads a page whose files and commands are marked like those of a recipe. */
export function readPage(path: string): Recipe {
  const page = readFileSync(path, 'utf8');
  const blocks = [...page.matchAll(/(?:^`([^`\n]+)`:\n\n)?^```(\w+)\n([\s\S]*?)^```$/gm)].map(
    ([, file, language, text = '']) => ({ file, language, text }),
  );
  const command = blocks.findLast(({ file, language }) => file === undefined && language === 'sh')?.text ?? '';
  const output = blocks.findLast(({ language }) => language === 'text')?.text ?? '';
  return {
    page,
    files: new Map(blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text]]))),
    command,
    output: output.split('\n').filter((line) => line !== ''),
  };
}

/** Writes the files of a page to a temporary folder, where this package and its dependencies are installed. */
export function writeRecipe({ files }: Recipe): string {
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-recipe-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  for (const name of ['vite', 'vitest']) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  symlinkSync(join(ROOT, 'node_modules/.bin/vitest'), join(modules, '.bin/vitest'));
  symlinkSync(ROOT, join(modules, 'val-emulator'));
  const start = `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'dist/cjs/val-emulator.cjs')}" "$@"\n`;
  writeFileSync(join(modules, '.bin/val-emulator'), start, { mode: 0o755 });
  return folder;
}

/** The variables of a program that does not run as part of a test. */
export function outerVariables() {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:VITEST|VAL_EMULATOR_|NODE_OPTIONS|NODE_ENV)/.test(name),
  );
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', FORCE_COLOR: undefined };
}

/** Runs a command as a shell does in that folder, and returns its exit code with all that it prints. */
export function runIn(folder: string, command: string): { readonly status: number | null; readonly output: string } {
  const path = [join(folder, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...outerVariables(), PATH: path },
  });
  return { status, output: `${stdout}\n${stderr}` };
}
