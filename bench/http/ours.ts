/** The emulator alone, as processes that a user starts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cases } from './cases.js';
import { type Contender, contenders, inProject, OURS, type Running, start } from './contenders.js';
import { defaultDriver, drivers, type Shot } from './drivers.js';

const running: Running[] = [];

/**
 * @param args more arguments of `val-emulator start`
 * @param root of the package (default: this one)
 */
export function makeContender(args: readonly string[], root = inProject('.')): Contender {
  const ours = contenders.find(({ name }) => name === OURS);
  if (!ours) throw new Error('no contender');
  const { bin }: { bin: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const program = join(root, bin['val-emulator'] ?? '');
  return {
    ...ours,
    command: (fixture, port) => [program, 'start', '--fixtures', fixture, '--port', `${port}`, ...args],
  };
}

/** Starts an emulator that {@link stopAll} ends. @param probed whether it reports its memory */
export async function startOurs(fixture: string, args: readonly string[] = [], probed = false): Promise<Running> {
  const server = await start(makeContender(args), fixture, probed);
  if (!server) throw new Error('the emulator did not start');
  running.push(server);
  return server;
}

export async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map((server) => server.stop()));
}

/** Returns the requests of a case. @param size number of the records */
export function getShots(name: string, size: number): Shot[] {
  const found = cases.find((each) => each.name === name);
  return found?.shots(makeContender([]), size) ?? [];
}

/** Drives a server, by default for a second. @throws Error if a request fails */
export async function drive(url: string, shots: readonly Shot[], connections: number, seconds = 1) {
  const outcome = await drivers[defaultDriver](url, { connections, seconds, shots });
  if (outcome.failed > 0) throw new Error(`${outcome.failed} of ${outcome.requests} requests failed`);
  return { ...outcome, perSecond: outcome.requests / outcome.seconds };
}
