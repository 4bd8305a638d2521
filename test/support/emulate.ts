import supertest from 'supertest';
import { onTestFinished } from 'vitest';
import { createEmulator, type Emulator, type EmulatorOptions, type Fixtures } from '../../src/index.js';
import { bridge } from './bridge.js';

/** The time in every emulator that a test starts, unless it says otherwise. */
export const NOW = '2024-06-11T22:05:12.585Z';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An emulator that lives as long as the test that asks for it, and checks its own answers. */
export async function emulate(fixtures: Fixtures, options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await createEmulator({ fixtures, now: NOW, checkAnswers: true, ...options });
  onTestFinished(() => emulator.close());
  return emulator;
}

/**
 * Sends requests in the name of a user, whose token is `<username>-token`; of nobody when no name is given. They go
 * over a socket, or in the project `in-process` through the emulator's own `fetch`.
 */
export function as(emulator: Emulator, username?: string) {
  const client =
    process.env.TRANSPORT === 'in-process'
      ? supertest.agent(bridge(emulator)).set('Host', new URL(emulator.url).host)
      : supertest.agent(emulator.url);
  return username === undefined ? client : client.set('Authorization', `Bearer ${username}-token`);
}
