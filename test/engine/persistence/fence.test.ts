import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { formatLines } from '#engine/persistence/lines.js';
import type { Emulator, EmulatorOptions } from '../../../src/index.js';
import { Fight } from '../../crash/fight.js';
import { hasNamespaces, NO_NAMESPACES } from '../../crash/namespaces.js';
import { waitFor } from '../../support/wait.js';
import { MAIN } from '../../tools/cli/cli.js';
import { contentsOf, create, failDisk, holdWrite, logOf, makeFolder, namesOf, openData, send } from './folder.js';

const OTHER = JSON.stringify({ pid: 7, host: 'elsewhere', namespace: 'x', started: '5', id: 'other' });

/** Everything in a folder. */
const readAll = (data: string) =>
  readdirSync(data).map((name) => {
    const { size, mtimeMs } = statSync(join(data, name));
    return { name, size, mtimeMs, text: readFileSync(join(data, name), 'latin1') };
  });

const open = (data: string, options: EmulatorOptions = {}) => openData(data, { onDataError: () => {}, ...options });

/** Opens a folder that another emulator has, as if that one had been silent for too long. */
async function takeOver(data: string): Promise<Emulator> {
  rmSync(join(data, 'lock'));
  return open(data);
}

async function expectLost(emulator: Emulator, reason: string): Promise<void> {
  for (const [method, path] of [
    ['GET', '/v1/me'],
    ['POST', '/v1/vals'],
    ['GET', '/_emulator/health'],
    ['GET', '/_emulator/ready'],
    ['GET', '/_emulator/state'],
    ['POST', '/_emulator/reset'],
  ] as const) {
    const { status, text } = await send(emulator, method, path);
    expect([method, path, status]).toEqual([method, path, 503]);
    expect(text).toContain(reason);
  }
}

describe('an emulator whose lock another process has taken', () => {
  test('responds 503 to everything, and does not touch the folder again, not even on close', async () => {
    const data = makeFolder();
    const onDataError = vi.fn();
    const options = { keepJournal: true, dataLock: { beat: 20, stale: 100 }, onDataError };
    const emulator = await openData(data, options);
    await create(emulator, 'first');
    // No response waits for the journal.
    await waitFor(() =>
      expect(
        readAll(data)
          .map(({ text }) => text)
          .join(),
      ).toContain('"type":"request"'),
    );
    writeFileSync(join(data, 'lock'), OTHER);
    const past = new Date('2026-01-01');
    for (const name of readdirSync(data)) utimesSync(join(data, name), past, past);
    const before = readAll(data);
    await waitFor(() => expect(onDataError).toHaveBeenCalled());
    await expectLost(
      emulator,
      `${data} is in use by process 7 on elsewhere, since this emulator was silent for too long`,
    );
    await new Promise((resolve) => setTimeout(resolve, 150));
    await emulator.close();
    expect(readAll(data)).toEqual(before);
    expect(onDataError).toHaveBeenCalledOnce();
  });

  test('sends no response for a write after the lock is taken', async () => {
    const data = makeFolder();
    const emulator = await open(data);
    await create(emulator, 'first');
    writeFileSync(join(data, 'lock'), OTHER);
    expect((await create(emulator, 'second')).status).toBe(503);
    await expectLost(emulator, 'in use by process 7 on elsewhere');
  });

  test('cuts off nothing when a write fails', async () => {
    const data = makeFolder();
    const emulator = await open(data);
    const repair = await failDisk('datasync');
    const { spy, release } = await holdWrite();
    const { size } = statSync(logOf(data));
    const writing = create(emulator, 'second');
    await waitFor(() => expect(spy).toHaveBeenCalled());
    writeFileSync(join(data, 'lock'), OTHER);
    release();
    expect((await writing).status).toBe(503);
    repair();
    await emulator.close();
    expect(statSync(logOf(data)).size).toBeGreaterThan(size);
  });

  test('does not put a rewritten file in place of the log', async () => {
    const data = makeFolder();
    const first = await open(data, { dataGrowth: 1 });
    for (let i = 0; !readdirSync(data).some((name) => name.endsWith('.new')); i++) {
      expect(i).toBeLessThan(1_000);
      await create(first, `val${i}`);
    }
    const second = await takeOver(data);
    const names = namesOf(second);
    await create(second, 'later');
    expect((await create(first, 'lost')).status).toBe(503);
    await first.close();
    await second.close();
    expect(readdirSync(data)).toEqual(['log.2.ndjson']);
    expect(namesOf(await openData(data))).toEqual([...names, 'later'].sort());
  });
});

test('an emulator whose lock is removed responds 503', async () => {
  const data = makeFolder();
  const emulator = await open(data);
  rmSync(join(data, 'lock'));
  expect((await create(emulator, 'first')).status).toBe(503);
  await expectLost(emulator, `The lock of ${data} was removed, so another process may use the folder.`);
});

test('writes and torn writes of a process after the next epoch begins are ignored', async () => {
  const data = makeFolder();
  const first = await open(data);
  await create(first, 'kept');
  const { spy, release } = await holdWrite();
  const writing = create(first, 'late');
  await waitFor(() => expect(spy).toHaveBeenCalled());
  const second = await takeOver(data);
  expect(namesOf(second)).toEqual(['hello', 'kept']);
  const { size } = statSync(logOf(data));
  release();
  expect((await writing).status).toBe(503);
  expect(statSync(logOf(data)).size).toBeGreaterThan(size);
  expect((await create(second, 'a')).status).toBe(200);
  // The first process is killed within a write.
  appendFileSync(logOf(data), '\n01234567 5:1:01234567 {"type":"com');
  expect((await create(second, 'b')).status).toBe(200);
  await second.close();
  await first.close();
  const third = await open(data);
  expect(namesOf(third)).toEqual(['a', 'b', 'hello', 'kept']);
  await create(third, 'c');
  await third.close();
  expect(namesOf(await openData(data))).toEqual(['a', 'b', 'c', 'hello', 'kept']);
  expect(logOf(data)).toBe(join(data, 'log.4.ndjson'));
});

