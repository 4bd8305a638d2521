import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DROPPED } from '#engine/journal/bodies.js';
import { openSession } from '#engine/session/open-session.js';
import type { Outcome } from '#tools/shrink/failure.js';
import { rehearse } from '#tools/shrink/rehearsal.js';
import { replaySteps } from '#tools/shrink/replay.js';
import { NotShrinkableError, Shrinker, type ShrinkOptions } from '#tools/shrink/shrinker.js';
import { vals } from '#vals/service/index.js';
import { createEngine } from '../../../src/create-engine.js';
import { createEmulator, type Emulator, type Fixtures } from '../../../src/index.js';
import { folderOf } from '../../engine/fixtures/loading.js';
import { sized } from '../../support/soak.js';

const TOWN: Fixtures = {
  users: [{ username: 'ada' }, { username: 'grace' }],
  vals: [
    { author: 'ada', name: 'one', code: '1' },
    { author: 'ada', name: 'two', code: '2' },
    { author: 'grace', name: 'three', code: '3' },
  ],
};

type Send = (method: string, path: string, body?: object) => Promise<{ readonly id: string }>;
const headers = { authorization: 'Bearer ada-token', 'content-type': 'application/json' };

/** Records a session, and returns its file. */
async function record(work: (send: Send, emulator: Emulator) => Promise<void>, fixtures = TOWN): Promise<string> {
  await using emulator = await createEmulator({ fixtures, listen: false });
  await work(async (method, path, body) => {
    const response = await emulator.fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    return text === '' ? {} : JSON.parse(text);
  }, emulator);
  const file = join(folderOf({}), 'bug.ndjson');
  writeFileSync(file, emulator.session());
  return file;
}

interface Row {
  readonly name: string;
  readonly privacy: string;
  readonly code: string;
}

/** A command that fails if the vals are wrong, with an error. */
const check =
  (isWrong: (vals: readonly Row[]) => boolean): ShrinkOptions['run'] =>
  async ({ url }) => {
    return isWrong(await readVals(url)) ? failed('Error: wrong vals') : passed;
  };

async function readVals(url: string): Promise<readonly Row[]> {
  const response = await fetch(`${url}/_emulator/state`);
  return JSON.parse(await response.text()).vals;
}

const passed: Outcome = { code: 0, stdout: '', stderr: '' };
const failed = (stderr: string, code = 1): Outcome => ({ code, stdout: '', stderr });

async function shrink(file: string, run: ShrinkOptions['run'], options: Partial<ShrinkOptions> = {}) {
  const shrinker = await Shrinker.open({ service: vals, stored: openSession(file, vals.definitions), run, ...options });
  await shrinker.shrink();
  const found = `${file}.min`;
  writeFileSync(found, [...(shrinker.format() ?? [])].join(''));
  return { shrinker, found };
}

/** Opens a session, and returns its requests and its vals. */
async function open(session: string) {
  const emulator = await createEmulator({ session, listen: false });
  onTestFinished(() => emulator.close());
  return {
    emulator,
    requests: emulator.requests().map(({ request }) => request.body),
    vals: emulator.state().vals.map(({ name }) => name),
  };
}

/** Sends three times `count` requests, of which few matter. */
const workOf = (count: number) => async (send: Send) => {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const { id } = await send('POST', '/v1/vals', { name: `val${i}`, code: `1;\n${i};`, privacy: 'public' });
    ids.push(id);
    await send('GET', '/v1/me');
    await send('PUT', `/v1/vals/${ids[i >> 1]}`, { name: `new${i}`, privacy: 'unlisted' });
  }
};

const work = workOf(20);

