import { expect, test } from 'vitest';
import { compareTools, formatToolDifferences, readToolList } from '../../../src/tools/conformance/tools.js';
import { tools } from '../../../src/vals/tools/index.js';
import { emulate } from '../../support/emulate.js';
import { FIXTURES, send } from '../../vals/tools/agent.js';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

test('the recorded list of the emulator has no difference to its tools', async () => {
  const text = await (await send(await emulate(FIXTURES), LIST)).text();
  const found = readToolList(text);
  expect(found?.size).toBe(44);
  expect(compareTools(found ?? new Map(), tools)).toEqual([]);
});

test('reads a list as tools, as a message and as an event stream', () => {
  const list = { tools: [{ name: 'a', inputSchema: { type: 'object' } }] };
  const texts = [list.tools, list, { result: list }].map((value) => JSON.stringify(value));
  for (const text of [...texts, `event: message\ndata: ${texts[2]}\n\n`])
    expect([...(readToolList(text) ?? [])]).toEqual([['a', { type: 'object' }]]);
  for (const text of ['', '{}', '[1]', '{"tools":[{}]}']) expect(readToolList(text)).toBeUndefined();
});

test('finds missing and extra tools, and arguments with other names and types', () => {
  const found = new Map<string, unknown>([
    ['new_tool', { type: 'object' }],
    [
      'edit',
      { properties: { path: { type: 'string' }, line: { type: 'string' }, mode: { enum: ['a'] } }, required: ['path'] },
    ],
  ]);
  const input = {
    properties: {
      path: { type: 'string' },
      line: { type: 'integer' },
      text: { anyOf: [{ type: 'null' }, { type: 'string' }] },
    },
    required: ['path', 'line'],
  };
  const differences = compareTools(found, [
    { name: 'edit', input, guessed: ['text'] },
    { name: 'merge', input: {}, guessed: true },
  ]);
  expect(formatToolDifferences(differences, found.size).split('\n')).toEqual([
    '  new_tool: the emulator lacks it',
    '  edit.line: type: string; the emulator has number',
    '  edit.line: required: false; the emulator has true',
    '  edit.mode: the emulator lacks it',
    '  edit.text: the service lacks it (a guess)',
    '  merge: the service lacks it (a guess)',
    '2 tools of the service: 6 differences',
  ]);
});
