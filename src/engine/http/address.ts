import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { OptionsError, type Problem } from '../lib/errors.js';
import { parseJsonIfValid } from '../lib/json.js';
import { isObject } from '../lib/objects.js';
import { findListeningProcess } from './listening-process.js';

export const formatAddress = (address: string): string => (address.includes(':') ? `[${address}]` : address);

/** Returns a host to connect to: the loopback address for a server on all addresses. */
export function toReachableHost(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '[::1]' : formatAddress(address);
}

/** Makes an OptionsError, with the code of the system, of an error that the host or the port causes. */
export async function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): Promise<Error> {
  const problem = await describeProblem(error.code, host, port);
  return problem ? Object.assign(new OptionsError([problem]), { code: error.code, host, port }) : error;
}

async function describeProblem(code: string | undefined, host: string, port: number): Promise<Problem | undefined> {
  const advice = 'Use 127.0.0.1, or 0.0.0.0 for all addresses.';
  switch (code) {
    case 'EADDRINUSE':
      return {
        path: 'port',
        message: `${await describeBusyPort(host, port)} Choose another port, or 0 for any free one.`,
      };
    case 'EACCES':
      return {
        path: 'port',
        message: `${port} on ${host} needs more privileges. Choose a port above 1023, or 0 for any free one.`,
      };
    case 'EADDRNOTAVAIL':
      return { path: 'host', message: `${host} is not an address of this machine. ${advice}` };
    case 'ENOTFOUND':
      return { path: 'host', message: `${host} is unknown. ${advice}` };
    case 'EAI_AGAIN':
      return { path: 'host', message: `${host} could not be resolved. ${advice}` };
    default:
      return undefined;
  }
}

/** Says that a port is in use, and by what: `4010 on 127.0.0.1 is in use by val-emulator 0.2.0 (pid 12 in /home/ada).` */
export async function describeBusyPort(host: string, port: number): Promise<string> {
  const version = await findVersion(toReachableHost(host), port);
  const found = findListeningProcess(host, port);
  const name = version === undefined ? found?.command : `val-emulator ${version}`;
  const folder = found?.folder === undefined ? '' : ` in ${found.folder}`;
  const details = found ? ` (pid ${found.pid}${folder})` : '';
  return `${port} on ${host} is in use${name === undefined ? '' : ` by ${name}${details}`}.`;
}

/** Milliseconds that a val-emulator has to respond; it needs one. */
const PROBE_TIMEOUT_MS = 500;
/** Longest response to read, in UTF-16 code units. An error may have a path. */
const MAX_PROBE_LENGTH = 10_000;

/** Asks a port of this machine for the version of a val-emulator. Undefined if none responds. */
async function findVersion(host: string, port: number): Promise<string | undefined> {
  if (!/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)) return undefined;
  try {
    const health = await readHealth(`http://${host}:${port}`, PROBE_TIMEOUT_MS);
    return health?.status === 'ok' && typeof health.version === 'string' ? health.version : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the health of an emulator, also of one whose data cannot be written. Undefined for another program.
 * @throws Error if nothing responds, with the code `ABORT_ERR` after the timeout
 */
export async function readHealth(url: string, timeout: number): Promise<Record<string, unknown> | undefined> {
  const signal = AbortSignal.timeout(timeout);
  // A test may have replaced the global fetch.
  const sent = get(`${url}/_emulator/health`, { agent: false, signal });
  const [response]: IncomingMessage[] = await once(sent, 'response');
  let text = '';
  for await (const chunk of response ?? []) {
    text += chunk;
    if (text.length > MAX_PROBE_LENGTH) return undefined;
  }
  const health = parseJsonIfValid(text);
  return isObject(health) ? health : undefined;
}
