import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DataError } from '#engine/lib/errors.js';
import { DataFolder } from '#engine/persistence/data-folder.js';
import { FORMAT, formatLines } from '#engine/persistence/lines.js';
import { definitions } from '#vals/service/service.collection.js';
import { random } from '../../support/random.js';
import { sized } from '../../support/soak.js';
import { contentsOf, FIXTURES, logOf, makeFolder, openData, send, showBriefly } from './folder.js';

const OPTIONS = { definitions, sync: 'full', systemTime: Date.now, settings: {}, onFailure: () => {} } as const;

/** Bits that are flipped, one at a time. */
const FLIPS = sized(20, 300);
const SMALL = { ...FIXTURES, runs: [{ val: 'ada/hello', returnValue: { deep: [[1]] } }] };

/** Makes a folder, and returns its contents after each change. */
async function makeHistory(): Promise<{ data: string; contents: Set<string> }> {
  const data = makeFolder();
  // Without counters, which are written late.
  const emulator = await openData(data, { fixtures: SMALL });
  const contents = new Set([showBriefly(emulator.store.contents)]);
  const { id } = emulator.state().vals[0] ?? {};
  const requests: [method: string, path: string, body?: unknown][] = [
    ['POST', '/v1/vals', { name: 'a', code: 'x'.repeat(500) }],
    ['POST', `/v1/vals/${id}/versions`, { code: '2' }],
    ['POST', '/_emulator/snapshots', { name: 'first' }],
    ['PUT', '/_emulator/clock', { advance: '1h' }],
    ['DELETE', `/v1/vals/${id}/versions/0`],
    [
      'POST',
      '/_emulator/records/vals',
      Array.from({ length: 20 }, (_, i) => ({ author: 'ada', name: `b${i}`, code: '1' })),
    ],
    ['POST', '/_emulator/rewind', { steps: 2 }],
    ['POST', '/_emulator/records/comments', { author: 'ada', val: 'ada/a', comment: '\ud800 ü' }],
    ['POST', '/_emulator/faults', { route: 'GET /v1/me', status: 500 }],
    ['DELETE', '/_emulator/faults'],
    ['POST', '/_emulator/reset'],
    ['DELETE', `/v1/vals/${id}`],
    ['POST', '/_emulator/snapshots/first/restore'],
    ['PUT', '/_emulator/seed', { users: [{ username: 'ada', token: 'ada-token' }], vals: [] }],
    ['PUT', '/_emulator/rate-limit', { limit: 1_000, window: '1h' }],
    ['PUT', '/_emulator/rate-limit', { limit: null }],
    ['DELETE', '/_emulator/snapshots/first'],
    ['POST', '/v1/vals', { name: 'last', code: 'y'.repeat(100) }],
  ];
  for (const request of requests) {
    expect((await send(emulator, ...request)).status).toBeLessThan(300);
    await emulator.saved();
    contents.add(showBriefly(emulator.store.contents));
  }
  await emulator.close();
  return { data, contents };
}

/** Opens a copy of a folder. Undefined if it is refused, with an error that names the file. */
async function tryOpen(data: string): Promise<{ readonly shown: string; readonly torn: number } | undefined> {
  try {
    const folder = await DataFolder.open(data, OPTIONS);
    const [found] = await folder.load();
    await folder.close();
    return { shown: found ? showBriefly(found.contents) : 'empty', torn: folder.torn };
  } catch (error) {
    expect(error).toBeInstanceOf(DataError);
    expect(String(error)).toContain(`${logOf(data)} is damaged`);
    return undefined;
  }
}

const formatLine = (json: string) => [...formatLines([json], 0, 1)].join('');

test('a file that ends at any byte is a state of the history, or is refused', async () => {
  const { data, contents } = await makeHistory();
  const all = readFileSync(logOf(data));
  const copy = makeFolder();
  const draw = random(1);
  // Each end of a line, the bytes around it, and others.
  const lengths = [0, ...Array.from({ length: sized(10, 200) }, () => Math.floor(draw() * all.length))];
  for (let end = all.indexOf(10); end >= 0; end = all.indexOf(10, end + 1))
    lengths.push(end - 1, end, end + 1, end + 2);
  let [refused, opened] = [0, 0];
  for (const length of lengths) {
    writeFileSync(logOf(copy), all.subarray(0, length));
    const found = await tryOpen(copy);
    if (found) expect(contents.has(found.shown), `${length} bytes`).toBe(true);
    if (found) opened++;
    else refused++;
  }
  expect(refused).toBeGreaterThan(0);
  expect(opened).toBeGreaterThan(sized(50, 100));
});

