import { describe, expect, onTestFinished, test } from 'vitest';
import { Range } from '#engine/store/collection.js';
import type { Emulator, Fixtures } from '../../../src/index.js';
import { as, createEmulator, emulate, NOW } from '../../support/emulate.js';
import { type Page, parametersOf, readPage, readPages } from '../../support/pages.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const FIRST = '10000000-0000-4000-8000-0000000000A1';
const SECOND = '10000000-0000-4000-8000-0000000000a2';
const FIRST_TRACE = '100000000000400080000000000000a1';
const SECOND_TRACE = '100000000000400080000000000000a2';
const TRACES = '/v1/telemetry/traces';
const LOGS = '/v1/telemetry/logs';

const fixtures: Fixtures = {
  users: [{ username: 'ada' }, { username: 'bob' }],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: '1', type: 'http' },
    { author: 'bob', name: 'fan', code: '1' },
  ],
  runs: [
    {
      ...{
        val: 'ada/hello',
        id: FIRST,
        runStartAt: '2024-06-11T22:00:00.001Z',
        duration: '1500ms',
        source: 'interval',
      },
      logs: ['started', { rows: 2 }, null, 'done'],
    },
    {
      ...{ val: 'ada/hello', id: SECOND, parentId: FIRST, runStartAt: '2024-06-11T22:00:01Z', duration: '100ms' },
      ...{ error: 'No name given', logs: ['second'] },
    },
    { val: 'ada/hello', runStartAt: '2024-06-11T22:00:02Z', runEndAt: null },
    { val: 'bob/fan', runStartAt: '2024-06-11T22:00:03Z', logs: ['of bob'] },
  ],
};

const listNames = ({ data }: Page) => data.map((item) => Object(item).status.message);
const listTexts = (pages: readonly Page[]) =>
  pages.flatMap(({ data }) => data.map((line) => Object(line).body.stringValue));

describe('GET /v1/telemetry/traces', () => {
  test('a trace has what its run has', async () => {
    const emulator = await emulate(fixtures);

    const { data } = await readPage(emulator, 'ada', TRACES);

    expect(data).toHaveLength(3);
    expect(data[0]).toMatchObject({
      ...{ startTimeUnixNano: '1718143202000000000', endTimeUnixNano: '0', status: { message: '', code: 0 } },
    });
    expect(data[1]).toMatchObject({ status: { message: 'No name given', code: 2 } });
    expect(data[2]).toStrictEqual({
      traceId: FIRST_TRACE,
      name: 'hello',
      startTimeUnixNano: '1718143200001000000',
      endTimeUnixNano: '1718143201501000000',
      attributes: [
        { key: 'val.id', value: { stringValue: HELLO } },
        { key: 'val.type', value: { stringValue: 'http' } },
        { key: 'val.version', value: { intValue: '0' } },
        { key: 'run.source', value: { stringValue: 'interval' } },
        { key: 'run.parent_id', value: { stringValue: FIRST.toLowerCase() } },
      ],
      status: { message: '', code: 1 },
    });
  });

  test.each([
    [{ message: 'No network', name: 'TypeError' }, 'No network'],
    [{ reason: 5 }, '{"reason":5}'],
    ['Stopped', 'Stopped'],
  ])('the status of a failed run has the message of %o', async (error, message) => {
    const emulator = await emulate({ ...fixtures, runs: [{ val: 'ada/hello', error }] });

    const { data } = await readPage(emulator, 'ada', TRACES);

    expect(data).toMatchObject([{ status: { message, code: 2 } }]);
  });

  test('the name and the type follow the val', async () => {
    const emulator = await emulate(fixtures);
    await readPage(emulator, 'ada', TRACES);

    await as(emulator, 'ada').put(`/v1/vals/${HELLO}`).send({ name: 'renamed', type: 'script' });

    const { data } = await readPage(emulator, 'ada', `${TRACES}?limit=1`);
    expect(data).toMatchObject([{ name: 'renamed' }]);
    expect(Object(data[0]).attributes[1]).toStrictEqual({ key: 'val.type', value: { stringValue: 'script' } });
  });

  test('by end_time, unfinished runs are left out, and the last one that ended is first', async () => {
    const emulator = await emulate(fixtures);

    const { data } = await readPage(emulator, 'ada', `${TRACES}?order_by=end_time`);

    expect(data.map((trace) => Object(trace).traceId)).toStrictEqual([FIRST_TRACE, SECOND_TRACE]);
    const since = await readPage(emulator, 'ada', `${TRACES}?order_by=end_time&start=2024-06-11T22:00:01.100Z`);
    expect(since.data.map((trace) => Object(trace).traceId)).toStrictEqual([FIRST_TRACE]);
  });

  test('a run that ends is a finished trace from then on', async () => {
    const emulator = await emulate(fixtures);
    const ended = `${TRACES}?order_by=end_time&direction=asc&start=2024-06-11T22:01:00Z`;
    const before = await readPage(emulator, 'ada', ended);
    const [active] = (await readPage(emulator, 'ada', `${TRACES}?limit=1`)).data;
    const id = String(Object(active).traceId).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

    await as(emulator, 'ada').post(`/v1/vals/${HELLO}/evaluations/${id}/cancel`).expect(200, { found: true });

    expect(before).toStrictEqual({ data: [], links: { self: expect.any(String) } });
    const after = await readPage(emulator, 'ada', ended);
    expect(after.data).toMatchObject([{ traceId: Object(active).traceId, status: { code: 1 } }]);
  });

  test('no run is of a file or of a branch', async () => {
    const emulator = await emulate(fixtures);

    for (const path of [TRACES, LOGS]) {
      for (const query of [`file_id=${HELLO}`, `branch_ids=${HELLO}`, `branch_ids=${HELLO}&branch_ids=${SECOND}`]) {
        const page = await readPage(emulator, 'ada', `${path}?${query}`);
        expect([page.data, page.links.next], query).toStrictEqual([[], undefined]);
      }
    }
  });

  test.each([
    ['limit=0', 'querystring/limit must be >= 1'],
    ['direction=up', 'querystring/direction must be equal to one of the allowed values'],
    ['order_by=name', 'querystring/order_by must be equal to one of the allowed values'],
    ['start=yesterday', 'querystring/start must match format "date-time"'],
    ['end=2024-06-11', 'querystring/end must match format "date-time"'],
    ['file_id=1', 'querystring/file_id must match format "uuid"'],
    ['branch_ids=1', 'querystring/branch_ids/0 must match format "uuid"'],
    [`${'branch_ids=4e110000-0000-4000-8000-000000000001&'.repeat(21)}`, 'must NOT have more than 20 items'],
  ])('?%s is a 400', async (query, message) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada').get(`${TRACES}?${query}`);

    expect([response.status, response.body.message]).toStrictEqual([400, expect.stringContaining(message)]);
  });
});