describe('finds', () => {
  test('a pair of requests, of which one has an id of an earlier one', async () => {
    const { shrinker, found } = await shrink(
      await record(work),
      check((all) => all.some(({ name }) => name === 'new7') && all.some(({ name }) => name === 'val15')),
    );

    expect(shrinker.steps.map(({ label }) => label.replace(/[0-9a-f-]{36}/, 'ID'))).toEqual([
      'POST /v1/vals',
      'PUT /v1/vals/ID',
      'POST /v1/vals',
    ]);
    expect(shrinker.requests).toEqual({ left: 3, of: 60 });
    expect(shrinker.tries).toBeLessThan(80);
    const { requests, vals: names } = await open(found);
    expect(names).toEqual(['new7', 'val15']);
    expect(requests).toEqual([
      // A val without a name would get another id: the name is drawn before it.
      { name: 'val3', code: '1;' },
      { name: 'new7' },
      { name: 'val15', code: '1;' },
    ]);
  });

  test('a field, and a line of code', async () => {
    const { found } = await shrink(
      await record(async (send) => {
        await send('POST', '/v1/vals', { name: 'a', code: 'one();\ntwo();\nthree();', privacy: 'public' });
      }),
      check((all) => all.some(({ code, privacy }) => code.includes('two') && privacy === 'public')),
    );

    expect((await open(found)).requests).toEqual([{ code: 'two();', privacy: 'public' }]);
  });

  test('the records at the start that it needs', async () => {
    const { shrinker, found } = await shrink(
      await record(async (send) => {
        await send('POST', '/v1/vals', { name: 'four', code: '4' });
      }),
      check((all) => all.some(({ name }) => name === 'three') && all.some(({ name }) => name === 'four')),
    );

    expect(shrinker.requests.left).toBe(1);
    expect((await open(found)).vals).toEqual(['three', 'four']);
  });

  test('what a method has changed', async () => {
    const { shrinker, found } = await shrink(
      await record(async (send, emulator) => {
        await send('GET', '/v1/me');
        emulator.add.val({ author: 'grace', name: 'added', code: '1' });
        await send('POST', '/v1/vals', { name: 'a', code: '1' });
        emulator.fail('GET /v1/me', { status: 503 });
      }),
      async ({ url }) => {
        const { status } = await fetch(`${url}/v1/me`, { headers });
        const isAdded = (await readVals(url)).some(({ name }) => name === 'added');
        return status === 503 && isAdded ? failed('Error: 503') : passed;
      },
    );

    expect(shrinker.steps.map(({ label }) => label)).toEqual(['POST /_emulator/records', 'faults or settings']);
    expect((await open(found)).emulator.faults()).toHaveLength(1);
  });

  test('the same session each time, from any of its files, with any number of jobs', async () => {
    const file = await record(workOf(10));
    const isWrong = check((all) => all.some(({ name }) => name === 'new7') && all.length > 6);
    const first = await shrink(file, isWrong);
    const list = ({ shrinker }: typeof first) => shrinker.steps.map(({ id }) => id);

    expect(list(await shrink(file, isWrong))).toEqual(list(first));
    expect(readFileSync(first.found, 'utf8')).not.toContain('val9');
    const again = await shrink(first.found, isWrong, { jobs: 3 });
    expect(again.shrinker.requests).toEqual({ left: list(first).length, of: list(first).length });
  });

  test('a found session once more, when a request names the id of a record after others were removed', async () => {
    const file = await record(async (send) => {
      await send('POST', '/v1/vals', { name: 'first', code: '1' });
      await send('POST', '/v1/vals', { name: 'between', code: '1' });
      const { id } = await send('POST', '/v1/vals', { name: 'last', code: '1' });
      await send('PUT', `/v1/vals/${id}`, { name: 'renamed' });
    });
    const isWrong = check((all) => ['first', 'renamed'].every((name) => all.some((each) => each.name === name)));
    const { shrinker, found } = await shrink(file, isWrong);
    const again = await shrink(found, isWrong);

    expect(shrinker.requests).toEqual({ left: 3, of: 4 });
    expect(again.shrinker.requests).toEqual({ left: 3, of: 3 });
  });

  test('requests whose history is longer than what a session has', async () => {
    const file = await record(async (send) => {
      for (let i = 0; i < 150; i++) await send('POST', '/v1/vals', { name: `val${i}`, code: '1' });
    });
    const { shrinker } = await shrink(
      file,
      check((all) => all.some(({ name }) => name === 'val3') && all.some(({ name }) => name === 'val140')),
    );

    expect(shrinker.requests).toEqual({ left: 2, of: 150 });
  });

  test('no request whose commit was taken back', async () => {
    const file = await record(async (send, emulator) => {
      await send('POST', '/v1/vals', { name: 'gone', code: '1' });
      emulator.rewind(1);
      await send('POST', '/v1/vals', { name: 'stays', code: '1' });
      await send('POST', '/v1/vals', { name: 'stays2', code: '1' });
    });
    const { shrinker } = await shrink(
      file,
      check((all) => all.some(({ name }) => name === 'stays')),
    );

    expect(shrinker.requests).toEqual({ left: 1, of: 2 });
  });

  test('what is left after a fault has refused a request, whether it is armed or not', async () => {
    const file = await record(async (send, emulator) => {
      emulator.fail('POST /v1/vals', { status: 503, times: 1 });
      await send('POST', '/v1/vals', { name: 'refused', code: '1' });
      await send('POST', '/v1/vals', { name: 'again', code: '1' });
      emulator.fail('POST /v1/vals', { status: 503 });
      await send('POST', '/v1/vals', { name: 'refused2', code: '1' });
      emulator.disarm();
    });
    const isWrong = check((all) => all.some(({ name }) => name === 'again') && all.length === 4);

    expect((await shrink(file, isWrong)).shrinker.requests).toEqual({ left: 1, of: 3 });
    // A command may read the journal.
    const { shrinker, found } = await shrink(file, async ({ url }) => {
      const response = await fetch(`${url}/_emulator/requests`);
      return (await response.text()).includes('"status":503') ? failed('Error: a 503') : passed;
    });
    expect(shrinker.requests).toEqual({ left: 1, of: 3 });
    expect((await open(found)).vals).not.toContain('refused');
  });

  test('no request that was refused for what was taken back since', async () => {
    const file = await record(async (send, emulator) => {
      const { id } = await send('POST', '/v1/vals', { name: 'a', code: '1' });
      await send('DELETE', `/v1/vals/${id}`);
      await send('DELETE', `/v1/vals/${id}`);
      emulator.rewind(1);
    });
    const { shrinker } = await shrink(
      file,
      check((all) => all.some(({ name }) => name === 'a')),
    );

    expect(shrinker.steps.map(({ label }) => label)).toEqual(['POST /v1/vals']);
  });

  test('requests after as many others were taken back by a snapshot as methods have made changes', async () => {
    const file = await record(async (send, emulator) => {
      emulator.add.val({ author: 'grace', name: 'added', code: '1' });
      const name = emulator.snapshot();
      await send('POST', '/v1/vals', { name: 'gone', code: '1' });
      emulator.restore(name);
      await send('POST', '/v1/vals', { name: 'new', code: '1' });
    });
    const { shrinker } = await shrink(
      file,
      check((all) => ['added', 'new'].every((name) => all.some((each) => each.name === name))),
    );

    expect(shrinker.requests).toEqual({ left: 1, of: 1 });
  });

  test('a request that a frozen clock does not tell from a change by a method before it', async () => {
    const file = await record(async (send, emulator) => {
      emulator.clock.freeze();
      emulator.fail('POST /v1/vals', { status: 503, times: 1 });
      emulator.add.val({ author: 'grace', name: 'added', code: '1' });
      await send('POST', '/v1/vals', { name: 'refused', code: '1' });
      await send('POST', '/v1/vals', { name: 'again', code: '1' });
    });
    const { shrinker } = await shrink(
      file,
      check((all) => all.some(({ name }) => name === 'again')),
    );

    expect(shrinker.requests).toEqual({ left: 1, of: 2 });
  });

  test('requests whose bodies the journal has dropped, as what they changed', async () => {
    const file = await record(async (send) => {
      await send('POST', '/v1/blob/a', { text: 'wrong' });
    });
    const stored = openSession(file, vals.definitions);
    const exchanges = stored.exchanges.map((exchange) => ({ ...exchange, requestBody: DROPPED }));
    const run: ShrinkOptions['run'] = async ({ url }) => {
      const response = await fetch(`${url}/v1/blob/a`, { headers });
      return (await response.text()).includes('wrong') ? failed('Error: wrong') : passed;
    };

    const { shrinker } = await shrink(file, run, { stored: { ...stored, exchanges } });
    expect(shrinker.steps.map(({ label }) => label)).toEqual(['POST /v1/blob/{key}']);
  });
});

