import { connect, type RemoteSandbox } from 'val-emulator/client';
import { test as base, inject } from 'vitest';

/** Runs in the browser: each test has a sandbox, named after it and closed after it. */
export const test = base.extend<{ emulator: RemoteSandbox }>({
  emulator: async ({ task }, use) => {
    const emulator = await connect(inject('emulatorUrl')).sandbox({ title: task.name });
    await use(emulator);
    await emulator.close();
  },
});
