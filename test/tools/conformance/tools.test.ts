import { describe, expect, test } from 'vitest';
import { isObject } from '../../../src/engine/lib/objects.js';
import { readMessage } from '../../../src/tools/conformance/message.js';
import { compareTools, formatToolDifferences, readToolList } from '../../../src/tools/conformance/tools.js';
import { tools } from '../../../src/vals/service/service.tools.js';
import { emulate } from '../../support/emulate.js';
import { FIXTURES, send } from '../../vals/service/tools/agent.js';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

/** Reads the list of tools of an emulator, as a person records it. */
const record = async (): Promise<string> => (await send(await emulate(FIXTURES), LIST)).text();

test('the recorded list of the emulator has no difference to its tools', async () => {
  const found = readToolList(await record());
  expect(found?.size).toBe(44);
  expect(compareTools(found ?? new Map(), tools)).toEqual([]);
});

test('reads a list as tools, as a message and as an event stream', () => {
  const tool = { name: 'a', inputSchema: { type: 'object' } };
  const list = { tools: [tool] };
  const texts = [list.tools, list, { result: list }].map((value) => JSON.stringify(value));
  for (const text of [...texts, `event: message\ndata: ${texts[2]}\n\n`])
    expect([...(readToolList(text) ?? [])]).toEqual([['a', tool]]);
  for (const text of ['', '{}', '[1]', '{"tools":[{}]}']) expect(readToolList(text)).toBeUndefined();
});

test('finds missing and extra tools, and arguments with other names and types, what breaks callers first', () => {
  const inputSchema = {
    properties: { path: { type: 'string' }, line: { type: 'string' }, mode: { enum: ['a'] } },
    required: ['path'],
  };
  const found = new Map([
    ['new_tool', { inputSchema: { type: 'object' } }],
    ['edit', { inputSchema }],
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
    '  breaks callers  edit.line: type: "string"; the emulator has "integer"',
    '  differs  new_tool: the emulator lacks it',
    '  differs  edit.line: required: false; the emulator has true',
    '  differs  edit.mode: the emulator lacks it',
    '  breaks callers  edit.text: the service lacks it (a guess)',
    '  breaks callers  merge: the service lacks it (a guess)',
    '2 tools of the service: 6 differences, 1 of which break callers',
  ]);
});

type Json = { [key: string]: unknown };

/** Finds a value in a recorded tool. */
function at(value: unknown, ...path: readonly string[]): Json {
  const found = path.reduce<unknown>((each, key) => (isObject(each) ? each[key] : undefined), value);
  if (!isObject(found)) throw new Error(`there is no ${path.join('.')}`);
  return found;
}

const rename = (object: Json, from: string, to: string): void => {
  object[to] = object[from];
  delete object[from];
};

/** Differences of a service, each of another keyword and depth. */
const PLANTS: Readonly<Record<string, readonly [tool: string, plant: (tool: Json) => void, found: RegExp]>> = {
  'a renamed argument': [
    'read_file',
    (tool) => rename(at(tool, 'inputSchema', 'properties'), 'path', 'file_path'),
    /^ {2}breaks callers {2}read_file\.path: the service lacks it/m,
  ],
  'an argument that is required': [
    'list_vals',
    (tool) => Object.assign(at(tool, 'inputSchema'), { required: ['limit'] }),
    /^ {2}breaks callers {2}list_vals\.limit: required: true; the emulator has false/m,
  ],
  'a renamed property of an object': [
    'sqlite_execute',
    (tool) => {
      const { anyOf } = at(tool, 'inputSchema', 'properties', 'database');
      const branches = Array.isArray(anyOf) ? anyOf : [];
      for (const branch of branches) if ('val' in branch.properties) rename(branch.properties, 'val', 'valName');
    },
    /^ {2}breaks callers {2}sqlite_execute\.database\.val: the service lacks it/m,
  ],
  'items of another type': [
    'sqlite_batch',
    (tool) => Object.assign(at(tool, 'inputSchema', 'properties', 'statements'), { items: { type: 'boolean' } }),
    /^ {2}breaks callers {2}sqlite_batch\.statements\[\]: type: "boolean"/m,
  ],
  'a shorter list of values': [
    'create_val',
    (tool) => Object.assign(at(tool, 'inputSchema', 'properties', 'privacy'), { enum: ['public'] }),
    /^ {2}breaks callers {2}create_val\.privacy: enum:/m,
  ],
  'a longer list of values': [
    'create_val',
    (tool) => Object.assign(at(tool, 'inputSchema', 'properties', 'privacy'), { enum: undefined }),
    /^ {2}differs {2}create_val\.privacy: enum:/m,
  ],
  'a lower bound': [
    'create_val',
    (tool) => Object.assign(at(tool, 'inputSchema', 'properties', 'name'), { maxLength: 3 }),
    /^ {2}breaks callers {2}create_val\.name: maxLength: 3;/m,
  ],
  'a bound that only the emulator has': [
    'list_vals',
    (tool) => Object.assign(at(tool, 'inputSchema', 'properties', 'limit'), { maximum: 1_000_000 }),
    /^ {2}(?:differs|breaks callers) {2}list_vals\.limit: maximum: 1000000;/m,
  ],
  'another default': [
    'list_vals',
    (tool) => Object.assign(at(tool, 'inputSchema', 'properties', 'limit'), { default: 77 }),
    /^ {2}differs {2}list_vals\.limit: default: 77;/m,
  ],
  'whole numbers only': [
    'list_vals',
    (tool) => Object.assign(at(tool, 'inputSchema', 'properties', 'limit'), { type: 'number' }),
    /list_vals\.limit: type: "number"|^44 tools of the service: 0 differences/m,
  ],
  'a pattern': [
    'create_val',
    (tool) => Object.assign(at(tool, 'inputSchema', 'properties', 'name'), { pattern: '^x' }),
    /^ {2}breaks callers {2}create_val\.name: pattern: "\^x"/m,
  ],
  'no further arguments': [
    'read_file',
    (tool) => Object.assign(at(tool, 'inputSchema'), { additionalProperties: false }),
    /^ {2}differs {2}read_file: additionalProperties: false/m,
  ],
  'another hint': [
    'delete_val',
    (tool) => Object.assign(tool, { annotations: { destructiveHint: false } }),
    /^ {2}differs {2}delete_val: destructiveHint: false; the emulator has true/m,
  ],
  'an output schema': [
    'read_file',
    (tool) => Object.assign(tool, { outputSchema: { type: 'object' } }),
    /^ {2}differs {2}read_file: outputSchema: a schema/m,
  ],
  'an argument more': [
    'read_file',
    (tool) => Object.assign(at(tool, 'inputSchema', 'properties'), { encoding: { type: 'string' } }),
    /^ {2}differs {2}read_file\.encoding: the emulator lacks it/m,
  ],
};

describe('differences in depth', () => {
  test.each(Object.entries(PLANTS))('notices %s', async (_, [name, plant, expected]) => {
    const message = readMessage(await record());
    const { tools: list } = at(message, 'result');
    const tool = Array.isArray(list) ? list.find((each) => each.name === name) : undefined;
    if (!isObject(tool)) throw new Error(`there is no tool ${name}`);
    const before = JSON.stringify(tool);
    plant(tool);
    expect(JSON.stringify(tool)).not.toBe(before);
    const found = readToolList(JSON.stringify(message)) ?? new Map();
    expect(formatToolDifferences(compareTools(found, tools), found.size)).toMatch(expected);
  });
});
