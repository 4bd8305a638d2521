import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RequestError } from 'proxy-chain';
import type { InterceptionInfo } from '#engine/control/interception.js';
import type { SandboxTypes } from '#engine/sandbox/types.js';
import type { EngineOf } from '../../create-engine.js';
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
  readRefused(): ReadonlyMap<string, number>;
}

/** Intercepts connections to the names, for programs that have the variables of {@link makeVariables}. */
export async function openInterception(
  emulator: EngineOf<SandboxTypes>,
  { names, sandbox, only, env }: InterceptOptions,
): Promise<Interception> {
  const before = restoreVariables(env);
  // A request without a route creates no sandbox, and the journal of this one has all.
  if (sandbox !== undefined) emulator.sandbox(sandbox);
  const authority = createAuthority(names, Date.now());
  const folder = mkdtempSync(join(tmpdir(), 'val-emulator-'));
  const opened: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    emulator.pipeline.process.interception = undefined;
    for (const each of opened.toReversed()) await each();
  };
  const note = (address: string) => {
    if (only) appendFileSync(join(folder, REFUSED_FILE), `${address}\n`);
  };
  const check = (address: string) => {
    if (!only) return;
    note(address);
    throw new RequestError(`val-emulator exec --only refuses ${address}.`, 403);
  };
  const password = randomBytes(24).toString('base64url');
  try {
    writeFileSync(join(folder, AUTHORITY_FILE), authority.certificate, { mode: 0o600 });
    const listener = await openListener(emulator.pipeline, { authority, sandbox, onRefused: note });
    opened.push(listener.close);
    const shared = { names, listener, check };
    const proxy = await openProxy({ ...shared, password, findUpstream: (...args) => findProxy(...args, before) });
    opened.push(() => proxy.close(true));
    // Java does not read the variables of proxies.
    const javaProxy = await openProxy({ ...shared, findUpstream: () => undefined });
    opened.push(() => javaProxy.close(true));
    const url = `http://val-emulator:${password}@127.0.0.1:${proxy.port}`;
    const info = { names: [...names], folder, only, port: listener.port, proxy: url, javaPort: javaProxy.port };
    emulator.pipeline.process.interception = info;
    return { info, readRefused: () => countRefused(folder), [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Counts the connections that the proxies and the preload have refused. */
function countRefused(folder: string): ReadonlyMap<string, number> {
  const path = join(folder, REFUSED_FILE);
  const counts = new Map<string, number>();
  for (const address of existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []) {
    counts.set(address, (counts.get(address) ?? 0) + 1);
  }
  return counts;
}
