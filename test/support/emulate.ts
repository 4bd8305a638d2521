import supertest from 'supertest';
import { onTestFinished } from 'vitest';
import type { Emulator, EmulatorOptions, Fixtures } from '../../src/index.js';
import { Client } from './client.js';
import { watch } from './conformance.js';
import { start } from './one-node.js';

export { isShared } from './one-node.js';

/** The default time of the emulators in tests. */
export const NOW = '2024-06-11T22:05:12.585Z';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Creates an emulator whose responses are checked against the OpenAPI documents. */
export const createEmulator = (options: EmulatorOptions = {}): Promise<Emulator> => {
  const isWrong = typeof options !== 'object' || options === null || Array.isArray(options);
  return isWrong ? start(options) : start({ onExchange: watch, ...options });
};

/** Creates an emulator that is closed after the test and checks its responses. */
export async function emulate(fixtures: Fixtures, options: EmulatorOptions = {}): Promise<Emulator> {
  const created = await createEmulator({ fixtures, now: NOW, validateResponses: true, ...options });
  onTestFinished(() => created.close());
  return created;
}

/** Creates a client for a user, whose token is `<username>-token`, or without a token. Its requests need no socket. */
export const as = ({ fetch }: Pick<Emulator, 'fetch'>, username?: string): Client =>
  identify(new Client(fetch), username);

/** The same over a socket: for pages, the data browser and the header Host, which only HTTP has. */
export const bySocket = ({ url }: Pick<Emulator, 'url'>, username?: string) => identify(supertest.agent(url), username);

function identify<T extends { set(name: string, value: string): T }>(client: T, username: string | undefined): T {
  return username === undefined ? client : client.set('Authorization', `Bearer ${username}-token`);
}
