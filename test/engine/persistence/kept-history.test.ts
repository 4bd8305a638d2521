import { expect, test, vi } from 'vitest';
import { compactFolder } from '#engine/persistence/folder-log.js';
import { definitions } from '#vals/service/service.collection.js';
import type { Emulator } from '../../../src/index.js';
import { boundBytes } from '../../support/bytes.js';
import { contentsOf, create, makeFolder, namesOf, openData } from './folder.js';

const write = async ({ fetch }: Emulator, bytes: number) => {
  const headers = { authorization: 'Bearer ada-token' };
  const { status } = await fetch('/v1/blob/a', { method: 'POST', headers, body: new Uint8Array(bytes) });
  expect(status).toBe(201);
};
const idsOf = (emulator: Emulator) => emulator.history({ limit: 5_000 }).map(({ id }) => id);

async function reopen(data: string, emulator: Emulator): Promise<Emulator> {
  const before = contentsOf(emulator);
  await emulator.close();
  const opened = await openData(data);
  expect(contentsOf(opened)).toBe(before);
  return opened;
}

test('commits that went to make room are gone after a start, too', async () => {
  const data = makeFolder();
  const first = await openData(data);
  boundBytes(first, 20_000);
  for (let i = 0; i < 30; i++) await write(first, 1_000);
  const held = idsOf(first);
  expect(held.length).toBeLessThan(25);
  first.snapshot('oldest', 'start');
  first.snapshot('second', held[1]);

  const second = await reopen(data, first);
  second.rewind(held[2] ?? '');
  await reopen(data, second);
});

test('2,000 commits survive a start', async () => {
  const data = makeFolder();
  const first = await openData(data);
  await Promise.all(Array.from({ length: 2_020 }, (_, i) => create(first, `v${i}`)));
  const ids = Array.from({ length: 2_000 }, (_, i) => `r${i + 21}`);
  expect(idsOf(first)).toEqual(ids);
  await first.close();

  const second = await openData(data);
  expect(idsOf(second)).toEqual(ids);
  second.rewind('r22');
  expect(namesOf(await reopen(data, second))).toHaveLength(22);
});

const RANGE = { min: 110, max: 130 };

test('a compaction keeps the last commits of 8 MB, in memory too', async () => {
  const data = makeFolder();
  const first = await openData(data, { dataGrowth: 100_000 });
  for (let i = 0; i < 250; i++) await write(first, 50_000);
  await vi.waitFor(() => expect(idsOf(first).length).toBeLessThan(250), { timeout: 20_000 });
  const ids = idsOf(first);
  expect(ids.length).toBeGreaterThanOrEqual(RANGE.min);
  expect(ids.at(-1)).toBe('r250');
  first.snapshot('oldest', 'start');

  const second = await reopen(data, first);
  second.rewind(ids[1] ?? '');
  await reopen(data, second);
});

test('the command keeps as many, and at least the last 100', async () => {
  const data = makeFolder();
  const first = await openData(data);
  for (let i = 0; i < 250; i++) await write(first, 50_000);
  await first.close();
  await compactFolder(data, definitions);
  const second = await openData(data);
  expect(idsOf(second).length).toBeGreaterThanOrEqual(RANGE.min);
  expect(idsOf(second).length).toBeLessThanOrEqual(RANGE.max);
  for (let i = 0; i < 110; i++) await write(second, 100_000);
  await second.close();
  await compactFolder(data, definitions);
  const third = await openData(data);
  expect(idsOf(third)).toHaveLength(100);
  third.rewind(100);
  await reopen(data, third);
});
