import { expect, test } from 'vitest';
import { emulate } from '../../../support/emulate.js';
import { connect, FIXTURES } from './agent.js';

const FILE = { val: 'ada/site', path: 'one.ts' };

test('asserts that a tool was called with arguments', async () => {
  const emulator = await emulate(FIXTURES);
  await connect(emulator).call('create_file', { ...FILE, content: '1' });
  emulator.expectToolCall('create_file');
  emulator.expectToolCall('create_file', { path: 'one.ts' }, 1);
  emulator.expectToolCall('delete_file', undefined, 0);
  expect(() => emulator.expectToolCall('create_file', { path: 'two.ts' })).toThrow(
    /body\.params\.arguments\.path: expected "two\.ts", found "one\.ts"/,
  );
  expect(() => emulator.expectToolCall('create_fil')).toThrow('Did you mean "tool create_file"?');
  emulator.expectNoOther();
});

test('asserts the order of calls, and finds them in the journal', async () => {
  const emulator = await emulate(FIXTURES);
  const { call } = connect(emulator);
  await call('create_file', { ...FILE, content: '1' });
  await call('delete_file', FILE);
  emulator.expectSequence(['tool create_file', { route: 'tool delete_file', status: 200 }]);
  const [entry] = emulator.requests({ route: 'tool create_file' });
  expect(entry).toMatchObject({
    request: { body: { params: { name: 'create_file', arguments: { ...FILE, content: '1' } } } },
    response: { body: { structuredContent: { path: 'one.ts' } } },
  });
});
