import { emulatorTest, expect } from 'val-emulator/vitest';

const three = emulatorTest({ fixtures: { users: [{ username: 'three' }] } });

three('options of another file of the same worker', ({ emulator }) => {
  expect(emulator.users.map(({ username }) => username)).toEqual(['three']);
});
