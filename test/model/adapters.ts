import { expect, onTestFinished } from 'vitest';
import { connect } from '#tools/client/index.js';
import { createEmulator, type Emulator, type EmulatorOptions, type Sandbox } from '../../src/index.js';
import { makeFolder, showContents } from '../engine/persistence/folder.js';
import { MemoryDisk } from '../engine/persistence/memory-disk.js';
import { emulate, isShared, NOW } from '../support/emulate.js';
import { controlView, type Fetch, sendAndFormat } from '../support/views.js';
import { wireFixtures } from '../support/wire-fixtures.js';
import { RandomClient } from './client.js';
import { without } from './operations.js';

/** How an emulator is reached that has the fixtures of `wire-fixtures.ts` and has had no request. */
interface Reached {
  readonly fetch: Fetch;
  /** What the addresses in its responses begin with. */
  readonly base: string;
  /** Does what must make no difference, between two rounds of requests. */
  between?(): Promise<unknown>;
}

/** A claim that the same requests have the same responses, whatever is in between. */
export interface Adapter {
  readonly name: string;
  /** The path of requests whose responses depend on what does not last in between. */
  readonly forgets?: string;
  reach(): Promise<Reached>;
}

/** Its response depends on which requests an expectation has matched. No folder keeps that, and no other node is told. */
export const MATCHED = '/_emulator/requests/expect-no-other';

/** Where an emulator is that does not listen. */
const NOWHERE = 'http://localhost';
const OPTIONS: EmulatorOptions = { fixtures: wireFixtures, now: NOW, listen: false, validateResponses: false };

// The responses of the first adapter are compared with the OpenAPI documents, those of the others with them.
const start = (options: EmulatorOptions = {}): Promise<Emulator> =>
  emulate(wireFixtures, { ...OPTIONS, onExchange: () => {}, ...options });
const byPath =
  ({ fetch }: Emulator, sandbox: string): Fetch =>
  (path, init) =>
    fetch(`/_sandbox/${sandbox}${path}`, init);
const byHeader =
  ({ fetch }: Emulator, sandbox: string): Fetch =>
  (path, init) =>
    fetch(path, { ...init, headers: { ...Object(init?.headers), 'x-emulator-sandbox': sandbox } });
const resetByRequest = (fetch: Fetch) => sendAndFormat(fetch, undefined, 'POST', '/_emulator/reset', { confirm: true });

const withoutDate = (line: string) => line.replace(/\w+, [\w :]+ GMT/, '');

/** Starts an emulator, lets requests change all that a reset restores, and resets it. */
const afterReset = (name: string, reset: (emulator: Emulator) => unknown): Adapter => ({
  name: `an emulator after ${name}`,
  async reach() {
    const emulator = await start();
    const before = await controlView(emulator.fetch);
    // Snapshots outlive a reset, and other seed data is what one resets to from then on.
    await new RandomClient(emulator.fetch, 'used', { operations: without('snapshots', 'seed') }).run(100);
    await emulator.fail('GET /v1/me', { status: 503, rate: 0.5, delay: [0, 1] });
    await emulator.clock.set('2031-01-01T00:00:00Z');
    await emulator.clock.resume();
    await emulator.add.user({ username: 'zoe', token: 'zoe token' });
    for (let i = 0; i < 45; i++) await sendAndFormat(emulator.fetch, 'zoe token', 'GET', '/v1/me');
    const used = await controlView(emulator.fetch);
    // All but the list of snapshots.
    expect(used.filter((line, i) => withoutDate(line) === withoutDate(before[i] ?? ''))).toHaveLength(1);
    await reset(emulator);
    return { fetch: emulator.fetch, base: NOWHERE };
  },
});

/** A sandbox beside another one, which is changed and reset between rounds. */
const beside = (
  name: string,
  base: string,
  find: (emulator: Emulator) => Fetch | Promise<Fetch>,
  findOther = (emulator: Emulator): Fetch => byPath(emulator, 'other'),
): Adapter => ({
  name: `${name}, beside another one`,
  async reach() {
    const emulator = await start();
    const fetch = await find(emulator);
    const other = findOther(emulator);
    const requests = new RandomClient(other, 'other');
    const between = async () => {
      await requests.run(15);
      await resetByRequest(other);
      await requests.run(15);
    };
    return { fetch, base, between };
  },
});

