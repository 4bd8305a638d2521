import { expect, test } from 'vitest';
import { emulate } from '../../support/emulate.js';
import { readEvents, send, toCall } from '../../vals/service/tools/agent.js';

const FILE = { val: 'ada/agentval', path: 'main.ts', content: '1' };

async function record() {
  const emulator = await emulate({ users: [{ username: 'ada' }, { username: 'bob' }] });
  await send(emulator, toCall('create_val', { name: 'agentval' }));
  await send(emulator, toCall('create_file', FILE));
  await send(emulator, toCall('create_file', { ...FILE, val: 'ada/none' }));
  await send(emulator, toCall('create_fil', FILE));
  return emulator;
}

test('a tool call keeps the data that its result needs', async () => {
  const emulator = await record();
  const { code, notes } = await emulator.makeTest('r2');
  expect(notes).toEqual([]);
  expect(code).toContain(
    "  fixtures: { users: [{ username: 'ada' }], projects: [{ owner: 'ada', name: 'agentval' }] },\n",
  );
  expect(code).toContain("  const body2 = JSON.parse((await r2.text()).replace(/^[^{]*/, ''));\n");
  expect(code).toContain("      structuredContent: {\n        id: expect.any(String),\n        name: 'main.ts',\n");
});

test('a test asserts that a tool refuses a call, as it did', async () => {
  const emulator = await record();
  const { code } = await emulator.makeTest('r3');
  expect(code).toContain(`  expect(r3.status).toBe(200);
  const body3 = JSON.parse((await r3.text()).replace(/^[^{]*/, ''));
  expect(body3).toMatchObject({
    result: { content: [{ type: 'text', text: 'Project not found' }], isError: true },
    jsonrpc: '2.0',
    id: 1,
  });
`);
  expect((await emulator.makeTest('r4')).code).toContain(
    "error: { code: -32602, message: 'Tool create_fil not found' }",
  );
  expect((await emulator.makeTest('r3', { runner: 'pytest' })).code).toContain(
    '    body3 = json.loads(text[text.index(b"{"):])\n',
  );
  expect(await readEvents(await send(emulator, toCall('create_file', { ...FILE, val: 'ada/none' })))).toEqual([
    { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'Project not found' }], isError: true } },
  ]);
});

test('a call that the test cannot repeat is named', async () => {
  const emulator = await record();
  await send(emulator, toCall('create_val', { name: 'soon' }));
  await send(emulator, toCall('create_file', { ...FILE, val: 'ada/soon' }));
  const { notes, code } = await emulator.makeTest(['r3', 'r6']);
  expect(notes).toEqual([
    'r6: it responded 200, and 200 error in the test.',
    'The test does not have other changes between its requests: r5.',
  ]);
  expect(code).toContain('  // It responded 200 when it was recorded.\n');
});