test('keeps the best session in memory, and no others', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: unknown = runInNewContext('gc');
  const measure = (): number => {
    if (typeof collectGarbage === 'function') collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const file = await record(async (send) => {
    for (let i = 0; i < 40; i++) await send('POST', '/v1/vals', { name: `val${i}`, code: `${i} `.repeat(16_000) });
  });
  const isWrong = check((all) => [0, 9, 18, 27, 36, 39].every((i) => all.some(({ name }) => name === `val${i}`)));
  let first: number | undefined;
  const { shrinker } = await shrink(file, async (emulator) => {
    // Only once: collecting garbage takes longer than a try.
    first ??= measure();
    return isWrong(emulator);
  });

  // A try of all requests has 4 MB. What the shrinker holds is measured while it is in use.
  expect(measure() - (first ?? 0)).toBeLessThan(12_000_000);
  expect(shrinker.requests.left).toBe(6);
});

test('finds requests that fail together, and not without one of them, in random sessions', async () => {
  const operation = fc.record({ kind: fc.constantFrom('add', 'rename', 'drop', 'read'), val: fc.nat(3) });
  const picks = fc.uniqueArray(fc.nat(5), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 12 }), picks, async (operations, places) => {
      const file = await record(async (send) => {
        const ids: string[] = [];
        for (const { kind, val } of operations) {
          if (kind === 'add') ids.push((await send('POST', '/v1/vals', { name: `val${ids.length}`, code: '1' })).id);
          else if (kind === 'rename') await send('PUT', `/v1/vals/${ids[val]}`, { name: `new${val}` });
          else if (kind === 'drop') await send('DELETE', `/v1/vals/${ids[val]}`);
          else await send('GET', '/v1/me');
        }
      });
      const { vals: names } = await open(file);
      const wanted = names.toReversed().filter((_, place) => places.includes(place));
      const isWrong = check((all) => wanted.every((name) => all.some((each) => each.name === name)));
      try {
        const { shrinker, found } = await shrink(file, isWrong);
        const { emulator, requests } = await open(found);
        expect(emulator.state().vals.map(({ name }) => name)).toEqual(expect.arrayContaining(wanted));
        expect(requests).toHaveLength(shrinker.requests.left);
        // All subsets: each of them is a session of its own.
        const smallest = await findSmallestOfAll(found, isWrong);
        expect(smallest).toBe(requests.length);
      } catch (error) {
        if (!(error instanceof NotShrinkableError)) throw error;
      }
    }),
    { numRuns: sized(5, 100) },
  );
});

