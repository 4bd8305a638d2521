import { expect, onTestFinished, test, vi } from 'vitest';
import { Tree } from '../../src/store/tree.js';
import { emulate } from '../support/emulate.js';
import { sampleFixtures } from '../support/sample-fixtures.js';

/** The functions of src on the call stack, outermost first. */
const readStack = () =>
  [...(new Error().stack ?? '').matchAll(/^ *at (?:(?:async |new )?([^\s/]+) \()?.*?\/src\/(.*?)\.ts:/gm)]
    .map(([, name = '<anonymous>', file]) => `${file} ${name}`)
    .reverse();

test('the call stack of a list request has twelve functions from the socket to the tree', async () => {
  const emulator = await emulate(sampleFixtures, { listen: true });
  const paths: string[][] = [];
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const original = Tree.prototype.slice;
  vi.spyOn(Tree.prototype, 'slice').mockImplementation(function (this: Tree<unknown>, ...range) {
    paths.push(readStack());
    return original.apply(this, range);
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
    Error.stackTraceLimit = stackTraceLimit;
  });

  const response = await fetch(`${emulator.url}/v1/me/runs?limit=2`, {
    headers: { authorization: 'Bearer ada token' },
  });

  expect(response.status).toBe(200);
  // At most 12 from the adapter: a newcomer reads the path of a request in a minute.
  expect(paths[0]).toEqual([
    'server/node Server.<anonymous>',
    'server/app choose',
    'server/node listener',
    'server/node respond',
    'server/pipeline Pipeline.respond',
    'server/pipeline Pipeline.#dispatch',
    'server/pipeline Pipeline.#respondToApi',
    'server/pipeline handle',
    'routes/runs Object.handle',
    'routes/runs runPage',
    'api/pagination page',
    'store/collection Range.page',
  ]);
});
