/**
 * Measures a data folder: durable writes against appending the same bytes and syncing them on the same disk, reads beside
 * writes, opening after a kill, a reset; and with `--before`, what the emulator costs without a folder.
 *
 *   npm run bench -- data                  figures and bounds (exit code 1 if one is missed)
 *   npm run bench -- data --quick       fewer rounds, and no million runs
 *   npm run bench -- data --before DIR  also compares with another version, built in DIR
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { BY_ID, CREATE } from './http/cases.js';
import { headers, inProject, type Running } from './http/contenders.js';
import { writeFixture, writeRunsFixture } from './http/fixture.js';
import { drive, getShots, startOurs, stopAll } from './http/ours.js';
import { median } from './measure.js';
import { milliseconds, rate, report } from './report.js';

const flags = await yargs(hideBin(process.argv))
  .options({
    rounds: { type: 'number', describe: 'Number of rounds; ratios are medians of them. Default: 9, 3 with --quick' },
    quick: { type: 'boolean', default: false, describe: 'Fewer rounds, and no million runs' },
    only: {
      choices: ['writes', 'reads', 'memory', 'open', 'million', 'reset'] as const,
      array: true,
      describe: 'Only these parts',
    },
    before: { type: 'string', describe: 'Folder of another version with its `dist`, to compare with' },
    folder: { type: 'string', default: tmpdir(), describe: 'Where the data are kept: the disk to measure' },
  })
  .strict()
  .parseAsync();

const rounds = flags.rounds ?? (flags.quick ? 3 : 9);
const isChosen = (part: NonNullable<typeof flags.only>[number]) => flags.only?.includes(part) ?? true;

const SMALL = 1_000;
const LARGE = 100_000;
const READERS = 10;
const WRITERS = 16;
/** Writes a second beside the reads. */
const WRITE_RATE = 800;

const folder = mkdtempSync(join(flags.folder, 'val-emulator-bench-'));
const inFolder = (name: string): string => join(folder, name);
const small = inFolder('small.json');
const [creates, reads] = [getShots(CREATE, SMALL), getShots(BY_ID, SMALL)];

interface Growth {
  readonly lines: number;
  readonly bytes: number;
  /** Times that lines were synced: they follow an empty line. */
  readonly groups: number;
}

/** Reads what was appended to a log. */
function readGrowth(log: string, from: number): Growth {
  const bytes = readFileSync(log).subarray(from);
  const all = bytes.toString('latin1').trimEnd().split('\n');
  const lines = all.filter((line) => line !== '').length;
  return { lines, bytes: bytes.length, groups: all.length - lines };
}

/** Finds the log of a data folder. */
const logOf = (data: string): string => join(data, readdirSync(data).find((name) => name.startsWith('log.')) ?? '');