describe('a change of the log by another program', () => {
  test.each([
    ['cut', 'the file was cut to', (log: string) => truncateSync(log, 1_000)],
    ['deleted', 'the file was deleted', (log: string) => rmSync(log)],
    [
      'renamed',
      'the file was deleted',
      (log: string) => renameSync(log, join(log, '../../..', `moved-${process.pid}`)),
    ],
    [
      'replaced',
      'the file was replaced',
      (log: string) => {
        copyFileSync(log, `${log}.copy`);
        renameSync(`${log}.copy`, log);
      },
    ],
  ])('%s: every write fails with the reason', async (_, reason, change) => {
    const data = join(makeFolder(), 'data');
    const emulator = await open(data);
    expect((await create(emulator, 'first')).status).toBe(200);
    change(logOf(data));
    const { status, text } = await create(emulator, 'second');
    expect([status, text]).toEqual([503, expect.stringContaining(reason)]);
    for (const path of ['/_emulator/health', '/_emulator/ready']) {
      expect(await send(emulator, 'GET', path)).toMatchObject({ status: 503, text: expect.stringContaining(reason) });
    }
    expect((await create(emulator, 'third')).status).toBe(503);
    // Reads go on, since no other process has the folder.
    expect((await send(emulator, 'GET', '/v1/me')).status).toBe(200);
    expect(namesOf(emulator)).toEqual(['first', 'hello']);
  });
});

test('a removed, doubled or swapped line is refused with its number', async () => {
  const data = makeFolder();
  for (let round = 0; round < 3; round++) {
    const emulator = await openData(data);
    for (const name of ['a', 'b']) await create(emulator, `${name}${round}`);
    await emulator.close();
  }
  const log = logOf(data);
  const lines = readFileSync(log, 'utf8').split(/(?<=\n)/);
  const used = lines.flatMap((line, i) => (line === '\n' ? [] : [i]));
  expect(used.length).toBeGreaterThan(10);
  const refuse = async (changed: string[], what: string) => {
    writeFileSync(log, changed.join(''));
    await expect(openData(data), what).rejects.toThrow(`${log} is damaged: `);
    expect(readFileSync(log, 'utf8'), what).toBe(changed.join(''));
  };
  const last = used.at(-1);
  for (const [position, i] of used.entries()) {
    const [line = '', next = used[position + 1] ?? i] = [lines[i]];
    // Nothing says that there was another line at the end.
    if (i !== last) await refuse(lines.toSpliced(i, 1), `line ${i + 1} removed`);
    await refuse(lines.toSpliced(i, 0, line), `line ${i + 1} doubled`);
    if (i !== last) await refuse(lines.with(i, lines[next] ?? '').with(next, line), `line ${i + 1} swapped`);
  }
  writeFileSync(log, lines.toSpliced(used[5] ?? 0, 1).join(''));
  await expect(openData(data)).rejects.toThrow(/line \d+ is not as it was written/);
  writeFileSync(log, lines.join(''));
  expect(namesOf(await openData(data))).toHaveLength(7);
});

test('a part of a torn change does not join a later change', async () => {
  const data = makeFolder();
  const first = await openData(data);
  await create(first, 'first');
  const expected = contentsOf(first);
  await first.close();
  const log = readFileSync(logOf(data), 'latin1');
  const [, last = ''] = /\n([0-9a-f]{8}) [^\n]+\n$/.exec(log) ?? [];
  const part = JSON.stringify({ type: 'part', changes: { vals: { remove: [] }, set: { sequence: 1 } } });
  appendFileSync(logOf(data), `\n${[...formatLines([part], log.length, 1, last)].join('')}`);
  const second = await openData(data);
  expect(second.data?.torn).toBeGreaterThan(part.length);
  expect(contentsOf(second)).toBe(expected);
  await create(second, 'second');
  const later = contentsOf(second);
  await second.close();
  expect(contentsOf(await openData(data))).toBe(later);
});

test('a folder with two logs is refused with their names', async () => {
  const data = makeFolder();
  await (await openData(data)).close();
  copyFileSync(logOf(data), join(data, 'log.3.ndjson'));
  await expect(openData(data)).rejects.toThrow(
    `${data} has log.1.ndjson and log.3.ndjson. Remove the one that was copied there.`,
  );
});

test('two processes that take a folder from each other lose no write', async (context) => {
  if (!hasNamespaces()) return context.skip(NO_NAMESPACES);
  const fight = new Fight({ dataLock: { beat: 50, stale: 400 }, dataSync: 'full', dataGrowth: 20_000 });
  for (const by of ['signal', 'block', 'kill', 'signal'] as const) await fight.round({ by, time: 600 });
  expect(fight.writes).toBeGreaterThan(100);
});

test('the lock of a killed process is replaced at once', async () => {
  const data = makeFolder();
  const child = spawn(process.execPath, [MAIN, 'start', '--data', data, '--port', '0', '--json', '--no-config']);
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(join(data, 'lock'))).toBe(true);
  // Not after the time that another machine has.
  await openData(data, { dataLock: { beat: 5_000, stale: 3_600_000 } });
});
