import { createEmulator, type Emulator, type EmulatorOptions, type Sandbox } from '../../src/index.js';
import { seen, startForwarder } from './forwarder.js';

let count = 0;

/**
 * Starts two nodes that share a store, behind one address. Returns the first one, with that address: its methods show what
 * was done by requests to either. Its `fetch` and those of its sandboxes reach the two in turn as well.
 */
export async function startTwoNodes(store: string, options: EmulatorOptions): Promise<Emulator> {
  const shared = { ...options, listen: true, store, storePrefix: `two-${process.pid}-${++count}` };
  const first = await createEmulator(shared);
  const second = await createEmulator(shared).catch(async (error) => {
    await first.close();
    throw error;
  });
  const nodes = [first, second];
  const forwarder = await startForwarder(nodes);
  const methods = nodes.map((node) => ({
    fetch: node.fetch,
    find: node.sandbox.bind(node),
    close: node.close.bind(node),
  }));
  let turn = 0;
  const fetchFrom =
    (name: string): Sandbox['fetch'] =>
    async (input, init) => {
      const node = methods[turn++ % methods.length];
      if (!node) throw new Error('there is no node');
      const response = await (name === '' ? node.fetch : node.find(name).fetch)(input, init);
      await seen(nodes);
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
