import { createClient } from '@redis/client';
import { expect, onTestFinished, test } from 'vitest';
import { BEGIN, EXCHANGE, KEYS, LIST_NODES, REMOVE_NODE, REPLACE } from '#cluster/redis-scripts.js';
import { hasRedis, startRedis } from '../cluster/redis.js';
import { random } from '../support/random.js';
import { sized } from '../support/soak.js';
import { MemoryRedis } from './memory-redis.js';

const keys = KEYS.map((name) => `{p}:${name}`);
const NAMES = ['', 'a', 'b', 'seed:x'];

/** One of the servers, with the ids that its log has given. */
interface Side {
  readonly ids: string[];
  run(command: readonly string[]): Promise<unknown>;
}

/** Replaces the ids of a reply by their numbers, and drops the time of the server. */
function normalize(side: Side, reply: unknown): unknown {
  if (!Array.isArray(reply) || reply[0] !== 'ok') return toNumbers(side, reply);
  const [outcome, entries, ids, hasMore, latest, , , ...counts] = reply;
  for (const id of ids) if (/\d-\d/.test(id)) side.ids.push(id);
  return toNumbers(side, [outcome, entries, ids, hasMore, latest, counts]);
}

const toNumbers = ({ ids }: Side, value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((each) => toNumbers({ ids, run: async () => {} }, each))
    : ids.includes(String(value))
      ? `id ${ids.indexOf(String(value))}`
      : value;

// The simulation stands on it: what it does differently is not tested there.
test.skipIf(!hasRedis)('the log in memory responds as Redis does', async () => {
  const server = await startRedis();
  const client = createClient({ url: server.url });
  await client.connect();
  onTestFinished(async () => {
    client.destroy();
    await server.stop();
  });
  for (let seed = 1; seed <= sized(2, 100); seed++) {
    await client.sendCommand(['FLUSHALL']);
    const memory = new MemoryRedis(Date.now);
    const sides: readonly Side[] = [
      { ids: ['0-0'], run: (command) => client.sendCommand([...command]) },
      { ids: ['0-0'], run: async (command) => memory.run(command) },
    ];
    const draw = random(seed);
    const below = (limit: number) => Math.floor(draw() * limit);
    const pick = <T>(items: readonly T[]): T => items[below(items.length)] ?? expect.fail('nothing to pick from');
    const lasts = new Map([
      ['n1', 0],
      ['n2', 0],
    ]);
    const numbers = new Map([
      ['n1', 0],
      ['n2', 0],
    ]);
    let count = 0;
    for (let step = 0; step < 120; step++) {
      const node = pick(['n1', 'n2']);
      const kind = step === 0 ? 0 : draw();
      const last = draw() < 0.1 ? below(sides[0]?.ids.length ?? 1) : (lasts.get(node) ?? 0);
      const number = (numbers.get(node) ?? 0) + (draw() < 0.95 ? 1 : 0);
      const units = Array.from({ length: below(3) }, () => {
        // What changes a sandbox has an entry.
        const entry = pick(['', 'entry', 'entry']);
        const kinds = entry === '' ? ['0', ''] : ['1', '0', ''];
        const used = NAMES.filter(() => draw() < 0.4).flatMap((name) => [name, pick(['', '', '*']), pick(kinds)]);
        return [entry, String(used.length / 3), ...used];
      });
      const epoch = draw() < 0.02 ? 'other' : 'e';
      const time = String(1_000 + step * 10 - below(40));
      const replies: unknown[] = [];
      for (const side of sides) {
        const id = side.ids[last] ?? '9-9';
        const script = (text: string, ...values: readonly string[]) => ['EVAL', text, '6', ...keys, ...values];
        const command =
          kind < 0.03
            ? script(BEGIN, 'e', '1', '1.0.0', 'c0', step === 0 ? '0' : '1')
            : kind < 0.08
              ? script(REPLACE, id, `c${step}`, step % 8 === 0 ? '1' : '0', String(count))
              : kind < 0.11
                ? script(REMOVE_NODE, node)
                : kind < 0.14
                  ? script(LIST_NODES)
                  : script(
                      EXCHANGE,
                      epoch,
                      '1',
                      node,
                      String(number),
                      id,
                      time,
                      '2',
                      step % 3 === 0 ? `status ${step}` : '',
                      String(units.length),
                      ...units.flat(),
                    );
        const reply = await side.run(command);
        replies.push(normalize(side, reply));
      }
      expect(replies[1], `seed ${seed}, step ${step}`).toEqual(replies[0]);
      const [reply] = replies;
      if (Array.isArray(reply) && reply[0] === 'ok' && kind >= 0.14) {
        numbers.set(node, number);
        count = Number(reply[5][0]);
        const read = [...reply[1].filter((_: unknown, i: number) => i % 2 === 0), ...reply[2]];
        const latest = read.filter((id) => /^id/.test(id)).at(-1);
        if (latest && reply[3] === 0) lasts.set(node, Number(latest.slice(3)));
      }
    }
  }
});