/** A file that bytes are appended to and synced. */
class Appended {
  readonly #file: FileHandle;
  readonly #bytes: Buffer;
  #position = 0;

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#bytes = Buffer.alloc(size, 'x');
  }

  static async create(size: number): Promise<Appended> {
    return new Appended(await open(inFolder('appended'), 'w'), size);
  }

  async append(): Promise<void> {
    await this.#file.write(this.#bytes, 0, this.#bytes.length, this.#position);
    this.#position += this.#bytes.length;
    await this.#file.datasync();
  }

  /** Appends for a second, and returns the rate. */
  async measureRate(): Promise<number> {
    const begin = performance.now();
    let count = 0;
    for (; performance.now() - begin < 1_000; count++) await this.append();
    return (count * 1_000) / (performance.now() - begin);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** One connection that stays open. */
class Connection {
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static async open(url: string): Promise<Connection> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').setNoDelay();
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** Creates a val. Resolves once the response is there. */
  create(name: string): Promise<void> {
    const body = JSON.stringify({ name, code: 'export const made = 1;', privacy: 'public' });
    const fields = { ...headers, host: '127.0.0.1', 'content-type': 'application/json', 'content-length': body.length };
    const lines = Object.entries(fields).map(([field, value]) => `${field}: ${value}\r\n`);
    this.#socket.write(`POST /v1/vals HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
    return new Promise((resolve, reject) => {
      let response = '';
      const receive = (chunk: Buffer) => {
        response += chunk.toString('latin1');
        const [head = '', content] = response.split('\r\n\r\n', 2);
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        if (content === undefined || content.length < length) return;
        this.#socket.off('data', receive);
        if (/^HTTP\/1.1 20\d/.test(head)) resolve();
        else reject(new Error(response));
      };
      this.#socket.on('data', receive);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}

const CREATES = 300;

/** Measures each request in turn with an append of the same bytes. */
async function measureOneWriter(): Promise<void> {
  const samples: { durable: number; memory: number; append: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const data = inFolder(`data-${round}`);
    const urls = [(await startOurs(small, ['--data', data])).url, (await startOurs(small)).url];
    const log = logOf(data);
    const [durable, memory] = await Promise.all(urls.map((url) => Connection.open(url)));
    if (!durable || !memory) throw new Error('no connection');
    for (let n = 0; n < CREATES; n++) await Promise.all([durable.create(`warm${n}`), memory.create(`warm${n}`)]);
    const length = statSync(log).size;
    await durable.create('one');
    const appended = await Appended.create(readGrowth(log, length).bytes);
    const times = { durable: [] as number[], memory: [] as number[], append: [] as number[] };
    for (let n = 0; n < CREATES; n++) {
      times.durable.push(await timeOf(() => durable.create(`made_${n}`)));
      times.append.push(await timeOf(() => appended.append()));
      times.memory.push(await timeOf(() => memory.create(`made_${n}`)));
    }
    for (const connection of [durable, memory]) connection.close();
    await appended.close();
    await stopAll();
    rmSync(data, { recursive: true });
    const { durable: a, memory: b, append: c } = times;
    if (round > 0) samples.push({ durable: median(a), memory: median(b), append: median(c) });
  }
  const of = (select: (sample: (typeof samples)[number]) => number) => median(samples.map(select));
  const [durable, memory, append] = [of((each) => each.durable), of((each) => each.memory), of((each) => each.append)];
  report(
    '1 writer, p50 of a create, of a synced append',
    of((each) => each.durable / each.append),
    'most',
    1.5,
    `${milliseconds(durable)} of ${milliseconds(append)}; in memory ${milliseconds(memory)}`,
  );
  report(
    '1 writer, what a folder adds to the p50 of a create, of a synced append',
    of((each) => (each.durable - each.memory) / each.append),
    'none',
    0,
    milliseconds(durable - memory),
  );
}

async function timeOf(call: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await call();
  return performance.now() - begin;
}

/** Seconds of each round in which a rate is measured. The best one counts: other processes only make it slower. */
const PASSES = 3;

async function measureWriters(writers: number): Promise<void> {
  const samples: { durable: number; memory: number; append: number; group: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const data = inFolder(`data-${writers}-${round}`);
    const [durable, memory] = [await startOurs(small, ['--data', data]), await startOurs(small)];
    const log = logOf(data);
    const best = { durable: 0, memory: 0, append: 0, group: 0 };
    for (let pass = 0; pass <= PASSES; pass++) {
      const length = statSync(log).size;
      const { perSecond } = await drive(durable.url, creates, writers);
      const { lines, bytes, groups } = readGrowth(log, length);
      const appended = await Appended.create(Math.round(bytes / groups));
      const group = lines / groups;
      const append = group * (await appended.measureRate());
      await appended.close();
      const inMemory = await drive(memory.url, creates, writers);
      if (pass === 0) continue;
      if (perSecond > best.durable) Object.assign(best, { durable: perSecond, group });
      best.append = Math.max(best.append, append);
      best.memory = Math.max(best.memory, inMemory.perSecond);
    }
    await stopAll();
    rmSync(data, { recursive: true });
    if (round > 0) samples.push(best);
  }
  const of = (select: (sample: (typeof samples)[number]) => number) => median(samples.map(select));
  const [durable, memory, append] = [of((each) => each.durable), of((each) => each.memory), of((each) => each.append)];
  const group = `${of((each) => each.group).toFixed(1)} are synced together`;
  report(
    `${writers} writers, creates, of appends synced in groups of that size`,
    of((each) => each.durable / each.append),
    'least',
    0.7,
    `${rate(durable)} of ${rate(append)}; ${group}`,
  );
  report(
    `${writers} writers, creates, of those in memory`,
    of((each) => each.durable / each.memory),
    'none',
    0,
    `${rate(durable)} of ${rate(memory)}`,
  );
}

/** Writes at a fixed rate, and reads as fast as it can. */
async function readWhileWriting(url: string): Promise<number> {
  let n = 0;
  const body = creates[0]?.body ?? '';
  const writing = autocannon({
    url,
    connections: WRITERS,
    overallRate: WRITE_RATE,
    duration: 2,
    requests: [
      {
        method: 'POST',
        path: '/v1/vals',
        headers: { ...headers, 'content-type': 'application/json' },
        setupRequest: (request) => ({ ...request, body: body.replaceAll('{n}', `w${process.hrtime.bigint()}${n++}`) }),
      },
    ],
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { perSecond } = await drive(url, reads, READERS);
  const { '2xx': written } = await writing;
  if (written < WRITE_RATE) console.log(`only ${written} writes in two seconds: the machine is too busy`);
  return perSecond;
}

async function measureReads(): Promise<void> {
  const samples: { durable: number; memory: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const data = inFolder(`data-${round}`);
    const [durable, memory] = [await startOurs(small, ['--data', data]), await startOurs(small)];
    const order = round % 2 === 0 ? [durable, memory] : [memory, durable];
    const rates = new Map<Running, number>();
    for (const server of [...order, ...order.toReversed(), ...order]) {
      rates.set(server, Math.max(rates.get(server) ?? 0, await readWhileWriting(server.url)));
    }
    await stopAll();
    rmSync(data, { recursive: true });
    if (round > 0) samples.push({ durable: rates.get(durable) ?? 0, memory: rates.get(memory) ?? 0 });
  }
  report(
    `reads by id next to ${WRITE_RATE} writes a second of ${WRITERS} writers, of those in memory`,
    median(samples.map(({ durable, memory }) => durable / memory)),
    'least',
    0.85,
    `${rate(median(samples.map(({ durable }) => durable)))} of ${rate(median(samples.map(({ memory }) => memory)))}`,
  );
}

/** Runs a module in a separate process, and returns the number that it prints. It may kill itself. */
function run(root: string, program: string, ...args: readonly unknown[]): number {
  const library = JSON.stringify(join(root, 'dist/lib/index.js'));
  const text = `
    const args = ${JSON.stringify(args)};
    const { readFileSync, writeFileSync, writeSync } = await import('node:fs');
    const start = performance.now();
    const { createEmulator } = await import(${library});
    const imported = performance.now();
    const print = (value) => writeSync(1, String(value));
    const kill = () => process.kill(process.pid, 'SIGKILL');
    ${program}`;
  const flagsOfNode = ['--max-old-space-size=8192', '--input-type=module', '--eval', text];
  const { stdout, stderr } = spawnSync(process.execPath, flagsOfNode, { encoding: 'utf8', timeout: 300_000 });
  if (stdout === '' || stderr !== '') throw new Error(stderr || 'nothing was printed');
  return Number(stdout);
}

const here = inProject('.');

const OPEN_DATA = `
  const emulator = await createEmulator({ data: args[0], listen: false });
  print(performance.now() - imported);
  kill();`;
const LOAD_FIXTURES = `
  const emulator = await createEmulator({ fixtures: args[0], listen: false });
  print(performance.now() - imported);
  kill();`;
const PARSE_LINES = `
  const text = readFileSync(args[0], 'utf8');
  const begin = performance.now();
  const lines = text.split('\\n').filter((line) => line !== '').map((line) => JSON.parse(line.slice(line.indexOf('{'))));
  print(performance.now() - begin);`;
const BEGIN_DATA = `
  const [data, fixtures] = args;
  const emulator = await createEmulator({ data, fixtures, listen: false });
  print(1);
  kill();`;
/** Writes another version of 10,000 vals, kills itself; the world is written to a file as well. */
const CHANGE_DATA = `
  const [data, fixtures, exported] = args;
  const emulator = await createEmulator({ data, fixtures, listen: false });
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  const ids = Array.from({ length: 10_000 }, (_, n) => '4e110002-0000-4000-8000-' + String(n).padStart(12, '0'));
  while (ids.length > 0) {
    const responses = await Promise.all(ids.splice(0, 50).map((id) =>
      emulator.fetch('/v1/vals/' + id, { method: 'PUT', headers, body: JSON.stringify({ readme: 'Changed: ' + id }) })));
    const wrong = responses.find((response) => !response.ok);
    if (wrong) throw new Error(await wrong.text());
  }
  writeFileSync(exported, JSON.stringify(emulator.state()));
  print(1);
  kill();`;

function measureOpening(): void {
  const [fixture, exported, data] = [inFolder('large.json'), inFolder('exported.json'), inFolder('changed')];
  writeFixture(fixture, LARGE / 2);
  run(here, CHANGE_DATA, data, fixture, exported);
  const samples: { open: number; load: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    samples.push({ load: run(here, LOAD_FIXTURES, exported), open: run(here, OPEN_DATA, data) });
  }
  report(
    'open after a kill, 10,000 of 100,000 records changed, of loading the same as fixtures',
    median(samples.map(({ open, load }) => open / load)),
    'most',
    1.5,
    `${milliseconds(median(samples.map((each) => each.open)))} of ${milliseconds(median(samples.map((each) => each.load)))}`,
  );
}

function measureMillion(): void {
  const [fixture, data] = [inFolder('million.json'), inFolder('million')];
  writeRunsFixture(fixture, 1_000_000);
  run(here, BEGIN_DATA, data, fixture);
  const samples: { open: number; load: number; parse: number }[] = [];
  for (let round = 0; round < Math.min(rounds, 3); round++) {
    samples.push({
      load: run(here, LOAD_FIXTURES, fixture),
      open: run(here, OPEN_DATA, data),
      parse: run(here, PARSE_LINES, logOf(data)),
    });
  }
  const [open_, load, parse] = (['open', 'load', 'parse'] as const).map((key) =>
    median(samples.map((each) => each[key])),
  );
  const seconds = (value = Number.NaN) => `${(value / 1_000).toFixed(1)} s`;
  report(
    'open a million runs, seconds',
    (open_ ?? Number.NaN) / 1_000,
    'most',
    6,
    `${median(samples.map(({ open: took, parse: of }) => took / of)).toFixed(2)} of JSON.parse (${seconds(parse)}), ${median(samples.map(({ open: took, load: of }) => took / of)).toFixed(2)} of loading as fixtures (${seconds(load)})`,
  );
}

/** Changes 100,000 runs, resets them, and prints the milliseconds until the reset is durable. */
const RESET = `
  const [data, fixtures] = args;
  const emulator = await createEmulator({ data, fixtures, listen: false });
  emulator.store.update((draft) => {
    for (const run of [...draft.runs]) draft.runs = draft.runs.put({ ...run, error: 'changed' });
  });
  await emulator.saved();
  const begin = performance.now();
  emulator.reset();
  await emulator.saved();
  print(performance.now() - begin);
  kill();`;

function measureReset(): void {
  const fixture = inFolder('reset.json');
  writeFixture(fixture, LARGE);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(run(here, RESET, inFolder(`reset-${round}`), fixture));
  report(
    'reset of 100,000 changed records until it is durable, ms',
    median(times),
    'most',
    100,
    `${milliseconds(Math.min(...times))} to ${milliseconds(Math.max(...times))}`,
  );
}

const IMPORT = 'print(imported - start);';

/**
 * Alternates between two versions in one process, since those of two processes differ by more than the bound. Prints the time
 * of the first of the time of the second.
 */
const ALTERNATE = `
  const [other, fixtures, kind] = args;
  const { createEmulator: createOther } = await import(other);
  const sides = [await createEmulator({ fixtures, listen: false }), await createOther({ fixtures, listen: false })];
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  let n = 0;
  const calls = {
    create: (emulator) => emulator.fetch('/v1/vals', { method: 'POST', headers, body: JSON.stringify({ name: 'v' + n++, code: '1' }) }),
    'a val by id': (emulator) => emulator.fetch('/v1/vals/4e110002-0000-4000-8000-' + String(n++ % 1000).padStart(12, '0'), { headers }),
  };
  const send = async (emulator, count) => {
    const begin = performance.now();
    for (let i = 0; i < count; i++) await calls[kind](emulator);
    return performance.now() - begin;
  };
  for (const emulator of sides) await send(emulator, 3_000);
  const ratios = [];
  for (let round = 0; round < 40; round++) {
    if (round % 5 === 0) for (const emulator of sides) emulator.reset();
    const order = round % 2 === 0 ? sides : sides.toReversed();
    const times = new Map();
    for (const emulator of order) times.set(emulator, await send(emulator, 400));
    ratios.push(times.get(sides[0]) / times.get(sides[1]));
  }
  print(ratios.sort((a, b) => a - b)[20]);`;

/** Compares with another version, without a data folder. */
function measureMemory(before: string): void {
  const other = join(before, 'dist/lib/index.js');
  for (const kind of ['create', 'a val by id']) {
    const ratios = Array.from({ length: rounds }, () => run(here, ALTERNATE, other, small, kind));
    report(`without a folder, emulator.fetch, ${kind}, time of before`, median(ratios), 'most', 1.03, `${rounds} runs`);
  }
  const times = { before: [] as number[], now: [] as number[] };
  for (let round = 0; round < 8 * rounds; round++) {
    times.before.push(run(before, IMPORT));
    times.now.push(run(here, IMPORT));
  }
  const [was, is] = [median(times.before), median(times.now)];
  report(
    'without a folder, import, time of before',
    is / was,
    'most',
    1.03,
    `${milliseconds(is)} of ${milliseconds(was)}`,
  );
}

try {
  writeFixture(small, SMALL);
  if (isChosen('writes')) {
    await measureOneWriter();
    for (const writers of [WRITERS, 4 * WRITERS]) await measureWriters(writers);
  }
  if (isChosen('reads')) await measureReads();
  if (isChosen('memory') && flags.before !== undefined) measureMemory(flags.before);
  if (isChosen('open')) measureOpening();
  if (isChosen('million') && !flags.quick) measureMillion();
  if (isChosen('reset')) measureReset();
} finally {
  await stopAll();
  rmSync(folder, { recursive: true });
}
