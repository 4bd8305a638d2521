import { createEmulator, type Emulator, type EmulatorOptions, type Sandbox } from '../../src/index.js';
import { startForwarder } from './forwarder.js';

let count = 0;

/**
 * Starts two nodes that share a store, behind one address. Returns the first one, with that address: its methods show what
 * was done by requests to either. Its `fetch` and those of its sandboxes reach the two in turn as well.
 */
export async function startTwoNodes(store: string, options: EmulatorOptions): Promise<Emulator> {
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
  const methods = nodes.map((node) => ({
    fetch: node.fetch,
    find: node.sandbox.bind(node),
    saved: node.saved.bind(node),
    close: node.close.bind(node),
  }));
  let turn = 0;
  const fetchFrom =
    (name: string): Sandbox['fetch'] =>
    async (input, init) => {
      const origin = options.listen === false ? 'http://localhost' : forwarder.url;
      const base = name === '' ? origin : `${origin}/_sandbox/${name}`;
      const node = methods[turn++ % methods.length];
      if (!node) throw new Error('there is no node');
      // This node may not know it yet.
      if (name !== '') await node.saved();
      const { fetch } = name === '' ? node : node.find(name);
      const response = await fetch(typeof input === 'string' && input.startsWith('/') ? base + input : input, init);
      await first.saved();
      return response;
    };
  for (const node of nodes) Object.defineProperty(node, 'url', { value: forwarder.url });
  const [{ find } = { find: first.sandbox }] = methods;
  return Object.defineProperties(first, {
    fetch: { value: fetchFrom('') },
    sandbox: {
      value: (...args: Parameters<Emulator['sandbox']>) => {
        const sandbox = find(...args);
        const fetch = { value: fetchFrom(sandbox.name), configurable: true };
        return Object.defineProperty(sandbox, 'fetch', fetch);
      },
    },
    close: {
      value: async (...args: Parameters<Emulator['close']>) => {
        forwarder.close();
        await Promise.all(methods.map(({ close }) => close(...args)));
      },
    },
  });
}
