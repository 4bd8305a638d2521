import { expect, test } from 'vitest';
import { isShared } from '../support/emulate.js';
import { SEED, sized } from '../support/soak.js';
import { apiView, controlView, sendAndFormat } from '../support/views.js';
import { ADAPTERS, type Adapter, IN_PROCESS, MATCHED } from './adapters.js';
import { RandomClient, withoutWay } from './client.js';

/*
 * One property: the same requests have the same responses, whichever way they reach an emulator, and whatever must not matter
 * happened before or in between. `SEED=7` draws others.
 */

const ROUNDS = sized(3, 40);
/** A failure of the generator, if they do not reach every kind of response. */
const MOST_ROUNDS = 40;
const REQUESTS = 60;
/** 0 is a connection that a fault broke. */
const KINDS = ['0', '200', '201', '204', '400', '401', '403', '404', '409', '422', '429', '500', '503'];
/** Characters before a difference that a failure shows. */
const CONTEXT = 200;

interface Played {
  /** Each request with its response, then all that can be read. */
  readonly lines: readonly string[];
  readonly rounds: number;
  /** The kinds of responses that no request has reached. */
  readonly missing: readonly string[];
}

/** Plays rounds of requests. @param wanted default: until each kind of response is reached */
async function play({ reach }: Adapter, wanted?: number): Promise<Played> {
  const { fetch, base, between } = await reach();
  const limit = () => sendAndFormat(fetch, undefined, 'PUT', '/_emulator/rate-limit', { limit: 15, window: '2m' });
  await limit();
  const requests = new RandomClient(fetch, `alike-${SEED}`);
  const lines: string[] = [];
  let missing: readonly string[] = KINDS;
  let rounds = 0;
  while (rounds < (wanted ?? (missing.length > 0 ? MOST_ROUNDS : ROUNDS))) {
    const added = await requests.run(REQUESTS);
    missing = missing.filter((kind) => !added.some((line) => line.includes(` -> ${kind} `)));
    lines.push(...added);
    rounds++;
    await between?.();
  }
  lines.push(...(await controlView(fetch)), ...(isShared ? [] : await apiView(fetch)));
  return { lines: lines.map((line) => withoutWay(line, base)), rounds, missing };
}

let played: Promise<Played> | undefined;
/** What the other adapters are compared with, once for all of them. */
const playInProcess = () => (played ??= play(IN_PROCESS));

test('the requests reach every kind of response', async () => {
  const { lines, missing } = await playInProcess();
  expect(missing).toEqual([]);
  expect(lines.filter((line) => line.includes('Internal error'))).toEqual([]);
});

test.each(ADAPTERS)('$name gives the same responses', async (adapter) => {
  const played = await playInProcess();
  const forgets = isShared ? MATCHED : adapter.forgets;
  const isComparable = (line: string) => forgets === undefined || !line.includes(forgets);
  const ours = played.lines.filter(isComparable);
  const theirs = (await play(adapter, played.rounds)).lines.filter(isComparable);
  const index = ours.findIndex((line, i) => line !== theirs[i]);
  const [ourLine = '', theirLine = ''] = [ours[index], theirs[index]];
  const start = Math.max(0, [...ourLine].findIndex((letter, i) => letter !== theirLine[i]) - CONTEXT);
  const show = (line: string) => line.slice(start, start + 2 * CONTEXT);
  expect(show(theirLine), `request ${index} of seed ${SEED}: ${ourLine.slice(0, CONTEXT)}`).toBe(show(ourLine));
  expect(theirs).toHaveLength(ours.length);
});