/** Without the windows of the rate limit: their tokens are hashed in a data folder. */
const describeContents = ({ store }: Sandbox): string =>
  showContents(store.contents).replaceAll(/\\"rateLimits\\": \[(?:\]|.*?\\n \])/g, '');

/** A data folder that is closed and opened again between rounds. */
const stored = (
  name: string,
  makeOptions: () => EmulatorOptions & { data: string },
  find: (emulator: Emulator) => Sandbox = (emulator) => emulator,
  base = NOWHERE,
): Adapter => ({
  name: `a data folder ${name}`,
  forgets: MATCHED,
  async reach() {
    const options = { ...OPTIONS, keepJournal: true, ...makeOptions() };
    let emulator = await createEmulator(options);
    let sandbox = find(emulator);
    onTestFinished(() => emulator.close());
    const between = async () => {
      await emulator.saved();
      const contents = describeContents(sandbox);
      await emulator.close();
      if (options.dataDisk) options.dataDisk = cutPower(options.dataDisk);
      emulator = await createEmulator(options);
      sandbox = find(emulator);
      expect(describeContents(sandbox)).toBe(contents);
    };
    return { fetch: (path, init) => sandbox.fetch(path, init), base, between };
  },
});

let boots = 0;
/** Of the disks that a power cut may leave, the one with the least. */
function cutPower(disk: object): MemoryDisk {
  const [tree] = disk instanceof MemoryDisk ? disk.afterPowerCut() : [];
  return new MemoryDisk(tree ?? expect.fail(), ++boots);
}

/** What the others are compared with: an emulator in memory, in this process. */
export const IN_PROCESS: Adapter = {
  name: 'in process',
  async reach() {
    const emulator = isShared ? await createEmulator(OPTIONS) : await emulate(wireFixtures, OPTIONS);
    onTestFinished(() => emulator.close());
    return { fetch: emulator.fetch, base: NOWHERE };
  },
};

/** Adapters of a single process. */
const ALONE: readonly Adapter[] = [
  {
    name: 'an export, loaded again',
    async reach() {
      const exported = (await start()).state({ secrets: true });
      const fixtures = JSON.parse(JSON.stringify(exported));
      return { fetch: (await start({ fixtures })).fetch, base: NOWHERE };
    },
  },
  stored('that is closed and opened again', () => ({ data: makeFolder() })),
  stored(
    'that is rewritten again and again',
    () => ({ data: makeFolder(), dataGrowth: 4_000, dataSync: 'lazy' }),
    (emulator) => emulator.sandbox('kept', { keep: true }),
    `${NOWHERE}/_sandbox/kept`,
  ),
  stored('on a simulated disk that loses its power', () => ({
    data: '/data',
    dataDisk: new MemoryDisk(new Map(), boots),
  })),
];

export const ADAPTERS: readonly Adapter[] = [
  {
    name: 'a socket',
    async reach() {
      const { url } = await start({ listen: true });
      return { fetch: (path, init) => fetch(`${url}${path}`, init), base: url };
    },
  },
  {
    name: 'the fetch of the client',
    async reach() {
      const { url } = await start({ listen: true });
      return { fetch: connect(url).fetch, base: url };
    },
  },
  beside('the default sandbox', NOWHERE, ({ fetch }) => fetch),
  beside('a sandbox by its path', `${NOWHERE}/_sandbox/one`, (emulator) => byPath(emulator, 'one')),
  beside('a sandbox by a header', NOWHERE, (emulator) => byHeader(emulator, 'one')),
  beside(
    'a fork of the start',
    `${NOWHERE}/_sandbox/copy`,
    async (emulator) => {
      // The state at the start has the faults and the clock that were set before the first commit.
      const operations = without('seed', 'faults', 'chaos', 'clock');
      await new RandomClient(emulator.fetch, 'origin', { operations }).run(30);
      return (await emulator.fork('copy', 'start')).fetch;
    },
    ({ fetch }) => fetch,
  ),
  afterReset('reset()', (emulator) => emulator.reset()),
  afterReset('POST /_emulator/reset', ({ fetch }) => resetByRequest(fetch)),
  ...(isShared ? [] : ALONE),
];