describe('GET /v1/telemetry/logs', () => {
  test('each value that a run logged is a line, by the start of the run', async () => {
    const emulator = await emulate(fixtures);

    const { data } = await readPage(emulator, 'ada', `${LOGS}?direction=asc`);

    expect(data.map((line) => Object(line).body)).toStrictEqual(
      ['started', '{"rows":2}', 'null', 'done', 'second'].map((stringValue) => ({ stringValue })),
    );
    expect(data[0]).toStrictEqual({
      traceId: FIRST_TRACE,
      timeUnixNano: '1718143200001000000',
      body: { stringValue: 'started' },
      severityText: 'stdout',
      attributes: [
        { key: 'val.id', value: { stringValue: HELLO } },
        { key: 'val.type', value: { stringValue: 'http' } },
        { key: 'val.version', value: { intValue: '0' } },
        { key: 'run.source', value: { stringValue: 'interval' } },
        { key: 'run.parent_id', value: { stringValue: FIRST.toLowerCase() } },
      ],
    });
    const latest = await readPage(emulator, 'ada', LOGS);
    expect(listTexts([latest])).toStrictEqual(['second', 'done', 'null', '{"rows":2}', 'started']);
  });

  test('trace_ids selects traces of the caller', async () => {
    const emulator = await emulate(fixtures);
    const [other] = (await readPage(emulator, 'bob', TRACES)).data;
    const ids = [SECOND_TRACE, FIRST_TRACE.toUpperCase(), SECOND_TRACE, Object(other).traceId, 'x'.repeat(32)];

    const page = await readPage(
      emulator,
      'ada',
      `${LOGS}?direction=asc&${ids.map((id) => `trace_ids=${id}`).join('&')}`,
    );

    expect(listTexts([page])).toStrictEqual(['started', '{"rows":2}', 'null', 'done', 'second']);
    expect(listTexts([await readPage(emulator, 'ada', `${LOGS}?trace_ids=${SECOND_TRACE}`)])).toStrictEqual(['second']);
    const before = `${LOGS}?trace_ids=${FIRST_TRACE}&trace_ids=${SECOND_TRACE}&end=2024-06-11T22:00:00.999Z`;
    expect(listTexts([await readPage(emulator, 'ada', `${before}&limit=1`)])).toStrictEqual(['done']);
    expect(parametersOf((await readPage(emulator, 'ada', before)).links.next)).toMatchObject({
      trace_ids: [FIRST_TRACE, SECOND_TRACE],
    });
  });

  test.each([
    ['trace_ids=abc', 'querystring/trace_ids/0 must NOT have fewer than 32 characters'],
    [`trace_ids=${'a'.repeat(33)}`, 'querystring/trace_ids/0 must NOT have more than 32 characters'],
    [`trace_ids=${FIRST_TRACE}&`.repeat(101), 'querystring/trace_ids must NOT have more than 100 items'],
  ])('?%s is a 400', async (query, message) => {
    const emulator = await emulate(fixtures);

    const response = await as(emulator, 'ada').get(`${LOGS}?${query}`);

    expect([response.status, response.body.message]).toStrictEqual([400, message]);
  });
});

