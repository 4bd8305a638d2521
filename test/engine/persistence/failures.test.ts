import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DataError } from '#engine/lib/errors.js';
import { toValsState } from '#vals/lib/state.collection.js';
import type { Emulator, EmulatorOptions } from '../../../src/index.js';
import { waitFor } from '../../support/wait.js';
import {
  contentsOf,
  create,
  FIXTURES,
  failDisk,
  holdSyncs,
  logOf,
  makeFolder,
  namesOf,
  openData,
  send,
  showContents,
} from './folder.js';

/** Opens an emulator whose failure is expected. */
async function openFailing(data: string, options: EmulatorOptions = {}) {
  const onDataError = vi.fn();
  return { emulator: await openData(data, { onDataError, ...options }), onDataError };
}

/** Nothing can be written, reads go on, and what was there is there now and after a restart. */
async function expectFailed(emulator: Emulator, data: string, reason: RegExp, names: string[]): Promise<void> {
  const before = contentsOf(emulator);
  for (const [method, path, body] of [
    ['POST', '/v1/vals', { code: '1' }],
    ['POST', '/_emulator/reset', undefined],
    ['PUT', '/_emulator/seed', { users: [] }],
    ['POST', '/_emulator/snapshots', {}],
    ['POST', '/_emulator/records/vals', { author: 'ada', name: 'added', code: '1' }],
    ['PUT', '/_emulator/clock', { advance: '1h' }],
    ['POST', '/_emulator/sandboxes', { name: 'new', keep: true }],
    ['GET', '/_emulator/health', undefined],
    ['GET', '/_emulator/ready', undefined],
  ] as const) {
    const { status, text } = await send(emulator, method, path, body);
    expect([method, path, status]).toEqual([method, path, 503]);
    expect(text).toMatch(reason);
    expect(text).toContain(logOf(data));
  }
  // By which `stop` recognizes the emulator.
  const health = JSON.parse((await send(emulator, 'GET', '/_emulator/health')).text);
  expect(health).toMatchObject({ statusCode: 503, instance: expect.stringMatching(/^[\da-f-]{36}$/) });
  expect(() => emulator.add.val({ author: 'ada', name: 'added', code: '1' })).toThrow(reason);
  expect(() => emulator.reset()).toThrow(reason);
  expect(emulator.sandboxes()).toEqual([]);
  for (const path of [
    '/v1/me',
    '/v1/search/vals?query=hello',
    '/_emulator/state',
    '/_emulator/history',
    '/_emulator/clock',
    '/_emulator/metrics',
  ]) {
    expect([path, (await send(emulator, 'GET', path)).status]).toEqual([path, 200]);
  }
  expect(namesOf(emulator)).toEqual(names);
  expect(contentsOf(emulator)).toBe(before);
}

