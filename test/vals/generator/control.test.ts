import { describe, expect, test } from 'vitest';
import { runInSlices } from '#engine/http/slices.js';
import { GeneratedDatasets } from '#engine/sandbox/generated.js';
import { Sandbox } from '#engine/sandbox/sandbox.js';
import { createEmulator, OptionsError, type Progress } from '../../../src/index.js';
import { as, emulate } from '../../support/emulate.js';
import { HANDS } from '../../support/hands.js';

const NOW = '2024-06-11T22:05:12.585Z';

/** Formats the whole state. */
const dump = (emulator: { state(): unknown }) => JSON.stringify(emulator.state());

describe('the option generate', () => {
  test('makes a dataset of the requested size', async () => {
    await using emulator = await createEmulator({ generate: { users: 3, vals: 12, runs: 40 }, listen: false });
    const { users, vals, runs } = emulator.state();
    expect([users.length, vals.length, runs.length]).toEqual([3, 12, 40]);
  });

  test('an empty object means a dataset of the default size', async () => {
    await using emulator = await createEmulator({ generate: {}, listen: false });
    const { users, vals, runs } = emulator.state();
    expect([users.length, vals.length, runs.length]).toEqual([20, 200, 4_000]);
  });

  test('a seed gives the same bytes under a frozen clock, another seed gives others', async () => {
    const datasets = [1, 1, 2].map(async (seed) => {
      await using emulator = await createEmulator({ generate: { users: 4, seed }, now: NOW, listen: false });
      return dump(emulator);
    });
    const [one, again, other] = await Promise.all(datasets);
    expect(again).toBe(one);
    expect(other).not.toBe(one);
  });

  test('all times are before the time of the clock', async () => {
    await using emulator = await createEmulator({ generate: { users: 5 }, now: NOW, listen: false });
    expect(
      dump(emulator)
        .match(/20\d\d-\d\d-\d\dT[\d:.]+Z/g)
        ?.filter((time) => time > NOW),
    ).toEqual([]);
  });

  test('a reset restores it', async () => {
    await using emulator = await createEmulator({ generate: { users: 3 }, now: NOW, listen: false });
    const before = dump(emulator);
    emulator.add.user({ username: 'late' });
    emulator.reset();
    expect(dump(emulator)).toBe(before);
  });

  test.each<[options: object, message: string]>([
    [{ fixtures: 'default', generate: {} }, 'option generate: expected either generate or fixtures, not both.'],
    [{ generate: 5 }, 'option generate: found 5; expected an object.'],
    [{ generate: null }, 'option generate: found null; expected an object.'],
    [
      { port: -1, generate: { users: -1 } },
      'option port: found -1; expected a port from 0 to 65535.\noption generate.users: found -1; expected a whole number from 0 to 100000.',
    ],
  ])('refuses %j', async (options, message) => {
    const start = createEmulator(Object.assign({}, options));
    await expect(start).rejects.toThrow(OptionsError);
    await expect(start).rejects.toHaveProperty('message', message);
  });
});

describe.each(HANDS)('a reseed %s', (_, hand) => {
  test('generates a dataset that resets restore', async () => {
    const emulator = await emulate({ users: [{ username: 'ada' }] });
    await hand(emulator).reseed({ generate: { users: 2, vals: 8, runs: 30, seed: 7 } });
    const before = dump(emulator);
    expect(emulator.state().vals).toHaveLength(8);
    emulator.add.user({ username: 'late' });
    await hand(emulator).reset();
    expect(dump(emulator)).toBe(before);
  });

  test('gives the same data as a start with the options', async () => {
    const generate = { users: 2, seed: 3 };
    const emulator = await emulate({});
    await hand(emulator).reseed({ generate });
    await using started = await createEmulator({ generate, now: NOW, listen: false });
    expect(dump(emulator)).toBe(dump(started));
  });

  test('changes only its own sandbox', async () => {
    const emulator = await emulate({ users: [{ username: 'ada' }] });
    await hand(emulator.sandbox('one')).reseed({ generate: { users: 2, vals: 2, runs: 2 } });
    expect(emulator.sandbox('one').users).toHaveLength(2);
    expect(emulator.users).toHaveLength(1);
  });

  test.each<object>([
    { generate: { users: -1 } },
    { generate: { user: 5 } },
    { generate: 'users=5' },
    { generate: { users: 0, vals: 3 } },
    { generate: {}, users: [] },
    { generate: {}, fixtures: 'empty' },
  ])('refuses %j and changes nothing', async (seed) => {
    const emulator = await emulate({ users: [{ username: 'ada' }] });
    await expect(hand(emulator).reseed(seed)).rejects.toThrow();
    expect(emulator.users.map(({ username }) => username)).toEqual(['ada']);
  });
});