test('a file with a flipped bit is a state of the history, or is refused', async () => {
  const { data, contents } = await makeHistory();
  const all = readFileSync(logOf(data));
  const copy = makeFolder();
  const draw = random(2);
  const lastLine = all.lastIndexOf(10, all.length - 2) + 1;
  let [refused, opened] = [0, 0];
  for (let i = 0; i < FLIPS; i++) {
    // Some in the last line, which may be torn.
    const position =
      i % 10 === 0 ? lastLine + Math.floor(draw() * (all.length - lastLine)) : Math.floor(draw() * all.length);
    const bytes = Buffer.from(all);
    bytes[position] = (bytes[position] ?? 0) ^ (1 << Math.floor(draw() * 8));
    writeFileSync(logOf(copy), bytes);
    const found = await tryOpen(copy);
    if (found) {
      opened++;
      expect(contents.has(found.shown), `byte ${position}`).toBe(true);
      expect(found.torn).toBeGreaterThan(0);
      // Only the end can have been torn.
      expect(position).toBeGreaterThanOrEqual(lastLine);
    } else refused++;
    expect(found || readFileSync(logOf(copy)).equals(bytes), 'a refused file is unchanged').toBeTruthy();
  }
  expect(refused).toBeGreaterThan(FLIPS / 2);
  expect(refused + opened).toBe(FLIPS);
});

test('an edited last line is damage, not a torn write', async () => {
  const { data } = await makeHistory();
  const text = readFileSync(logOf(data), 'latin1');
  const end = text.trimEnd();
  const lastLine = end.lastIndexOf('\n') + 1;
  writeFileSync(logOf(data), `${end.slice(0, lastLine)}${end.slice(lastLine).replace('"type"', '"Type"')}\n`, 'latin1');
  const line = end.split('\n').length;
  await expect(openData(data)).rejects.toThrow(`log.1.ndjson is damaged: line ${line} is not as it was written`);
});

test('a torn write is skipped with a message, and later writes follow the last good one', async () => {
  const data = makeFolder();
  const first = await openData(data);
  await send(first, 'POST', '/v1/vals', { name: 'kept', code: '1' });
  const expected = contentsOf(first);
  await send(first, 'POST', '/v1/vals', { name: 'torn', code: '2' });
  await first.close();
  const { length } = readFileSync(logOf(data));
  truncateSync(logOf(data), length - 5);
  const second = await openData(data);
  expect(second.data?.torn).toBeGreaterThan(5);
  expect(contentsOf(second)).toBe(expected);
  await send(second, 'POST', '/v1/vals', { name: 'after', code: '3' });
  const later = contentsOf(second);
  await second.close();
  const third = await openData(data);
  expect(third.data?.torn).toBe(0);
  expect(contentsOf(third)).toBe(later);
});

test('createEmulator rejects damage with the name of the file, and leaves it unchanged', async () => {
  const data = makeFolder();
  const emulator = await openData(data);
  await send(emulator, 'POST', '/v1/vals', { name: 'a', code: '1' });
  await send(emulator, 'POST', '/v1/vals', { name: 'b', code: '2' });
  await emulator.close();
  const bytes = readFileSync(logOf(data));
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(logOf(data), bytes);
  await expect(openData(data)).rejects.toThrow(`${logOf(data)} is damaged: line 2 is not as it was written`);
  expect(readFileSync(logOf(data)).equals(bytes)).toBe(true);
  // Nor a file of another program.
  writeFileSync(logOf(data), '{ "hello": 1 }\n');
  await expect(openData(data)).rejects.toThrow('the lines that it began with are incomplete');
  writeFileSync(logOf(data), '');
  await expect(openData(data)).rejects.toThrow('the lines that it began with are incomplete');
});

test('a folder of a newer format is refused with the version that it needs', async () => {
  const data = makeFolder();
  const line = JSON.stringify({ type: 'header', format: FORMAT + 1, version: '9.1.0' });
  writeFileSync(logOf(data), formatLine(line));
  await expect(openData(data)).rejects.toThrow(
    `${logOf(data)} was written by val-emulator 9.1.0 in a newer format. Use 9.1.0 or later.`,
  );
  await expect(openData(data)).rejects.toBeInstanceOf(DataError);
});

test('an unfinished new file is dropped', async () => {
  const data = makeFolder();
  await (await openData(data)).close();
  const unfinished = `${logOf(data)}.id.new`;
  copyFileSync(logOf(data), unfinished);
  truncateSync(unfinished, 50);
  const opened = await openData(data, { fixtures: FIXTURES });
  expect(opened.data?.isOpened).toBe(true);
  expect(() => readFileSync(unfinished)).toThrow('ENOENT');
});