describe.each(['full', 'lazy'] as const)('after a failed write (%s)', (dataSync) => {
  test('it and all later ones return 503 with the reason, and nothing is half-applied', async () => {
    const data = makeFolder();
    const { emulator, onDataError } = await openFailing(data, { dataSync });
    await create(emulator, 'first');
    const before = contentsOf(emulator);
    const repair = await failDisk('write');
    const together = await Promise.all(['a', 'b', 'c'].map((name) => create(emulator, name)));
    expect(together.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(together[0]?.text).toMatch(/Cannot write to .*ENOSPC/);
    expect(contentsOf(emulator)).toBe(before);
    repair();
    await expectFailed(emulator, data, /ENOSPC/, ['first', 'hello']);
    expect(onDataError).toHaveBeenCalledOnce();
    await emulator.close();
    const opened = await openData(data);
    expect(contentsOf(opened)).toBe(before);
    expect((await create(opened, 'later')).status).toBe(200);
  });
});

test('a write whose sync fails is not there after a restart', async () => {
  const data = makeFolder();
  const { emulator } = await openFailing(data);
  await create(emulator, 'first');
  const before = contentsOf(emulator);
  const repair = await failDisk('datasync', 'EIO');
  expect((await create(emulator, 'second')).status).toBe(503);
  repair();
  expect(emulator.requests({ path: '/v1/vals' })).toMatchObject([
    { status: 200, commit: 'r1' },
    { status: 503, commit: null },
  ]);
  await expectFailed(emulator, data, /EIO/, ['first', 'hello']);
  await emulator.close();
  expect(contentsOf(await openData(data))).toBe(before);
});

test('a write with a response stays after a late failure of a sync, also after a restart', async () => {
  const data = makeFolder();
  const { emulator, onDataError } = await openFailing(data, { dataSync: 'lazy' });
  const repair = await failDisk('datasync', 'EIO');
  expect((await create(emulator, 'first')).status).toBe(200);
  await waitFor(() => expect(onDataError).toHaveBeenCalledOnce());
  repair();
  await expectFailed(emulator, data, /EIO/, ['first', 'hello']);
  const before = contentsOf(emulator);
  await emulator.close();
  expect(contentsOf(await openData(data))).toBe(before);
});

test('an emulator closes with a message if a sync fails meanwhile', async () => {
  const data = makeFolder();
  const { emulator, onDataError } = await openFailing(data, { dataSync: 'lazy' });
  await create(emulator, 'first');
  const repair = await failDisk('datasync', 'EIO');
  await emulator.close();
  repair();
  expect(onDataError).toHaveBeenCalledOnce();
  expect(namesOf(await openData(data))).toEqual(['first', 'hello']);
});

test('a failure to rewrite the file changes nothing', async () => {
  const data = makeFolder();
  const { emulator, onDataError } = await openFailing(data, { dataGrowth: 1_000 });
  // Only a new file is synced like this.
  const repair = await failDisk('sync');
  const names = Array.from({ length: 30 }, (_, i) => `val${i}`);
  for (const name of names) expect((await create(emulator, name)).status).toBe(200);
  repair();
  const { size } = statSync(logOf(data));
  for (let i = 0; i < 100; i++) expect((await create(emulator, `later${i}`)).status).toBe(200);
  expect(onDataError).not.toHaveBeenCalled();
  expect(size).toBeGreaterThan(0);
  const before = contentsOf(emulator);
  await emulator.close();
  expect(contentsOf(await openData(data))).toBe(before);
});

test('a new folder that cannot be written to is refused, and can be used later', async () => {
  const data = makeFolder();
  const repair = await failDisk('write');
  await expect(openData(data)).rejects.toThrow(`${data} cannot be written to: ENOSPC`);
  await expect(openData(data)).rejects.toBeInstanceOf(DataError);
  repair();
  const opened = await openData(data);
  expect(opened.data?.isOpened).toBe(false);
  await create(opened, 'first');
  await opened.close();
  // The same, with data that are to be replaced: they stay.
  const again = await failDisk('write');
  await expect(openData(data, { reseed: true })).rejects.toThrow('ENOSPC');
  again();
  expect(namesOf(await openData(data))).toEqual(['first', 'hello']);
});

test('a removed folder is a failure, not a silent loss', async () => {
  const data = join(makeFolder(), 'data');
  const { emulator, onDataError } = await openFailing(data);
  await create(emulator, 'first');
  rmSync(data, { recursive: true });
  expect((await create(emulator, 'second')).status).toBe(503);
  await expectFailed(emulator, data, /the file was deleted/, ['first', 'hello']);
  expect(onDataError).toHaveBeenCalledOnce();
});

test('a file in place of the folder, and a folder of other files, are refused', async () => {
  const path = join(makeFolder(), 'data');
  writeFileSync(path, 'text');
  await expect(openData(path)).rejects.toThrow(`${path} is a file. Name a folder.`);
  expect(readFileSync(path, 'utf8')).toBe('text');
  const other = makeFolder();
  writeFileSync(join(other, 'package.json'), '{}');
  await expect(openData(other)).rejects.toThrow(`${other} has other files, such as package.json.`);
  await expect(openData(other)).rejects.toBeInstanceOf(DataError);
});

/** A small file system in memory. Undefined where none can be mounted. */
function mountSmall(size: string): string | undefined {
  const path = makeFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', path]));
  return path;
}

const NO_MOUNT = 'no file system can be mounted here';

test('a write to a full disk is refused as a whole, and nothing is lost', async (context) => {
  const mounted = mountSmall('256k');
  if (mounted === undefined) return context.skip(NO_MOUNT);
  const data = join(mounted, 'data');
  const { emulator } = await openFailing(data);
  const written = ['hello'];
  for (let i = 0; ; i++) {
    expect(i).toBeLessThan(100);
    const { status, text } = await send(emulator, 'POST', '/v1/vals', { name: `val${i}`, code: 'x'.repeat(9_000) });
    if (status === 200) {
      written.push(`val${i}`);
      continue;
    }
    expect(status).toBe(503);
    expect(text).toContain('ENOSPC');
    break;
  }
  await expectFailed(emulator, data, /ENOSPC/, written.sort());
  const before = contentsOf(emulator);
  await emulator.close();
  // It opens although the disk is full.
  const opened = await openData(data);
  expect(contentsOf(opened)).toBe(before);
});

test('a read-only folder is refused, and a folder that becomes read-only fails', async (context) => {
  const mounted = mountSmall('1m');
  if (mounted === undefined) return context.skip(NO_MOUNT);
  mkdirSync(join(mounted, 'data'));
  const data = join(mounted, 'data');
  await (await openData(data)).close();
  execFileSync('mount', ['-o', 'remount,ro', mounted]);
  await expect(openData(data)).rejects.toThrow(`${data} cannot be opened: it is not writable (EROFS`);
  await expect(openData(data)).rejects.toBeInstanceOf(DataError);
});

describe('before a write is durable', () => {
  test('no GET returns it, reads are served, and its response waits for the sync', async () => {
    const data = makeFolder();
    const emulator = await openData(data, { rateLimit: { limit: 1_000, window: '1h' } });
    // A counter that changes with each read.
    emulator.fail('GET /v1/me', { delay: 0, times: 1_000 });
    await emulator.saved();
    const { spy, release } = await holdSyncs();
    let isDone = false;
    const writing = create(emulator, 'second').then((response) => {
      isDone = true;
      return response;
    });
    await waitFor(() => expect(spy).toHaveBeenCalled());
    for (let i = 0; i < 5; i++) {
      expect((await send(emulator, 'GET', '/v1/me')).status).toBe(200);
      const { status, text } = await send(emulator, 'GET', '/v1/search/vals?query=hello');
      expect(status).toBe(200);
      expect(JSON.parse(text).data).toHaveLength(1);
      const { id } = JSON.parse((await send(emulator, 'GET', '/v1/me')).text);
      const { data: vals } = JSON.parse((await send(emulator, 'GET', `/v1/users/${id}/vals`)).text);
      expect(vals.map(({ name }: { name: string }) => name)).toEqual(['hello']);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    expect(isDone).toBe(false);
    release();
    const { status, text } = await writing;
    expect(status).toBe(200);
    const { id } = JSON.parse(text);
    expect((await send(emulator, 'GET', `/v1/vals/${id}`)).status).toBe(200);
  });

  test('writes that wait together are synced together', async () => {
    const emulator = await openData(makeFolder());
    const { spy, release } = await holdSyncs();
    release();
    await Promise.all(Array.from({ length: 50 }, (_, i) => create(emulator, `val${i}`)));
    expect(spy.mock.calls.length).toBeLessThanOrEqual(2);
    expect(namesOf(emulator)).toHaveLength(51);
  });

  test('a response of the control API waits', async () => {
    const emulator = await openData(makeFolder());
    const { spy, release } = await holdSyncs();
    let isDone = false;
    const reset = send(emulator, 'POST', '/_emulator/reset').then(() => {
      isDone = true;
    });
    await waitFor(() => expect(spy).toHaveBeenCalled());
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isDone).toBe(false);
    release();
    await reset;
  });
});

test('a change that cannot be described changes nothing', async () => {
  const data = makeFolder();
  const emulator = await openData(data);
  const before = contentsOf(emulator);
  let deep: unknown = 1;
  for (let i = 0; i < 20_000; i++) deep = [deep];
  expect(() =>
    emulator.store.update((given) => {
      const draft = toValsState(given);
      const [user] = draft.users;
      if (user) draft.users = draft.users.put({ ...user, bio: deep as string });
    }),
  ).toThrow(RangeError);
  expect(contentsOf(emulator)).toBe(before);
  await create(emulator, 'second');
  await emulator.close();
  expect(namesOf(await openData(data))).toEqual(['hello', 'second']);
});

test('a closed sandbox writes neither its counters nor changes of a method', async () => {
  const data = makeFolder();
  const emulator = await openData(data, { fixtures: FIXTURES });
  const kept = emulator.sandbox('kept', { keep: true });
  kept.fail('GET /v1/me', { delay: 0 });
  await send(kept, 'GET', '/v1/me');
  kept.close();
  kept.add.val({ author: 'ada', name: 'lost', code: '1' });
  const next = emulator.sandbox('kept', { keep: true });
  kept.add.val({ author: 'ada', name: 'lost2', code: '1' });
  next.add.val({ author: 'ada', name: 'found', code: '1' });
  await emulator.saved();
  await new Promise((resolve) => setTimeout(resolve, 250));
  const expected = showContents(next.store.contents);
  await emulator.close();
  const opened = await openData(data);
  expect(showContents(opened.sandbox('kept').store.contents)).toBe(expected);
});
