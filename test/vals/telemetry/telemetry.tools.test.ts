import { expect, test } from 'vitest';
import type { Fixtures } from '../../../src/index.js';
import { emulate } from '../../support/emulate.js';
import { connect } from '../service/tools/agent.js';

const HELLO = '4e110000-0000-4000-8000-000000000001';
const FIRST = '10000000-0000-4000-8000-0000000000a1';
const FIRST_TRACE = '100000000000400080000000000000a1';
const LATE = '10000000-0000-4000-8000-0000000000a3';

/** The time of the emulator is 22:05:12.585. */
const AT = '2024-06-11T22:';

const fixtures: Fixtures = {
  users: [{ username: 'ada' }, { username: 'eve' }],
  vals: [
    { author: 'ada', name: 'hello', id: HELLO, code: '1', type: 'http' },
    { author: 'ada', name: 'other', code: '1' },
  ],
  runs: [
    { val: 'ada/hello', runStartAt: '2024-06-11T20:00:00Z', logs: ['long ago'] },
    { val: 'ada/hello', id: FIRST, runStartAt: `${AT}00:00Z`, duration: '1500ms', logs: ['a', { b: 1 }, 'c'] },
    { val: 'ada/hello', runStartAt: `${AT}01:00Z`, error: 'No name given' },
    { val: 'ada/hello', id: LATE, runStartAt: `${AT}02:00Z`, runEndAt: null, logs: ['d'] },
    { val: 'ada/other', runStartAt: `${AT}03:00Z`, logs: ['of another val'] },
  ],
  projects: [{ owner: 'ada', name: 'site', privacy: 'private', files: { 'src/main.ts': '1' } }],
};

const bodies = ({ logs }: Record<string, unknown>) => (Array.isArray(logs) ? logs.map(({ body }) => body) : logs);

test('logs are of the runs of a val, in a window of an hour', async () => {
  const { call } = connect(await emulate(fixtures));
  expect(await call('get_logs', { fileId: HELLO })).toEqual({
    fileId: HELLO,
    timeWindow: { start: `2024-06-11T21:05:12.585Z`, end: `${AT}05:12.585Z` },
    ...{ count: 4, truncated: false },
    logs: [
      { timestamp: `${AT}02:00.000Z`, level: 'log', body: 'd', traceId: LATE.replaceAll('-', '') },
      { timestamp: `${AT}00:00.000Z`, level: 'log', body: 'c', traceId: FIRST_TRACE },
      { timestamp: `${AT}00:00.000Z`, level: 'log', body: '{"b":1}', traceId: FIRST_TRACE },
      { timestamp: `${AT}00:00.000Z`, level: 'log', body: 'a', traceId: FIRST_TRACE },
    ],
  });
  expect(bodies(await call('get_logs', { fileId: HELLO, traceIds: [FIRST_TRACE] }))).toEqual(['c', '{"b":1}', 'a']);
  expect(bodies(await call('get_logs', { fileId: HELLO, start: `${AT}01:00Z` }))).toEqual(['d']);
  expect(bodies(await call('get_logs', { fileId: HELLO, end: '2024-06-11T20:30:00Z' }))).toEqual(['long ago']);
});

test('a truncated list says where the next one begins', async () => {
  const { call } = connect(await emulate(fixtures));
  const pages: unknown[] = [];
  let end: unknown;
  do {
    const page = await call('get_logs', { fileId: HELLO, limit: 1, ...(end !== undefined && { end }) });
    pages.push(bodies(page));
    expect(page.truncated).toBe(page.next_end !== undefined);
    end = page.next_end;
  } while (end !== undefined && pages.length < 10);
  expect(pages).toEqual([['d'], ['c'], ['{"b":1}'], ['a']]);
});

test('traces are the runs of a val, newest first', async () => {
  const { call } = connect(await emulate(fixtures));
  const { traces, ...rest } = await call('get_traces', { fileId: HELLO });
  expect(rest).toMatchObject({ fileId: HELLO, fileName: 'hello', count: 3, truncated: false });
  expect(traces).toEqual([
    {
      traceId: LATE.replaceAll('-', ''),
      name: 'hello',
      startTime: `${AT}02:00.000Z`,
      status: 'unset',
      valType: 'http',
    },
    expect.objectContaining({ startTime: `${AT}01:00.000Z`, durationMs: 100, status: 'error', error: 'No name given' }),
    {
      ...{ traceId: FIRST_TRACE, name: 'hello', startTime: `${AT}00:00.000Z`, endTime: `${AT}00:01.500Z` },
      ...{ durationMs: 1500, status: 'ok', valType: 'http' },
    },
  ]);
  expect(await call('get_traces', { fileId: HELLO, limit: 2 })).toMatchObject({ count: 2, truncated: true });
});

test('a file of a project has no runs, and the runs of others are not found', async () => {
  const emulator = await emulate(fixtures);
  const { call, fail } = connect(emulator);
  const { files } = await call('list_files', { val: 'ada/site', path: 'src' });
  const [file] = Array.isArray(files) ? files : [];
  expect(await call('get_traces', { fileId: file.id })).toMatchObject({
    fileName: 'src/main.ts',
    count: 0,
    traces: [],
  });
  expect(await call('get_logs', { fileId: file.id })).toMatchObject({ count: 0, truncated: false, logs: [] });
  const eve = connect(emulator, 'eve-token');
  for (const name of ['get_logs', 'get_traces']) {
    expect(await eve.fail(name, { fileId: HELLO })).toBe('File not found');
    expect(await eve.fail(name, { fileId: file.id })).toBe('File not found');
    expect(await fail(name, { fileId: HELLO, start: 'today' })).toContain('start: found "today"; expected a time');
    expect(await fail(name, { fileId: HELLO, end: '0' })).toContain('end: found "0"; expected a time');
    expect(await call(name, { fileId: HELLO, end: '0000-01-01T00:00:00Z' })).toMatchObject({ count: 0 });
  }
});
