import { readFileSync } from 'node:fs';

/** Reads a process on Linux. Source: proc(5). @throws Error for a process that has ended */
function readStat(pid: number | 'self') {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name is in parentheses, and may have some itself.
  const [state, parent, group, session, , foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
  return { name, state, parent: Number(parent), group, session: Number(session), foreground };
}

/** The shells by which npm runs a script. They go on when npm is killed. */
const SHELL = /^(?:a|ba|da|k|z)?sh$/;

/**
 * Returns the processes without which this one has no owner: its parent, and the parents of shells.
 * Empty for a process that has left the session of its parent.
 */
export function findParents(): readonly number[] {
  const { pid, ppid, platform } = process;
  // Windows gives a process no other parent.
  if (platform === 'win32') return [ppid].filter(isAlive);
  const found = [ppid];
  try {
    if (platform === 'linux' && readStat('self').session === pid) return [];
    if (platform === 'linux') {
      for (let each = readStat(ppid); SHELL.test(each.name); each = readStat(each.parent)) found.push(each.parent);
    }
  } catch {
    // One of them has ended just now, or is not shown to others.
  }
  return found;
}

/** Milliseconds between two looks at the parents. */
const INTERVAL_MS = 1_000;

/** Calls back once when one of the processes has ended. @param parents as `find` returned them at the start */
export function watchParents(parents: readonly number[], find: () => readonly number[], onEnd: () => void): Disposable {
  const timer = setInterval(() => {
    const found = find();
    if (parents.every((pid) => found.includes(pid))) return;
    clearInterval(timer);
    onEnd();
  }, INTERVAL_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
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
      const { execFileSync } = process.getBuiltinModule('node:child_process');
      return execFileSync('ps', ['-o', 'stat=', '-p', String(process.pid)], { encoding: 'utf8' }).includes('+');
    }
    const { group, foreground } = readStat('self');
    return group === foreground;
  } catch {
    return false;
  }
}
