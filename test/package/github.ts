import { chmodSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { folderOf } from '../engine/fixtures/loading.js';
import { Command } from '../tools/cli/cli.js';
import { ROOT } from './pack.js';

/** The texts of programs by name. The script finds them before those of the machine. */
export type Programs = Readonly<Record<string, string>>;

interface ScriptOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly programs: Programs;
  /** Files in the working folder. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Runs a script of a step as GitHub does: it writes to the files `output`, `env` and `path`. */
export async function runScript(script: string, { env, programs, files = {} }: ScriptOptions) {
  const folder = folderOf({ ...programs, ...files, output: '', env: '', path: '' });
  for (const program of Object.keys(programs)) chmodSync(join(folder, program), 0o755);
  const variables = {
    ...env,
    // A step is not a script of npm, with whose end an emulator ends.
    ...{ npm_command: undefined, npm_lifecycle_event: undefined },
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    RUNNER_TEMP: folder,
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_ENV: join(folder, 'env'),
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_PATH: join(folder, 'path'),
  };
  const flags = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
  const ended = await new Command('bash', flags, { env: variables, cwd: folder }).end();
  return { ...ended, folder, written: (file: string) => readFileSync(join(folder, file), 'utf8') };
}
