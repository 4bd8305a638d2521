import { createEmulator, type EmulatorOptions, FaultError, type Fixtures } from 'val-emulator';

const fixtures: Fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '1' }] };
const options: EmulatorOptions = { fixtures, now: new Date(0), rateLimit: { limit: 100, window: '1m' } };
await using emulator = await createEmulator(options);
const sandbox = emulator.sandbox('checkout');

export const status: number = (await sandbox.fetch('/v1/me')).status;
export const token: string | undefined = emulator.users[0]?.token;
try {
  sandbox.fail('POST /v1/vals', { status: 503, times: 2 });
} catch (error) {
  if (error instanceof FaultError) console.error(error.problems.map(({ path, message }) => `${path}: ${message}`));
}

// @ts-expect-error: users have no such key
export const wrong: Fixtures = { users: [{ nickname: 'ada' }] };
// @ts-expect-error: there is no such member
sandbox.nothing;
