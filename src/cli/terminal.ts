import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether this process is the foreground job of its terminal: only that one may read keys. */
export function isForeground(): boolean {
  if (process.platform === 'win32') return true;
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'stat=', '-p', String(process.pid)], { encoding: 'utf8' }).includes('+');
    }
    // After the name in parentheses: state, parent, group, session, terminal, foreground group. Source: proc(5).
    const [, , group, , , foreground] = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return group === foreground;
  } catch {
    return false;
  }
}

/** Opens a URL in the browser. @param onFailure called if there is none */
export function openInBrowser(url: string, onFailure: () => void): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? (['open', url] as const)
      : process.platform === 'win32'
        ? (['cmd', '/c', 'start', '', url] as const)
        : (['xdg-open', url] as const);
  spawn(program, args, { stdio: 'ignore', detached: true })
    .on('error', onFailure)
    // xdg-open found no browser, or could not start it.
    .on('exit', (code) => code !== 0 && onFailure())
    .unref();
}