/** Five runs of one millisecond, each with two lines, between two others. */
const TIES: Fixtures = {
  ...fixtures,
  runs: ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((error, i) => ({
    ...{ val: 'ada/hello', error, logs: [`${error}1`, `${error}2`], duration: '0ms' },
    runStartAt: `2024-06-11T22:00:00.${i === 0 ? '001' : i === 6 ? '003' : '002'}Z`,
  })),
};

describe('pages', () => {
  const upwards = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const lines = upwards.flatMap((name) => [`${name}1`, `${name}2`]);

  test.each([1, 2, 3, 7, 100])('limit=%i: the links lead through all items in both directions', async (limit) => {
    const emulator = await emulate(TIES);

    for (const order of ['start_time', 'end_time']) {
      for (const direction of ['asc', 'desc']) {
        const query = `?limit=${limit}&direction=${direction}&order_by=${order}`;
        const pages = await readPages(emulator, 'ada', TRACES + query);
        expect(pages.flatMap(listNames)).toStrictEqual(direction === 'asc' ? upwards : upwards.toReversed());
        // The page after the last item is empty, and has no next one.
        expect(pages).toHaveLength(Math.ceil(7 / limit) + 1);
        const texts = listTexts(await readPages(emulator, 'ada', LOGS + query));
        expect(texts).toStrictEqual(direction === 'asc' ? lines : lines.toReversed());
      }
    }
  });

  test('a program that copies only the start of the next page reads all lines', async () => {
    const emulator = await emulate(TIES);
    const found: unknown[] = [];

    let start = '';
    for (;;) {
      const { data, links } = await readPage(emulator, 'ada', `${LOGS}?limit=1&direction=asc${start}`);
      found.push(...listTexts([{ data, links }]));
      if (links.next === undefined) break;
      start = `&start=${new URL(links.next).searchParams.get('start')}`;
    }

    expect(found).toStrictEqual(lines);
  });

  test.each([
    ['asc', 'start', ['a', 'b', 'c', 'g']],
    ['desc', 'end', ['g', 'f', 'e', 'a']],
  ])('a program that drops nanoseconds, %s, misses a part of a millisecond, and ends', async (direction, name, all) => {
    const emulator = await emulate(TIES);
    const found: unknown[] = [];

    let bound = '';
    for (;;) {
      const page = await readPage(emulator, 'ada', `${TRACES}?limit=3&direction=${direction}${bound}`);
      found.push(...listNames(page));
      if (page.links.next === undefined) break;
      bound = `&${name}=${new Date(new URL(page.links.next).searchParams.get(name) ?? '').toISOString()}`;
    }

    expect(found).toStrictEqual(all);
  });

  test('a program that polls gets each new run once, also with a frozen clock', async () => {
    const emulator = await emulate({ ...fixtures, runs: [] });
    const run = (error: string) => emulator.add.run({ val: 'ada/hello', runStartAt: NOW, runEndAt: NOW, error });
    const first = `${TRACES}?direction=asc&order_by=end_time&limit=2&start=2024-06-11T22:05:12.584Z`;
    let next = first;
    const poll = async () => {
      const names: unknown[] = [];
      for (;;) {
        const page = await readPage(emulator, 'ada', next);
        names.push(...listNames(page));
        if (page.links.next === undefined) return names;
        next = page.links.next;
      }
    };

    expect(await poll()).toStrictEqual([]);
    for (const name of ['a', 'b', 'c']) run(name);
    expect(await poll()).toStrictEqual(['a', 'b', 'c']);
    expect(await poll()).toStrictEqual([]);
    run('d');
    expect(await poll()).toStrictEqual(['d']);
  });

  test('start is exclusive, end inclusive, and both may be given', async () => {
    const emulator = await emulate(TIES);
    const list = async (query: string) => listNames(await readPage(emulator, 'ada', `${TRACES}?${query}`)).join('');

    expect(await list('start=2024-06-11T22:00:00.002Z')).toBe('g');
    expect(await list('end=2024-06-11T22:00:00.001Z')).toBe('a');
    expect(await list('start=2024-06-11T22:00:00.001Z&end=2024-06-11T22:00:00.002Z')).toBe('fedcb');
    expect(await list('start=2024-06-12T00:00:00.001%2B02:00&end=2024-06-11T22:00:00.002Z&direction=asc')).toBe(
      'bcdef',
    );
    expect(await list('start=2024-06-11T22:00:00.003Z&end=2024-06-11T22:00:00.001Z')).toBe('');
    // Microseconds are later than all runs of their millisecond.
    expect(await list('start=2024-06-11T22:00:00.002500Z&direction=asc')).toBe('g');
    expect(await list('end=2024-06-11T22:00:00.001500Z')).toBe('a');
  });

  test('a page within a millisecond keeps to the other bound of the window', async () => {
    const emulator = await emulate(TIES);
    const list = async (query: string) => {
      const pages = await readPages(emulator, 'ada', `${TRACES}?limit=2&${query}`);
      return pages.flatMap(listNames).join('');
    };

    expect(await list('direction=asc&end=2024-06-11T22:00:00.002Z')).toBe('abcdef');
    expect(await list('direction=desc&start=2024-06-11T22:00:00.001Z')).toBe('gfedcb');
    expect(await list('direction=asc&start=2024-06-11T22:00:00.002000002Z&end=2024-06-11T22:00:00.001Z')).toBe('');
    expect(await list('direction=desc&end=2024-06-11T22:00:00.001999998Z&start=2024-06-11T22:00:00.002Z')).toBe('');
  });

  test('the first instant has no page before it, and no link leads beyond the calendar', async () => {
    const times = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];
    const emulator = await emulate({
      ...fixtures,
      runs: times.map((runStartAt) => ({ val: 'ada/hello', runStartAt, runEndAt: runStartAt, error: runStartAt })),
    });

    for (const direction of ['asc', 'desc']) {
      const pages = await readPages(emulator, 'ada', `${TRACES}?limit=1&direction=${direction}`);
      expect(pages.flatMap(listNames)).toStrictEqual(direction === 'asc' ? times : times.toReversed());
    }
  });
});

