import { expect, test } from 'vitest';
import { emulate } from '../../../support/emulate.js';
import { connect, FIXTURES, send, toCall } from './agent.js';

const MAIN = { val: 'ada/site', path: 'main.ts' };
const CHANGE_NAMED = 'Correct what the message names.';

test('a call is compared with accepted calls of its tool alone, without ids and optional arguments', async () => {
  const emulator = await emulate(FIXTURES);
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  for (const message of [
    initialized,
    { jsonrpc: '2.0', id: 7, method: 'tools/list' },
    toCall('create_file', { ...MAIN, path: 'a.ts', content: '1', fileType: 'script' }, 8),
    toCall('none', MAIN, 9),
    toCall('create_file', { val: 'ada/sites-of-others', path: 'a.ts', content: '1' }, 'ten'),
  ])
    await (await send(emulator, message)).text();
  expect(await emulator.explain('r4')).toMatchObject({ accepted: null, change: 'tools/list names the tools' });
  expect(await emulator.explain('r5')).toMatchObject({
    accepted: {
      id: 'r3',
      differences: [
        'body.params.arguments.val: r3 sent "ada/site", r5 "ada/sites-of-others"',
        'body.params.arguments.fileType: r3 sent "script", r5 nothing',
      ],
    },
    change: 'Send these as the accepted request did: body.params.arguments.val.',
  });
});

test.for([
  [
    'create_file',
    { valName: 'ada/site', path: 'b.ts', content: '1' },
    'Found "valName" in the arguments. Did you mean "val"?',
  ],
  [
    'create_file',
    { val: 'ada/site', filepath: 'b.ts', content: '1' },
    'Found "filepath" in the arguments. Did you mean "path"?',
  ],
  ['create_file', { val: 'ada/site', path: 'b.ts', text: '1' }, 'Found "text" in the arguments; expected "content"'],
  ['create_file', { path: 'b.ts', content: '1' }, 'Send val as "owner/name"'],
  ['create_file', { val: 'ada/site', path: 'b.ts' }, CHANGE_NAMED],
  ['sqlite_execute', { sql: 'select 1', database: 'val' }, 'Send database as {"type":"val","val":"owner/name"}'],
  ['sqlite_execute', { sql: 'select 1' }, 'Send database as {"type":"val","val":"owner/name"}'],
  [
    'sqlite_execute',
    { sql: 'select 1', database: { type: 'val' } },
    'Send database as {"type":"val","val":"owner/name"}',
  ],
  [
    'sqlite_execute',
    { sql: 'select 1', database: '{"type":"val"}' },
    'Send numbers, booleans and objects as JSON, not in a string',
  ],
] as const)('wrong arguments of %s have what would be right: %j', async ([tool, args, change]) => {
  const emulator = await emulate(FIXTURES);
  await connect(emulator).fail(tool, args);
  expect((await emulator.explain('last')).change).toBe(change);
});

test('the journal has the arguments of a call of a misspelt tool, as its schema has them', async () => {
  const emulator = await emulate(FIXTURES);
  const read = async (name: string, args: object) => {
    await (await send(emulator, toCall(name, args))).text();
    return emulator.requests().at(-1)?.request.body;
  };
  const variable = { val: 'ada/site', key: 'KEY', value: 's3cret' };
  expect(await read('create_fil', MAIN)).toMatchObject({ params: { arguments: MAIN } });
  expect(await read('set_env_vars', variable)).toMatchObject({
    params: { arguments: { val: 'ada/site', key: 'KEY', value: '(removed)' } },
  });
  expect(await read('set_variable', variable)).toMatchObject({
    params: { arguments: { val: '(removed)', key: '(removed)', value: '(removed)' } },
  });
});
