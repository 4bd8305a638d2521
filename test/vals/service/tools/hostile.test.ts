import { expect, test } from 'vitest';
import { isObject } from '#engine/lib/objects.js';
import { TOOL_NAMES } from '#vals/lib/names.tools.js';
import { tools } from '#vals/service/service.tools.js';
import type { Emulator } from '../../../../src/index.js';
import { emulate } from '../../../support/emulate.js';
import { sized } from '../../../support/soak.js';
import { connect, FIXTURES, fill, readEvents, send, toCall } from './agent.js';

const SITE = { val: 'ada/site' };

/** Starts an emulator. @returns it, and the defects that it has reported */
async function start(): Promise<{ readonly emulator: Emulator; readonly defects: unknown[] }> {
  const defects: unknown[] = [];
  return { emulator: await emulate(FIXTURES, { onError: (error) => defects.push(error) }), defects };
}

/** Returns the arguments of a tool: their schemas, those that are required, and the smallest. */
function describe(name: string) {
  const input = { ...tools.find((tool) => tool.name === name)?.input };
  const { properties, required }: { properties?: object; required?: readonly string[] } = input;
  const smallest: Record<string, unknown> = { ...Object(fill(input)) };
  return { properties: Object.entries({ ...properties }), required: required ?? [], smallest };
}

const HOSTILE = [null, 0, '', 'x'.repeat(100_000), '../../etc/passwd', [], {}, { type: 'val', val: 'eve/diary' }, true];

test.each(TOOL_NAMES)('%s refuses hostile arguments without a defect', async (name) => {
  const { emulator, defects } = await start();
  const { properties, smallest } = describe(name);
  for (const args of [undefined, smallest]) expect((await send(emulator, toCall(name, args))).status).toBe(200);
  const hostile = properties.flatMap(([key], i) =>
    sized([HOSTILE[i % HOSTILE.length]], HOSTILE).map((value) => ({ ...smallest, [key]: value })),
  );
  // In batches, since the library makes a server for each message.
  for (let first = 0; first < hostile.length; first += HOSTILE.length) {
    const batch = hostile.slice(first, first + HOSTILE.length);
    const messages = await readEvents(
      await send(
        emulator,
        batch.map((args, i) => toCall(name, args, i)),
      ),
    );
    expect(messages.map(({ id, result, error }) => [id, isObject(result ?? error)])).toEqual(
      expect.arrayContaining(batch.map((_, i) => [i, true])),
    );
  }
  const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}}`;
  expect((await send(emulator, deep)).status).toBe(400);
  const proto = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":{"__proto__":{}}}}`;
  expect((await send(emulator, proto)).status).toBe(400);
  expect(defects).toEqual([]);
  expect(emulator.requests().filter(({ status }) => status >= 500)).toEqual([]);
});

test.each(TOOL_NAMES)('%s names each argument that is missing', async (name) => {
  const { emulator } = await start();
  const { fail } = connect(emulator);
  const { required, smallest } = describe(name);
  for (const key of required) {
    const { [key]: _, ...others } = smallest;
    expect(await fail(name, others)).toMatch(
      new RegExp(`^Input validation error: Invalid arguments for tool ${name}: ${key}: Invalid (input|option)`),
    );
  }
  expect(emulator.history()).toEqual([]);
});

/** Just below the limit of a body. */
const LARGE = 'x'.repeat(1_040_000);

test.each(TOOL_NAMES)('%s takes a megabyte of arguments, and no more', async (name) => {
  const { emulator, defects } = await start();
  const { properties, smallest } = describe(name);
  const texts = properties.filter(([, schema]) => isObject(schema) && schema.type === 'string').slice(0, sized(0, 2));
  for (const key of [...texts.map(([key]) => key), 'unknown']) {
    expect((await send(emulator, toCall(name, { ...smallest, [key]: LARGE }))).status).toBe(200);
  }
  // A body above the limit reaches no tool, so one argument stands for all.
  expect((await send(emulator, toCall(name, { ...smallest, unknown: `${LARGE}${'x'.repeat(10_000)}` }))).status).toBe(
    413,
  );
  expect(defects).toEqual([]);
});

const OUTSIDE = ['../diary/notes.md', '..', './main.ts', '/etc/passwd', 'src//main.ts', 'a/../../b.ts', '\\..\\x.ts'];

test.each(TOOL_NAMES.filter((name) => describe(name).required.includes('path')))(
  '%s refuses paths that are none',
  async (name) => {
    const { emulator, defects } = await start();
    const { fail } = connect(emulator);
    const { smallest } = describe(name);
    for (const path of OUTSIDE) expect(await fail(name, { ...smallest, path })).not.toMatch(/^Input validation error/);
    expect(emulator.history()).toEqual([]);
    expect(defects).toEqual([]);
  },
);

test.each(tools.filter(({ input }) => /"required":\["val"/.test(JSON.stringify(input))))(
  '$name finds no private val of another user',
  async ({ name, input }) => {
    const emulator = await emulate(FIXTURES);
    const args = { ...Object(fill({ ...input })), val: 'eve/diary', path: 'notes.md' };
    expect(await connect(emulator).fail(name, args)).toBe('Project not found');
    expect(emulator.history()).toEqual([]);
  },
);

test('a batch of all tools has a result for each, wrong ones included', async () => {
  const { emulator, defects } = await start();
  const calls = TOOL_NAMES.map((name, i) => toCall(name, { val: '../..', path: '..' }, i));
  const messages = await readEvents(await send(emulator, calls));
  expect(messages.map(({ id }) => id).sort((a, b) => Number(a) - Number(b))).toEqual(TOOL_NAMES.map((_, i) => i));
  expect(messages.every(({ result }) => isObject(result))).toBe(true);
  expect(emulator.requests()).toHaveLength(TOOL_NAMES.length);
  expect(defects).toEqual([]);
});

const CALLS = sized(40, 200);

test(`${CALLS} calls at once are ${CALLS} transactions`, async () => {
  const { emulator } = await start();
  const { call } = connect(emulator);
  const create = (i: number) => call('create_file', { ...SITE, path: `f${i}.ts`, content: String(i) });
  await Promise.all(Array.from({ length: CALLS }, (_, i) => create(i)));
  expect(await call('list_files', SITE)).toMatchObject({ count: CALLS + 1 });
  expect((await call('list_branches', SITE)).items).toMatchObject([{ name: 'main', version: CALLS + 1 }]);
  expect(await call('listBlobs', { storage: { type: 'val', ...SITE } })).toEqual({ count: 0, blobs: [] });
});
