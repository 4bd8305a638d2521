import { ControlError, connect, ExpectationError, type RemoteSandbox } from 'val-emulator/client';
import { emulatorTest } from 'val-emulator/node-test';

const emulator = connect('http://127.0.0.1:4010', { controlToken: process.env.TOKEN });
const sandbox: RemoteSandbox = await emulator.sandbox({ title: 'checkout' });

export const token: string = (await sandbox.add.user({ username: 'eve' })).token;
export const tokens: string[] = (await sandbox.add.user([{ username: 'lin' }])).map((user) => user.token);
export const now: Date = await sandbox.clock.now;
try {
  await sandbox.expectRequest('GET /v1/me');
} catch (error) {
  if (error instanceof ControlError) console.error(error.status, error.problems);
  if (error instanceof ExpectationError) console.error(error.message);
}

emulatorTest({ url: process.env.VAL_EMULATOR_URL })('is remote', ({ emulator: remote }) => remote.reset());

// @ts-expect-error: there is no such member
sandbox.nothing;