test('refuses a dataset over HTTP beyond its bounds', async () => {
  const emulator = await emulate({});
  const put = (generate: object) => as(emulator).put('/_emulator/seed').send({ generate });
  for (const [size, most] of Object.entries({ users: 1_000, vals: 10_000, runs: 200_000 })) {
    const { status, body } = await put({ [size]: most + 1 });
    expect([status, body.message]).toEqual([
      400,
      `body.generate.${size}: found ${most + 1}; expected a whole number from 0 to ${most}.`,
    ]);
  }
  const { status, body } = await put({ users: 0, runs: 5 });
  expect(status).toBe(422);
  expect(body.problems).toEqual([{ path: 'generate.vals', message: 'found 0; expected at least 1, for the 5 runs.' }]);
});

test('refuses a dataset larger than memory before it is generated', async () => {
  const start = createEmulator({ generate: { vals: 10, runs: 90_000_000 }, listen: false });
  await expect(start).rejects.toThrow(/^option generate\.runs: found 90000000; expected at most \d+ in the memory /);
});

test('reports progress in order', async () => {
  const reported: Progress[] = [];
  const onProgress = (progress: Progress) => void reported.push(progress);
  await using emulator = await createEmulator({
    generate: { users: 2, vals: 10, runs: 6_000 },
    onProgress,
    listen: false,
  });
  expect(emulator.users).toHaveLength(2);
  const kinds = reported.map(({ step, total, unit }) => `${step} ${total} ${unit}`);
  expect([...new Set(kinds)]).toEqual(['generating 6000 runs', expect.stringMatching(/^loading \d+ records$/)]);
  expect(kinds.length).toBeGreaterThan(10);
  for (const step of ['generating', 'loading']) {
    const fractions = reported.filter((each) => each.step === step).map(({ done, total }) => done / total);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0);
    expect(fractions.at(-1)).toBe(1);
  }
});

describe('datasets that are generated over HTTP', () => {
  /** Generates in sandboxes with room for 100 records in sum. */
  async function makeRoom() {
    const emulator = await emulate({});
    const { sandboxes } = emulator.pipeline.control.emulator;
    const get = (name: string) => {
      const sandbox = emulator.sandbox(name);
      if (!(sandbox instanceof Sandbox)) throw new Error('no sandbox');
      return sandbox;
    };
    const [a, b, c] = [get('a'), get('b'), get('c')];
    const datasets = new GeneratedDatasets((steps) => runInSlices(steps), 100);
    const generate = (sandbox: Sandbox, runs: number, all = [b, c]) =>
      datasets.reseed(sandbox, { users: 1, vals: 1, runs }, { default: a, all, host: sandboxes.host });
    return { a, b, c, generate };
  }

  test('share a limit of records among all sandboxes, and the error names the sandboxes', async () => {
    const { a, b, c, generate } = await makeRoom();
    await generate(a, 58);
    await generate(b, 38);
    const before = c.state();

    await expect(generate(c, 0)).rejects.toMatchObject({
      status: 422,
      message:
        'Generated records: found 2 in addition to 100 in memory; expected at most 100 in sum. They are in a (60), b (40). Close a sandbox, load other seed data into it, or drop its snapshots.',
    });
    expect(c.state()).toEqual(before);

    // The records of the sandbox itself make room.
    await generate(b, 28);
    await generate(c, 8);
    a.reseed('empty');
    await generate(c, 68);
    expect(c.state().runs).toHaveLength(68);
  });

  test('count once for all snapshots that share them', async () => {
    const { a, b, c, generate } = await makeRoom();
    await generate(a, 58);
    a.snapshot('one');
    a.add.user({ username: 'late' });
    a.snapshot('two');
    a.reseed('empty');

    await expect(generate(b, 48)).rejects.toThrow('found 50 in addition to 60 in memory');
    await expect(generate(a, 48)).rejects.toThrow('They are in a (60).');
    a.dropSnapshot('one');
    a.dropSnapshot('two');
    await generate(b, 48);
    await generate(c, 48);
  });

  test('wait for each other', async () => {
    const { a, b, c, generate } = await makeRoom();

    const results = await Promise.allSettled([generate(a, 48), generate(b, 48), generate(c, 48), generate(a, 18)]);

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect([a, b, c].map((sandbox) => sandbox.state().runs.length)).toEqual([18, 48, 0]);
  });

  test('equal a start with the same options, byte by byte', async () => {
    const generate = { users: 6, vals: 40, runs: 500, seed: 7 };
    const emulator = await emulate({});
    await as(emulator).put('/_emulator/seed').send({ generate }).expect(200);
    await using started = await createEmulator({ generate, now: NOW, listen: false });

    expect(dump(emulator)).toBe(dump(started));
    for (const url of ['/_emulator/records/runs?sort=error&limit=50', '/_emulator/records/likes']) {
      expect(await (await emulator.fetch(url)).text()).toBe(await (await started.fetch(url)).text());
    }
  });
});
