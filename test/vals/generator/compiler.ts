import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TSC } from './built.js';

/** The globals of the runtime of vals, and its modules without types. */
const GLOBALS = `
declare module 'npm:*';
declare module 'https://esm.town/v/*';
declare const Deno: { env: { get(name: string): string | undefined } };
declare const process: { env: any };
interface Interval { id: string; delay: number; lastRunAt: Date | undefined }
interface Email { from: string; to: string[]; subject?: string; text?: string; html?: string }
declare namespace express { type Request = any; type Response = any }
`;

const OPTIONS = {
  target: 'esnext',
  module: 'esnext',
  moduleResolution: 'bundler',
  moduleDetection: 'force',
  lib: ['esnext', 'dom', 'dom.iterable'],
  jsx: 'react-jsx',
  types: [],
  strict: false,
  noUnusedLocals: true,
  noEmit: true,
};

/**
 * Compiles these files with TypeScript and returns one line per error, with the name of the file.
 * @param types whether to check types in addition to the syntax
 */
export function listCompilerErrors(files: ReadonlyMap<string, string>, { types }: { types: boolean }): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'vals-'));
  try {
    mkdirSync(join(folder, 'vals'));
    for (const [name, code] of files) writeFileSync(join(folder, 'vals', `${name}.tsx`), code);
    writeFileSync(join(folder, 'globals.d.ts'), GLOBALS);
    const config = { compilerOptions: { ...OPTIONS, noCheck: !types }, include: ['vals', 'globals.d.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
    const { stdout, stderr, status } = spawnSync(process.execPath, [TSC, '-p', folder, '--pretty', 'false'], options);
    const errors = stdout.split('\n').filter((line) => line.includes('error TS'));
    if (status !== 0 && errors.length === 0) throw new Error(`tsc failed: ${stdout}${stderr}`);
    return errors;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
