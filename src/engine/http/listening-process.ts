import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { basename } from 'node:path';

export interface ListeningProcess {
  readonly pid: number;
  /** The program, and its script if it has one: `node server.js`. Further words may be secret. */
  readonly command: string;
  /** Its working directory. */
  readonly folder: string | undefined;
}

/** The state of a socket that listens. Source: proc(5). */
const LISTEN = '0A';
const LSOF_TIMEOUT_MS = 2_000;

/** Finds the process that listens on a port of this machine. Undefined for one of another user, or where nothing lists them. */
export function findListeningProcess(host: string, port: number): ListeningProcess | undefined {
  return attempt(() => (process.platform === 'linux' ? searchProc(host, port) : askLsof(port)));
}

function searchProc(host: string, port: number): ListeningProcess | undefined {
  const inodes = listInodes(host, port);
  if (inodes.size === 0) return undefined;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const folder = `/proc/${pid}`;
    // The files of other users cannot be read.
    const descriptors = attempt(() => readdirSync(`${folder}/fd`)) ?? [];
    if (!descriptors.some((name) => inodes.has(attempt(() => readlinkSync(`${folder}/fd/${name}`)) ?? ''))) continue;
    const [program = '', script = ''] = readFileSync(`${folder}/cmdline`, 'utf8').split('\0');
    const command = [basename(program), ...(/^[^-]/.test(script) ? [script] : [])].join(' ');
    return { pid: Number(pid), command, folder: attempt(() => readlinkSync(`${folder}/cwd`)) };
  }
  return undefined;
}

/** Lists the sockets that listen on a port, as links to them are named. */
function listInodes(host: string, port: number): Set<string> {
  const hex = (value: number, length: number) => value.toString(16).toUpperCase().padStart(length, '0');
  const bytes = host.split('.').map((byte) => hex(Number(byte), 2));
  // All addresses, or this one, also as an address of IPv6. The bytes of each are in reverse.
  const one = isIPv4(host) && host !== '0.0.0.0' ? `0+|(?:0{16}FFFF0000)?${bytes.reverse().join('')}` : '.*';
  const address = new RegExp(`^(?:${one}):${hex(port, 4)}$`);
  const rows = ['tcp', 'tcp6'].flatMap((name) =>
    (attempt(() => readFileSync(`/proc/net/${name}`, 'utf8')) ?? '').split('\n'),
  );
  return new Set(
    rows.flatMap((row) => {
      const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
      return state === LISTEN && address.test(local) ? [`socket:[${inode}]`] : [];
    }),
  );
}

/** Calls a function that may fail: processes end, and close files, meanwhile. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Asks the program of macOS and BSD. */
export function askLsof(port: number): ListeningProcess | undefined {
  const ask = (...args: string[]) =>
    execFileSync('lsof', args, { encoding: 'utf8', timeout: LSOF_TIMEOUT_MS, stdio: 'pipe' });
  const [, pid, command = ''] = /^p(\d+)\nc(.*)$/m.exec(ask('-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc')) ?? [];
  if (pid === undefined) return undefined;
  const [, folder] = /^n(.*)$/m.exec(ask('-a', '-p', pid, '-d', 'cwd', '-Fn')) ?? [];
  return { pid: Number(pid), command, folder };
}
