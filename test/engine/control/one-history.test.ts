import { expect, test } from 'vitest';
import { HISTORY_LENGTH } from '#engine/store/history.js';
import { namesOf } from '../../support/changes.js';
import { as, emulate } from '../../support/emulate.js';

const fixtures = { users: [{ username: 'ada' }], vals: [{ author: 'ada', name: 'hello', code: '0' }] };

async function emulateWrites(count: number) {
  const emulator = await emulate(fixtures);
  const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };
  for (let i = 1; i <= count; i++) {
    const body = JSON.stringify({ name: `val${i}`, code: `${i}` });
    await emulator.fetch('/v1/vals', { method: 'POST', headers, body });
  }
  return emulator;
}

test('all that read an earlier state find the same 2,000 commits, and one start', async () => {
  const emulator = await emulateWrites(HISTORY_LENGTH + 100);

  expect(emulator.history().map(({ id }) => id)).toEqual(range(2_001, 2_100));
  expect(emulator.history({ limit: 2 }).map(({ id }) => id)).toEqual(range(2_099, 2_100));
  const all = emulator.history({ limit: 5_000 });
  expect(all.map(({ id }) => id)).toEqual(range(101, 2_100));
  expect(all.map(namesOf)).toEqual(all.map(({ id }) => [`+ ada/val${id.slice(1)}`]));
  expect(emulator.history({ record: 'ada/val101' }).map(({ id }) => id)).toEqual(['r101']);
  expect((await read('history/r101')).body).toMatchObject({ id: 'r101', changes: [{ after: { name: 'val101' } }, {}] });
  expect(emulator.explain('r1101').summary).toBe('r1101 POST /v1/vals succeeded with 200. It changed: + ada/val1101.');
  expect(emulator.diff('commit:r150', 'commit:r151').changes).toMatchObject([{ name: 'ada/val151' }, {}]);

  const counts = [
    ['start', 101],
    ['r101', 102],
    ['r150', 151],
    ['r2100', 2_101],
  ] as const;
  for (const [at, vals] of counts) {
    emulator.snapshot(`before-${at}`, at);
    const fork = emulator.fork(`fork-${at}`, at);
    expect(fork.store.state).toBe(emulator.store.snapshots.at(-1)?.state);
    expect(emulator.diff(`commit:${at}`, `sandbox:fork-${at}`)).toMatchObject({ total: 0 });
    expect((await read(`summary?at=${at}`)).body.counts.vals).toBe(vals);
    expect(fork.state().vals).toHaveLength(vals);
  }

  for (const path of ['history/r100', 'summary?at=r100', 'state?at=r100']) {
    const { status, body } = await read(path);
    expect([status, body.message]).toEqual([
      404,
      expect.stringMatching(/^There is no commit "r100": the history has the last 2000\./),
    ]);
  }
  expect(() => emulator.fork('none', 'r100')).toThrow('There is no commit "r100"');
  expect(() => emulator.rewind('r100')).toThrow('There is no commit "r100"');
  expect(() => emulator.diff('commit:r100')).toThrow('There is no state "commit:r100"');

  emulator.rewind('r151');
  expect(emulator.state().vals).toHaveLength(151);
  expect(emulator.history({ limit: 5_000 }).map(({ id }) => id)).toEqual(range(101, 150));
  emulator.rewind(50);
  expect(emulator.state().vals).toHaveLength(101);
  expect(emulator.history()).toEqual([]);

  function read(path: string) {
    return as(emulator).get(`/_emulator/${path}`);
  }
});

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => `r${first + i}`);