test('a page of many runs reads a part of them', async () => {
  const emulator = await createEmulator({ listen: false, fixtures: MANY, now: NOW });
  onTestFinished(() => emulator.close());
  const get = (path: string) => readData(emulator, path);
  await get(TRACES);
  const pages = Range.prototype.page;
  let read = 0;
  onTestFinished(() => void Object.assign(Range.prototype, { page: pages }));
  Object.assign(Range.prototype, {
    page(this: Range<unknown>, offset: number, limit: number) {
      const entries = pages.call(this, offset, limit);
      read += entries.length;
      return entries;
    },
  });

  for (const direction of ['asc', 'desc']) {
    const middle = direction === 'asc' ? 'start=2024-06-11T21:00:00.000005000Z' : 'end=2024-06-11T20:59:59.999995000Z';
    for (const query of ['', `&${middle}`, '&order_by=end_time', `&${middle}&order_by=end_time`]) {
      expect(await get(`${TRACES}?limit=5&direction=${direction}${query}`), query).toHaveLength(5);
    }
    expect(await get(`${LOGS}?limit=5&direction=${direction}`)).toHaveLength(5);
  }
  // In batches.
  expect(read).toBeGreaterThan(50);
  expect(read).toBeLessThan(10 * 4 * 128);
});

/** Ten thousand runs of one millisecond, of which the first five and the last five logged something. */
const MANY: Fixtures = {
  ...fixtures,
  runs: Array.from({ length: 10_000 }, (_, i) => ({
    ...{ val: 'ada/hello', runStartAt: '2024-06-11T21:00:00Z', runEndAt: '2024-06-11T21:00:00Z' },
    ...(i < 5 || i >= 9_995 ? { logs: ['a'] } : {}),
  })),
};

async function readData(emulator: Emulator, path: string): Promise<unknown[]> {
  const response = await emulator.fetch(path, { headers: { authorization: 'Bearer ada-token' } });
  expect(response.status).toBe(200);
  return Object(await response.json()).data;
}
