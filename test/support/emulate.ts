import supertest from 'supertest';
import { inject, onTestFinished } from 'vitest';
import type { Emulator, EmulatorOptions, Fixtures } from '../../src/index.js';
import * as emulator from '../../src/index.js';
import { watch } from './conformance.js';
import { startTwoNodes } from './two-nodes.js';

/** The default time of the emulators in tests. */
export const NOW = '2024-06-11T22:05:12.585Z';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Address of the store of the run. Undefined if emulators share nothing (vitest.config.ts). */
const store = inject('store');

/**
 * Whether each emulator is two nodes that share a store. What people do by methods that change something, they do over HTTP
 * then: see `change`, `openSandbox` and HANDS (hands.ts).
 */
export const isShared = store !== undefined;

/** Creates an emulator whose responses are checked against the OpenAPI documents. */
export const createEmulator = (options: EmulatorOptions = {}): Promise<Emulator> => {
  if (!isObject(options)) return emulator.createEmulator(options);
  const checked = { onExchange: watch, ...options };
  return store === undefined ? emulator.createEmulator(checked) : startTwoNodes(store, checked);
};

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Creates an emulator that is closed after the test and checks its responses. */
export async function emulate(fixtures: Fixtures, options: EmulatorOptions = {}): Promise<Emulator> {
  const created = await createEmulator({ fixtures, now: NOW, validateResponses: true, ...options });
  onTestFinished(() => created.close());
  return created;
}

/** Creates a client for a user, whose token is `<username>-token`, or without a token. */
export function as({ url }: Emulator, username?: string) {
  const client = supertest.agent(url);
  return username === undefined ? client : client.set('Authorization', `Bearer ${username}-token`);
}
