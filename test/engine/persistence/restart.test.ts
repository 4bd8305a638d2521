import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Lock } from '#engine/persistence/lock.js';
import { toValsState } from '#vals/lib/state.collection.js';
import type { Emulator } from '../../../src/index.js';
import { waitFor } from '../../support/wait.js';
import { run } from '../../tools/cli/cli.js';
import { create, FIXTURES, makeFolder, namesOf, openData, showContents } from './folder.js';

const HOUR = 3_600_000;

/** Sets the time of the machine. */
function setSystemTime(time: number): void {
  const spy = vi.spyOn(Date, 'now').mockReturnValue(time);
  onTestFinished(() => spy.mockRestore());
}

describe('after a restart', () => {
  test('isOpened is true for an existing folder only', async () => {
    const data = makeFolder();
    const first = await openData(data);
    expect(first.data).toMatchObject({ path: data, isOpened: false, hasOtherSeed: false, torn: 0 });
    await first.close();
    const second = await openData(data);
    expect(second.data).toMatchObject({ isOpened: true, hasOtherSeed: false, torn: 0 });
    expect((await openData(join(data, '..', `${Date.now()}`, 'deep'))).data?.isOpened).toBe(false);
  });

  test('a reset is as durable as a write, and a rewind works after a restart', async () => {
    const data = makeFolder();
    const first = await openData(data);
    for (const name of ['a', 'b', 'c']) await create(first, name);
    first.snapshot('three');
    await first.close();
    const second = await openData(data);
    expect(second.history().map(({ id }) => id)).toEqual(['r1', 'r2', 'r3']);
    second.rewind('r2');
    await second.close();
    const third = await openData(data);
    expect(namesOf(third)).toEqual(['a', 'hello']);
    expect(third.history()).toHaveLength(1);
    third.reset();
    await third.close();
    const fourth = await openData(data);
    expect(namesOf(fourth)).toEqual(['hello']);
    expect(fourth.history()).toEqual([]);
    fourth.restore('three');
    await fourth.close();
    expect(namesOf(await openData(data))).toEqual(['a', 'b', 'c', 'hello']);
  });

  test('a change that changes nothing takes no number', async () => {
    const emulator = await openData(makeFolder());
    emulator.update('PUT /nothing', () => {});
    emulator.add.user({ username: 'b' });
    expect(emulator.history().map(({ id }) => id)).toEqual(['w1']);
  });

  const change = ({ add }: Emulator, username: string) => void add.user({ username });
  test.each<[string, (emulator: Emulator) => unknown]>([
    ['a rewind', (emulator) => emulator.rewind(2)],
    ['a restore', (emulator) => emulator.restore('two')],
    ['a restore of the seed', (emulator) => emulator.restore('none')],
    [
      'a restore and a commit of a request',
      (emulator) => {
        emulator.restore('two');
        return create(emulator, 'a');
      },
    ],
  ])('the numbers of commits by control continue after %s, however often the folder is rewritten', async (_, go) => {
    const data = makeFolder();
    const first = await openData(data);
    first.snapshot('none');
    for (const name of ['b', 'c', 'd']) change(first, name);
    first.snapshot('two');
    change(first, 'e');
    await go(first);
    await first.close();
    for (const [last, options] of [['w5'], ['w6', { dataGrowth: 1 }], ['w7']] as const) {
      const again = await openData(data, options);
      change(again, `user${last}`);
      expect(again.history().at(-1)?.id).toBe(last);
      again.rewind(1);
      await again.close();
    }
    const last = await openData(data);
    last.reset();
    change(last, 'f');
    expect(last.history().map(({ id }) => id)).toEqual(['w1']);
  });

  test.each<[string, (emulator: Emulator) => unknown]>([
    ['a rewind', (emulator) => emulator.rewind(2)],
    ['a restore', (emulator) => emulator.restore('two')],
    ['a restore of the seed', (emulator) => emulator.restore('none')],
    [
      'more changes by control than a rewind reaches',
      (emulator) => {
        for (let i = 0; i < 101; i++) change(emulator, `user${i}`);
      },
    ],
  ])('the numbers of requests continue after %s, however often the folder is rewritten', async (_, go) => {
    const data = makeFolder();
    const first = await openData(data);
    first.snapshot('none');
    await create(first, 'a');
    first.snapshot('two');
    for (const name of ['b', 'c']) await create(first, name);
    await go(first);
    await first.close();
    for (const [last, options] of [['r4'], ['r5', { dataGrowth: 1 }], ['r6']] as const) {
      const again = await openData(data, options);
      await create(again, `val${last}`);
      expect(again.history().at(-1)?.id).toBe(last);
      expect(again.requests().map(({ id }) => id)).toEqual([last]);
      again.rewind(1);
      await again.close();
    }
    const last = await openData(data);
    last.reset();
    await create(last, 'd');
    expect(last.history().map(({ id }) => id)).toEqual(['r1']);
  });

  test('the numbers of kept requests continue after they were cleared, also in a rewritten folder, and begin again after a reset', async () => {
    const data = makeFolder();
    const readIds = async (emulator: Emulator) => {
      await emulator.fetch('/v1/me');
      return emulator.requests().map(({ id }) => id);
    };
    for (const [id, options] of [['r1'], ['r2', { dataGrowth: 1 }], ['r3', { dataGrowth: 1 }]] as const) {
      const emulator = await openData(data, { keepJournal: true, ...options });
      expect(await readIds(emulator)).toEqual([id]);
      emulator.clearRequests();
      await emulator.close();
    }
    const last = await openData(data, { keepJournal: true });
    last.reset();
    expect(await readIds(last)).toEqual(['r1']);
    await last.close();
    const again = await openData(data, { keepJournal: true });
    expect(await readIds(again)).toEqual(['r1', 'r2']);
  });

  test('ids continue: neither a record nor a commit repeats one', async () => {
    const data = makeFolder();
    const ids: string[] = [];
    for (let round = 0; round < 4; round++) {
      const emulator = await openData(data);
      for (let i = 0; i < 3; i++) ids.push(JSON.parse((await create(emulator, `val${round}${i}`)).text).id);
      emulator.add.val({ author: 'ada', name: `added${round}`, code: '1' });
      const commits = emulator.history().map(({ id }) => id);
      expect(new Set(commits).size).toBe(4 * (round + 1));
      const serials = [...toValsState(emulator.store.state).vals].map(({ serial }) => serial);
      expect(new Set(serials).size).toBe(serials.length);
      await emulator.close();
    }
    expect(new Set(ids).size).toBe(12);
  });

  test('a frozen clock stays frozen', async () => {
    const data = makeFolder();
    const first = await openData(data);
    first.clock.advance('1h');
    const { now } = first.clock.read();
    await first.close();
    setSystemTime(Date.now() - 24 * HOUR);
    const second = await openData(data, { now: undefined });
    expect(second.clock.read()).toEqual({ now, frozen: true });
  });

  test.each([0, 500])(
    'a running clock never goes back, even when the clock of the machine does (%d ms later)',
    async (later) => {
      const data = makeFolder();
      const start = Date.now();
      const first = await openData(data, { now: undefined });
      first.clock.advance('2h');
      await first.saved();
      await new Promise((resolve) => setTimeout(resolve, later));
      const before = first.clock.now.getTime();
      await first.close();
      setSystemTime(start - 5 * HOUR);
      const second = await openData(data, { now: undefined });
      expect(second.clock.now.getTime()).toBeGreaterThanOrEqual(before);
      expect(second.clock.now.getTime()).toBeLessThan(before + HOUR);
      const shown = second.clock.now.getTime();
      await second.close();
      setSystemTime(start - 4 * HOUR);
      const third = await openData(data, { now: undefined });
      expect(third.clock.now.getTime()).toBe(shown + HOUR);
    },
  );

  test('neither the restart nor a reset after it moves times', async () => {
    const data = makeFolder();
    const fixtures = { ...FIXTURES, runs: [{ val: 'ada/hello', runStartAt: '-10m' }] };
    const first = await openData(data, { fixtures, now: undefined });
    const expected = first.state();
    await first.close();
    setSystemTime(Date.now() + 24 * HOUR);
    const second = await openData(data, { fixtures, now: undefined });
    expect(second.data?.hasOtherSeed).toBe(false);
    expect(second.state()).toEqual(expected);
    await create(second, 'a');
    second.reset();
    expect(second.state()).toEqual(expected);
  });

  test('with other fixtures, the data stays, a reset returns to the stored seed, and reseed begins again', async () => {
    const data = makeFolder();
    const other = { ...FIXTURES, vals: [{ author: 'ada', name: 'other', code: '1' }] };
    const first = await openData(data);
    await create(first, 'a');
    await first.close();
    const second = await openData(data, { fixtures: other });
    expect(second.data?.hasOtherSeed).toBe(true);
    expect(namesOf(second)).toEqual(['a', 'hello']);
    second.reset();
    expect(namesOf(second)).toEqual(['hello']);
    await second.close();
    const third = await openData(data, { fixtures: other, reseed: true });
    expect(third.data).toMatchObject({ isOpened: false, hasOtherSeed: false });
    await create(third, 'b');
    await third.close();
    const fourth = await openData(data, { fixtures: other });
    expect(fourth.data).toMatchObject({ isOpened: true, hasOtherSeed: false });
    expect(namesOf(fourth)).toEqual(['b', 'other']);
    // Another seed at run time is stored as well.
    fourth.reseed(FIXTURES);
    await create(fourth, 'c');
    await fourth.close();
    const fifth = await openData(data);
    expect(namesOf(fifth)).toEqual(['c', 'hello']);
    fifth.reset();
    expect(namesOf(fifth)).toEqual(['hello']);
  });

  test('kept sandboxes return with snapshots and history, others do not', async () => {
    const data = makeFolder();
    const first = await openData(data);
    const kept = first.sandbox('kept', { keep: true });
    await create(kept, 'a');
    kept.snapshot('one');
    await create(kept, 'b');
    const late = first.sandbox('late');
    await create(late, 'c');
    first.sandbox('late', { keep: true });
    await create(first.sandbox('lost'), 'd');
    first.sandbox('closed', { keep: true }).close();
    // A seed that was replaced since, and is not in the file any more.
    const early = first.sandbox('early');
    first.reseed({ ...FIXTURES, vals: [] });
    await first.saved();
    first.sandbox('early', { keep: true });
    const expected = [kept, late, early].map(({ store }) => showContents(store.contents));
    await first.close();
    const second = await openData(data);
    expect(
      second
        .sandboxes()
        .map(({ name, kept }) => [name, kept])
        .sort(),
    ).toEqual([
      ['early', true],
      ['kept', true],
      ['late', true],
    ]);
    const found = ['kept', 'late', 'early'].map((name) => showContents(second.sandbox(name).store.contents));
    expect(found).toEqual(expected);
    second.sandbox('early').reset();
    expect(namesOf(second.sandbox('early'))).toEqual(['hello']);
    second.sandbox('kept').restore('one');
    expect(namesOf(second.sandbox('kept'))).toEqual(['a', 'hello']);
  });
});

