import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Reads a process on Linux. Source: proc(5). @throws Error for a process that has ended */
function readStat(pid: number | 'self') {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name is in parentheses, and may have some itself.
  const [, state, , group, , , foreground] = text.slice(text.lastIndexOf(')')).split(' ');
  return { state, group, foreground };
}

/** Whether a process of the user has an id. In a container without an init process, one that has ended stays a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || readStat(pid).state !== 'Z';
  } catch {
    return false;
  }
}

/** Whether this process is the foreground job of its terminal: only that one may read keys. */
export function isForeground(): boolean {
  if (process.platform === 'win32') return true;
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'stat=', '-p', String(process.pid)], { encoding: 'utf8' }).includes('+');
    }
    const { group, foreground } = readStat('self');
    return group === foreground;
  } catch {
    return false;
  }
}
