import * as z from 'zod';
import type { Emulator } from '../../src/index.js';
import { send } from './dump.js';
import { random } from './random.js';
import { codeImporting, SAMPLE_AUTHORS } from './sample-fixtures.js';

const Made = z.object({ id: z.string() });

/** The outcome of random requests. */
export interface RandomWrites {
  /** Each request with its response. */
  readonly lines: readonly string[];
  /** Ids of the created vals, deleted ones included. */
  readonly made: readonly string[];
  /** Numbers of responses by method, path and status: `POST /v1/vals 200`. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Sends random writes as all users of {@link sampleFixtures}. One seed draws one sequence. */
export async function sendRandomWrites(
  server: Pick<Emulator, 'url' | 'users'>,
  seed: number,
  requests: number,
): Promise<RandomWrites> {
  const chance = random(seed);
  const pick = <T>(items: readonly [T, ...T[]]): T => items[Math.floor(chance() * items.length)] ?? items[0];
  const lines: string[] = [];
  const counts = new Map<string, number>();
  const authors = new Map(SAMPLE_AUTHORS);
  const made: string[] = [];

  const user = () => pick(['ada', 'bob', 'cleo', 'dan', 'eve', 'fay', 'none']);
  const name = () => pick(['val0', 'val1', 'Val2', 'VAL3', 'fresh', 'Fresh2', 'fresh3', 'not-a-name']);
  const code = () => (chance() < 0.05 ? '' : codeImporting(user(), `val${Math.floor(chance() * 4)}`));
  const settings = () => ({
    ...(chance() < 0.5 ? { name: name() } : {}),
    ...(chance() < 0.5 ? { privacy: pick(['public', 'unlisted', 'private'] as const) } : {}),
    ...(chance() < 0.3 ? { type: pick(['http', 'httpnext', 'script', 'email', 'cron'] as const) } : {}),
    ...(chance() < 0.3 ? { readme: `# ${Math.floor(chance() * 1000)}` } : {}),
  });
  // Deleted ones stay in the draw.
  const val = () => [...authors.keys()][Math.floor(chance() * authors.size)] ?? '';
  const version = () => Math.floor(chance() * 6);

  const KINDS = [
    () => ['POST', '/v1/vals', { code: code(), ...settings() }],
    () => ['PUT', '/v1/vals', { code: code(), name: name() }],
    () => ['POST', `/v1/vals/${val()}/versions`, { code: code(), ...settings() }],
    () => ['DELETE', `/v1/vals/${val()}/versions/${version()}`],
    () => ['DELETE', `/v1/vals/${val()}`],
  ] as const satisfies readonly (() => readonly [string, string, object?])[];

  for (let i = 0; i < requests; i++) {
    const [method, path, body] = pick(KINDS)();
    // Mostly the author, who alone can change a val.
    const author = authors.get(path.split('/')[3] ?? '');
    const sender = author !== undefined && chance() < 0.7 ? author : user();
    const response = await send(server, sender === 'none' ? undefined : `${sender} token`, method, path, body);
    lines.push(response.line);
    const kind = `${method} ${path.replace(/[\da-f-]{36}/, '{id}').replace(/\/\d+$/, '/{n}')} ${response.status}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (response.status !== 200) continue;
    const { id } = Made.parse(JSON.parse(response.text));
    if (!authors.has(id)) made.push(id);
    authors.set(id, sender);
  }
  return { lines, made, counts };
}
