import { inject } from 'vitest';
import { connect, type RemoteSandbox } from '#tools/client/index.js';
import { createEmulator, type Emulator, type EmulatorOptions, type Sandbox } from '../../src/index.js';
import { startForwarder } from './forwarder.js';

export const isShared = true;

let count = 0;

/**
 * Starts two nodes that share a store, behind one address. Returns the first one, with that address. Its methods show what was
 * done by requests to either; those that change something send a request, and so does `fetch`, to the two in turn.
 */
export async function startTwoNodes(store: string | undefined, options: EmulatorOptions): Promise<Emulator> {
  // By default, the sandboxes of a shared store expire.
  const own = { sandboxIdle: 0, ...options, listen: true };
  const shared = { ...own, store, storePrefix: `two-${process.pid}-${++count}` };
  const first = await createEmulator(shared);
  const second = await createEmulator(shared).catch(async (error) => {
    await first.close();
    throw error;
  });
  const nodes = [first, second];
  const forwarder = await startForwarder(nodes, () => first.saved());
  const { url } = forwarder;
  let turn = 0;
  const fetchFrom =
    (name: string): Sandbox['fetch'] =>
    async (input, init) => {
      const origin = options.listen === false ? 'http://localhost' : url;
      const base = name === '' ? origin : `${origin}/_sandbox/${name}`;
      const node = nodes[turn++ % nodes.length];
      if (!node) throw new Error('there is no node');
      // This node may not know it yet.
      if (name !== '') await node.saved();
      const { fetch } = name === '' ? node : node.sandbox(name);
      const response = await fetch(typeof input === 'string' && input.startsWith('/') ? base + input : input, init);
      await first.saved();
      return response;
    };
  const found = new WeakMap<Sandbox, Sandbox>();
  const find = (name: string): Sandbox => {
    const sandbox = first.sandbox(name);
    const known =
      found.get(sandbox) ?? replace(sandbox, { ...toChanges(sandbox, sandbox.url, find), fetch: fetchFrom(name) });
    found.set(sandbox, known);
    return known;
  };
  for (const node of nodes) Object.defineProperty(node, 'url', { value: url });
  return replace(first, {
    ...toChanges(first, url, find),
    fetch: fetchFrom(''),
    sandbox: (...args: Parameters<Emulator['sandbox']>) =>
      attempt(
        () => find(first.sandbox(...args).name),
        async () => find((await connect(url).sandbox(...args)).name),
      ),
    closeSandboxes: (prefix?: string) => connect(url).closeSandboxes(prefix),
    async close(...args: Parameters<Emulator['close']>) {
      forwarder.close();
      await Promise.all(nodes.map((node) => node.close(...args)));
    },
  });
}

/** Starts two nodes that share the store of the run. */
export const start = (options: EmulatorOptions): Promise<Emulator> => startTwoNodes(inject('store'), options);

/** Calls a method, which throws for a wrong value. Any other call is refused on a node, so the change is requested. */
function attempt<T>(call: () => T, request: () => Promise<T>): T | Promise<T> {
  try {
    return call();
  } catch (error) {
    if (!String(error).includes('are changed by requests only')) throw error;
    return request();
  }
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** The members of a sandbox that change something. */
function toChanges(sandbox: Sandbox, url: string, find: (name: string) => Sandbox) {
  const remote = connect(url);
  const confirm = { confirm: true };
  /** @param added arguments of the request alone */
  const pick = (local: object, client: object, names: readonly string[], ...added: readonly unknown[]) =>
    Object.fromEntries(
      names.map((name) => {
        const [call, request]: Method[] = [Reflect.get(local, name), Reflect.get(client, name)];
        const change = (...args: readonly unknown[]) =>
          attempt(
            () => call?.call(local, ...args),
            async () => request?.call(client, ...args, ...added),
          );
        return [name, change];
      }),
    );
  const names = ['snapshot', 'restore', 'dropSnapshot', 'clearRequests', 'rewind', 'fail', 'disarm', 'close'];
  const reseed = (source: Parameters<RemoteSandbox['reseed']>[0]) => remote.reseed(source, confirm);
  return {
    ...pick(sandbox, remote, names),
    ...pick(sandbox, remote, ['reset'], confirm),
    reseed: (source: Parameters<typeof reseed>[0]) =>
      typeof source === 'object' && 'generate' in source
        ? reseed(source)
        : attempt(
            () => sandbox.reseed(source),
            () => reseed(source),
          ),
    add: pick(sandbox.add, remote.add, Object.keys(sandbox.add)),
    fork: (...args: Parameters<Sandbox['fork']>) =>
      attempt(
        () => sandbox.fork(...args),
        async () => find((await remote.fork(...args)).name),
      ),
    clock: pick(sandbox.clock, remote.clock, ['freeze', 'set', 'advance', 'resume']),
    rateLimit: pick(sandbox.rateLimit, remote.rateLimit, ['set']),
  };
}

/** Replaces members of an object, and members of its members. All else is as it was, private fields included. */
function replace<T extends object>(target: T, members: object): T {
  return new Proxy(target, {
    get(_, key) {
      const value: unknown = Reflect.get(target, key, target);
      const replaced: unknown = Reflect.get(members, key);
      if (typeof replaced === 'object' && replaced !== null && typeof value === 'object' && value !== null)
        return replace(value, replaced);
      return replaced ?? (typeof value === 'function' ? value.bind(target) : value);
    },
  });
}
