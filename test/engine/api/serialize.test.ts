import { expect, test } from 'vitest';
import { SerializationCache, SerializedJson, serialize } from '#engine/api/serialize.js';
import type { EmulatorOptions, Sandbox } from '../../../src/index.js';
import { RandomClient } from '../../model/client.js';
import { without } from '../../model/operations.js';
import { emulate } from '../../support/emulate.js';
import { codeImporting, sampleFixtures } from '../../support/sample-fixtures.js';
import { sized } from '../../support/soak.js';
import { apiView } from '../../support/views.js';

interface Item {
  readonly name: string;
}

/** A state that no other call has had. */
const source = (base = 'base') => ({ state: {}, links: { base } });

/** A view that counts how often it renders. */
function makeView() {
  let renders = 0;
  const view = ({ name }: Item, ...inputs: unknown[]) => {
    renders++;
    return { name, inputs };
  };
  return { view, count: () => renders };
}

test('the text is reused while the record and the inputs are identical', () => {
  const cache = new SerializationCache();
  const { view, count } = makeView();
  const [item, author] = [{ name: 'a' }, { username: 'ada' }];

  const texts = [1, 2, 3].map(() => cache.serialize(view, item, source(), () => [author, 'base', 3]).text);

  expect(new Set(texts)).toStrictEqual(new Set(['{"name":"a","inputs":[{"username":"ada"},"base",3]}']));
  expect(count()).toBe(1);
});

test('inputs are looked up again for another state, or another base URL', () => {
  const cache = new SerializationCache();
  const { view } = makeView();
  const item = { name: 'a' };
  let lookups = 0;
  const getInputs = () => {
    lookups++;
    return [];
  };
  const { state } = source();
  for (const base of ['one', 'one', 'two', 'two']) cache.serialize(view, item, { state, links: { base } }, getInputs);
  expect(lookups).toBe(2);
  cache.serialize(view, item, source('two'), getInputs);
  expect(lookups).toBe(3);
});

test.each<[string, unknown[]]>([
  ['object', [{ username: 'ada' }, 'base', 3]],
  ['text', [undefined, 'other', 3]],
  ['number', [undefined, 'base', 4]],
])('the text is written again when an input is another %s', (_kind, changed) => {
  const cache = new SerializationCache();
  const { view, count } = makeView();
  const item = { name: 'a' };
  const author = { username: 'ada' };
  const inputs = [author, 'base', 3];
  const before = cache.serialize(view, item, source(), () => inputs).text;

  const after = cache.serialize(view, item, source(), () => changed.map((input, i) => input ?? inputs[i])).text;

  expect(count()).toBe(2);
  expect(after).toBe(JSON.stringify({ name: 'a', inputs: changed.map((input, i) => input ?? inputs[i]) }));
  expect(cache.serialize(view, item, source(), () => inputs).text).toBe(before);
});

test('another record with equal fields has a text of its own', () => {
  const cache = new SerializationCache();
  const { view, count } = makeView();

  for (let i = 0; i < 2; i++)
    expect(cache.serialize(view, { name: 'a' }, source(), () => []).text).toBe('{"name":"a","inputs":[]}');

  expect(count()).toBe(2);
});

test('two views of one record do not mix', () => {
  const cache = new SerializationCache();
  const item = { name: 'a' };
  const short = ({ name }: Item) => name;
  const long = ({ name }: Item) => ({ name });

  for (let i = 0; i < 2; i++) {
    expect(cache.serialize(short, item, source(), () => []).text).toBe('"a"');
    expect(cache.serialize(long, item, source(), () => []).text).toBe('{"name":"a"}');
  }
});

test('two caches do not share texts', () => {
  const { view, count } = makeView();
  const item = { name: 'a' };
  for (let i = 0; i < 2; i++) new SerializationCache().serialize(view, item, source(), () => []);

  expect(count()).toBe(2);
});

test('serialized JSON is not serialized again', () => {
  expect(serialize(new SerializedJson('{"name":"a"}'))).toBe('{"name":"a"}');
  expect(serialize({ name: 'a' })).toBe('{"name":"a"}');
});

// The following compare the responses of an emulator with those of a new one, whose cache is empty.

/** Other tests check responses against the schemas. */
const options: EmulatorOptions = { listen: false, validateResponses: false, onExchange: () => {} };

/** Returns all responses of a new emulator with the records of a sandbox. */
async function readFromNewEmulator(sandbox: Sandbox): Promise<string[]> {
  const { now } = sandbox.clock;
  const created = await emulate(sandbox.state(), { ...options, now });
  // The responses contain the base URL of the sandbox.
  const view = await apiView((input, init) =>
    created.fetch(`${sandbox.url}${input}`.replace(/\/_sandbox\/\w+/, ''), init),
  );
  return view.map((line) => line.replaceAll(created.url, sandbox.url));
}

async function expectCurrentResponses(sandbox: Sandbox): Promise<void> {
  const expected = await readFromNewEmulator(sandbox);
  expect(await apiView(sandbox.fetch)).toEqual(expected);
}

test.each([1])('responses after random writes show the current records (%i)', async (seed) => {
  const emulator = await emulate(sampleFixtures, options);
  const requests = new RandomClient(emulator.fetch, seed, { operations: without('rate-limit') });
  for (let round = 0; round < sized(1, 3); round++) {
    await requests.run(80);
    await expectCurrentResponses(emulator);
  }
});

test('sandboxes of one seed do not share texts with the URL of another', async () => {
  const emulator = await emulate(sampleFixtures, options);
  const sandboxes = [emulator, emulator.sandbox('one'), emulator.sandbox('two')];
  const allRequests = sandboxes.map(
    ({ fetch }, seed) => new RandomClient(fetch, seed, { operations: without('seed', 'rate-limit') }),
  );
  for (let round = 0; round < sized(1, 2); round++) {
    for (const requests of allRequests) await requests.run(20);
    for (const sandbox of sandboxes) await expectCurrentResponses(sandbox);
  }
});

test('a renamed user has the new name in vals, runs and comments', async () => {
  const emulator = await emulate(sampleFixtures, options);
  await apiView(emulator.fetch);
  const id = emulator.users[0]?.id;

  const changed = await emulator.fetch(`/_emulator/db/users/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'lovelace' }),
  });

  expect(await changed.json()).toMatchObject({ username: 'lovelace' });
  await expectCurrentResponses(emulator);
});

test('a like is counted at once', async () => {
  const emulator = await emulate(sampleFixtures, options);
  await apiView(emulator.fetch);

  emulator.add.user({ username: 'gus' });
  await apiView(emulator.fetch);
  emulator.add.like({ user: 'gus', val: 'ada/val0' });

  await expectCurrentResponses(emulator);
});

test('a val with the id of a rewound one has its own text', async () => {
  const emulator = await emulate(sampleFixtures, options);
  const create = async (name: string): Promise<string> => {
    const response = await emulator.fetch('/v1/vals', {
      method: 'POST',
      headers: { authorization: 'Bearer ada token', 'content-type': 'application/json' },
      body: JSON.stringify({ name, code: codeImporting('ada', 'val0'), privacy: 'public' }),
    });
    emulator.add.run({ val: `ada/${name}` });
    emulator.add.comment({ author: 'bob', val: `ada/${name}`, comment: name });
    await expectCurrentResponses(emulator);
    const val: { id: string } = JSON.parse(await response.text());
    return val.id;
  };
  await apiView(emulator.fetch);

  const rewound = await create('first');
  emulator.rewind(3);

  await expectCurrentResponses(emulator);
  expect(await create('second')).toBe(rewound);
});