/** Returns the number of requests in the smallest subset that fails, by a try of each subset. */
async function findSmallestOfAll(session: string, run: ShrinkOptions['run']): Promise<number> {
  let smallest = Number.POSITIVE_INFINITY;
  const { recording } = await rehearse(vals, openSession(session, vals.definitions));
  const { steps } = recording;
  for (let bits = 0; bits < 1 << steps.length; bits++) {
    const kept = steps.filter((_, i) => bits & (1 << i));
    if (kept.length >= smallest) continue;
    await using emulator = await createEngine(vals, { fixtures: TOWN });
    await replaySteps(emulator, kept, new Map());
    if ((await run({ url: emulator.url, token: 'ada-token' })).code !== 0) smallest = kept.length;
  }
  return smallest;
}

describe('says at once', () => {
  const run = (outcomes: readonly Outcome[]) => {
    const left = [...outcomes];
    return async () => left.shift() ?? expect.fail('a further try');
  };
  const message = async (file: string, outcomes: readonly Outcome[], match?: string) => {
    const error: unknown = await shrink(file, run(outcomes), { match }).catch((thrown) => thrown);
    return error instanceof NotShrinkableError ? error.message : error;
  };

  test('that the command never fails, and which requests got other responses', async () => {
    const file = await record(work);

    expect(await message(file, [passed])).toBe(
      'The command does not fail after the whole session (60 requests): exit code 0. All requests got the status that was recorded. Record the session when the command fails, or check that it uses VAL_EMULATOR_URL.',
    );
    const other = await record(async (send, emulator) => {
      emulator.snapshot('start');
      const { id } = await send('POST', '/v1/vals', { name: 'a', code: '1' });
      await send('GET', `/v1/vals/${id}`);
      emulator.restore('start');
    });
    expect(await message(other, [passed])).toEqual(
      expect.stringMatching(
        /1 request got another response than recorded, the first r2 GET \S+: 404 in place of 200\.$/,
      ),
    );
  });

  test('that it ends differently each time', async () => {
    const file = await record(work);

    expect(await message(file, [failed('Error: a'), failed('Error: b')])).toBe(
      'The command ends differently each time, with the same session: exit code 1, "Error: a"; then exit code 1, "Error: b". Make it deterministic, or name what stays the same by --match TEXT.',
    );
    expect(await message(file, [failed('Error: a'), passed])).toContain('then exit code 0.');
    expect(await message(file, [failed('Error: a'), failed('Error: a', 2)])).toContain('then exit code 2');
  });

  test('in the end, that it fails now and then', async () => {
    const file = await record(workOf(6));
    let tries = 0;
    const run: ShrinkOptions['run'] = async ({ url }) => {
      // The fourth try lacks the request that the failure needs.
      const isWrong = ++tries === 4 || (await readVals(url)).some(({ name }) => name === 'val5');
      return isWrong ? failed('Error: a') : passed;
    };
    const error: unknown = await shrink(file, run).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(NotShrinkableError);
    expect(String(error)).toContain('ends differently each time, with the same session: exit code 1, "Error: a"; then');
  });

  test('that it always fails', async () => {
    const file = await record(work);

    expect(await message(file, Array(3).fill(failed('Error: a')))).toBe(
      'The command fails the same without any request: exit code 1, "Error: a". So no request is the cause: look at the data at the start, and at the command itself.',
    );
  });

  test('that it fails without the text', async () => {
    const file = await record(work);

    expect(await message(file, [failed('Error: a')], 'b')).toBe(
      'The command fails otherwise after the whole session: exit code 1, without "b". Check --match.',
    );
  });
});
