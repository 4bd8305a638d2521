import { ControlError, connect, type RemoteSandbox } from 'val-emulator/client';
import { emulatorTest } from 'val-emulator/node-test';

export const opened: Promise<RemoteSandbox> = connect('http://127.0.0.1:4010').sandbox({ title: 'checkout' });
export const isRefused = (error: unknown): error is ControlError => error instanceof ControlError;
export const addUser = async (): Promise<string> => (await (await opened).add.user({ username: 'eve' })).token;

emulatorTest({ url: process.env.VAL_EMULATOR_URL })('is remote', ({ emulator }) => emulator.reset());