describe('the lock of a folder', () => {
  test('a second process is refused with the pid that holds the folder', async () => {
    const data = makeFolder();
    const holder = await openData(data);
    await expect(openData(data)).rejects.toThrow(
      `${data} is in use by process ${process.pid}. Stop it, or use another`,
    );
    const { code, stderr, stdout } = await run(['start', '--data', data, '--port', '0', '--no-config']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(`val-emulator: ${data} is in use by process ${process.pid}. Stop it, or use another folder.\n`);
    await create(holder, 'a');
    await holder.close();
    expect(namesOf(await openData(data))).toEqual(['a', 'hello']);
  });

  test.skipIf(process.platform !== 'linux')('the lock of a zombie is replaced', async () => {
    const data = makeFolder();
    // The shell becomes a program that never asks for the exit code of its child.
    const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 30']);
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [output] = await once(parent.stdout, 'data');
    const pid = Number(String(output));
    const readFields = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    await waitFor(() => expect(readFields()[0]).toBe('Z'));
    const namespace = readlinkSync('/proc/self/ns/pid');
    writeFileSync(join(data, 'lock'), JSON.stringify({ pid, host: hostname(), namespace, started: readFields()[19] }));
    (await Lock.take(data)).release();
  });

  test('the lock of another machine holds while it is renewed', async () => {
    const data = makeFolder();
    const lock = join(data, 'lock');
    writeFileSync(lock, JSON.stringify({ pid: 1, host: 'elsewhere', namespace: 'x', started: '5' }));
    const timer = setInterval(() => utimesSync(lock, new Date(), new Date()), 500);
    onTestFinished(() => clearInterval(timer));
    await expect(openData(data)).rejects.toThrow(`${data} is in use by process 1 on elsewhere.`);
    expect(existsSync(lock)).toBe(true);
    expect(hostname()).not.toBe('elsewhere');
  });

  test('the lock of another machine is replaced once it is not renewed for some time', async () => {
    const data = makeFolder();
    const path = join(data, 'lock');
    writeFileSync(path, JSON.stringify({ pid: 1, host: 'elsewhere', namespace: 'x', started: '5' }));
    const lock = await Lock.take(data, undefined, { beat: 10, stale: 100 });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
    await expect(Lock.take(data, undefined, { beat: 10, stale: 100 })).rejects.toThrow(
      `is in use by process ${process.pid}`,
    );
    lock.release();
    expect(readdirSync(data)).toEqual([]);
  });
});
