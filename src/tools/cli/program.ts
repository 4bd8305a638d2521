import { text } from 'node:stream/consumers';
import { isatty } from 'node:tty';
import { findParents, isForeground } from './processes.js';
import { runCli } from './run.js';

/** Runs the program of this process, and sets its exit code. */
export async function main(): Promise<void> {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    // A reader such as `head` may close the pipe early.
    if (error.code === 'EPIPE') return;
    process.stderr.write(`val-emulator: The output cannot be written: ${error.message}\n`);
    process.once('exit', (code) => {
      process.exitCode = code || 2;
    });
  });
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  process.exitCode = await runCli(process.argv.slice(2), {
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    isInteractive: isatty(0),
    // Opened late: few runs read it.
    get stdin() {
      return process.stdin;
    },
    readInput: () => text(process.stdin),
    isForeground,
    findParents,
    open: openInBrowser,
    signals: process,
    raise: (signal) => process.kill(process.pid, signal),
    send: (message) => void process.send?.(message),
    exit: process.exit,
  });
}

/** Opens a URL in the browser. @param onFailure called if there is none */
export function openInBrowser(url: string, onFailure: () => void): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? (['open', url] as const)
      : process.platform === 'win32'
        ? (['cmd', '/c', 'start', '', url] as const)
        : (['xdg-open', url] as const);
  process
    .getBuiltinModule('node:child_process')
    .spawn(program, args, { stdio: 'ignore', detached: true })
    .on('error', onFailure)
    // xdg-open found no browser, or could not start it.
    .on('exit', (code) => code !== 0 && onFailure())
    .unref();
}
