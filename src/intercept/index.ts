import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RequestError } from 'proxy-chain';
import type { InterceptionInfo } from '../control/interception.js';
import type { Emulator } from '../emulator.js';
import { createAuthority } from './authority.js';
import { AUTHORITY_FILE, REFUSED_FILE, restoreVariables } from './environment.js';
import { openListener } from './listener.js';
import { findProxy } from './no-proxy.js';
import { openProxy } from './proxy.js';

export { makeVariables } from './environment.js';

export interface InterceptOptions {
  /** Names to intercept, on ports 443 and 80. */
  readonly names: readonly string[];
  /** Name of the sandbox that responds. Default: the default sandbox */
  readonly sandbox?: string | undefined;
  /** Whether connections to other hosts are refused, unless they stay on this machine. */
  readonly only: boolean;
  /** The variables of the user, with the proxy for other hosts. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A running interception: the requests of programs to `names` go to an emulator. */
export interface Interception extends AsyncDisposable {
  readonly info: InterceptionInfo;
  /** Returns the refused connections as `host:port`, with the number of each. */
  readRefused(): Promise<ReadonlyMap<string, number>>;
}

/** Intercepts connections to the names, for programs that have the variables of {@link makeVariables}. */
export async function openInterception(
  emulator: Emulator,
  { names, sandbox, only, env }: InterceptOptions,
): Promise<Interception> {
  const before = restoreVariables(env);
  const authority = createAuthority(names, Date.now());
  const folder = await mkdtemp(join(tmpdir(), 'val-emulator-'));
  const opened = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const each of opened.toReversed()) await each();
  };
  const refused: string[] = [];
  const check = (address: string) => {
    if (!only) return;
    refused.push(address);
    throw new RequestError(`val-emulator exec --only refuses ${address}.`, 403);
  };
  const password = randomBytes(24).toString('base64url');
  try {
    await writeFile(join(folder, AUTHORITY_FILE), authority.certificate, { mode: 0o600 });
    const listener = await openListener(emulator.pipeline, authority, sandbox);
    opened.push(listener.close);
    const shared = { names, listener, check };
    const proxy = await openProxy({ ...shared, password, findUpstream: (...args) => findProxy(...args, before) });
    opened.push(proxy.close);
    // Java does not read the variables of proxies.
    const javaProxy = await openProxy({ ...shared, findUpstream: () => undefined });
    opened.push(javaProxy.close);
    const url = `http://val-emulator:${password}@127.0.0.1:${proxy.port}`;
    const info = { names: [...names], folder, only, port: listener.port, proxy: url, javaPort: javaProxy.port };
    emulator.pipeline.control.emulator.interception = info;
    return { info, readRefused: () => countRefused(folder, refused), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Counts the connections that the proxies and the preload have refused. */
async function countRefused(folder: string, addresses: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const listed = await readFile(join(folder, REFUSED_FILE), 'utf8').catch(() => '');
  const counts = new Map<string, number>();
  for (const address of [...addresses, ...listed.split('\n').filter((line) => line !== '')]) {
    counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  return counts;
}
