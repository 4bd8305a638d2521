import { Type } from 'typebox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { key, NOW, nullable, optional, Time, withDefault } from '#engine/definition/parts.js';
import { plainCollection } from '#engine/definition/plain.js';
import type { EngineOptions } from '#engine/http/parse-options.js';
import { defineService, routeOf } from '#engine/service.js';
import { createEngine } from '../../src/create-engine.js';

const loans = plainCollection({
  ...{ name: 'loans', adder: 'loan', title: 'The loans', indexes: ['dueAt'] },
  fields: {
    dueAt: key(Time, 'When it ends'),
    returnedAt: optional(Time, 'When it was returned'),
    lostAt: optional(nullable(Time), 'When it was lost'),
    reminders: optional(Type.Array(Time), 'When the reader was reminded'),
    log: optional(Type.Array(Type.Object({ at: Time, note: Type.String() })), 'What happened'),
    startedAt: withDefault(Time, NOW, 'Default: now'),
    note: optional(Type.String(), 'No time'),
  },
});
const route = routeOf([loans]);
const list = route('GET', '/loans', 'List the loans', {
  ...{ id: 'listLoans', auth: 'optional', response: Type.Array(Type.Any()), errors: [] },
  handle: ({ state }) =>
    [...state.loans].sort((a, b) => (a.dueAt < b.dueAt ? -1 : 1)).map(({ serial: _, ...loan }) => loan),
});
const extend = route('PUT', '/loans/{id}', 'Change when a loan ends', {
  ...{ id: 'extendLoan', auth: 'optional', params: Type.Object({ id: Type.String() }), errors: [] },
  body: Type.Object({ dueAt: Type.String() }),
  handle({ state, params: { id }, body: { dueAt } }) {
    const loan = state.loans.get(id);
    if (loan) state.loans = state.loans.put({ ...loan, dueAt });
  },
});
const FIXTURES = {
  loans: [
    {
      ...{ id: 'l1', dueAt: '-1d', returnedAt: '-2h', lostAt: null, reminders: ['-3d', '+1h'] },
      ...{ log: [{ at: '-90m', note: '-1d' }], note: '-1d' },
    },
    { id: 'l2', dueAt: '2024-06-01T00:00:00+02:00', lostAt: '+1w' },
  ],
};
const library = defineService({
  ...{ name: 'library', collections: [loans], routes: [list, extend], datasets: { default: FIXTURES } },
});
const NOON = '2024-06-11T12:00:00.000Z';
const LOADED = [
  {
    ...{ id: 'l2', dueAt: '2024-05-31T22:00:00.000Z', startedAt: NOON, lostAt: '2024-06-18T12:00:00.000Z' },
  },
  {
    ...{ id: 'l1', dueAt: '2024-06-10T12:00:00.000Z', returnedAt: '2024-06-11T10:00:00.000Z', lostAt: null },
    reminders: ['2024-06-08T12:00:00.000Z', '2024-06-11T13:00:00.000Z'],
    ...{ log: [{ at: '2024-06-11T10:30:00.000Z', note: '-1d' }], note: '-1d', startedAt: NOON },
  },
];

async function start(options: EngineOptions = {}) {
  const engine = await createEngine(library, { listen: false, now: NOON, ...options });
  onTestFinished(() => engine.close());
  const read = async () => JSON.parse(await (await engine.fetch('/loans')).text());
  return { engine, read };
}

test('a time of a fixture is an instant, in responses as in records', async () => {
  const { engine, read } = await start();
  expect(await read()).toEqual(LOADED);
  expect(engine.add.loan({ dueAt: '+1d' })).toMatchObject({ dueAt: '2024-06-12T12:00:00.000Z', startedAt: NOON });
  expect(engine.state().loans[0]?.dueAt).toBe('2024-06-10T12:00:00.000Z');
});

test('a reset counts relative times anew', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(NOON) });
  onTestFinished(() => void vi.useRealTimers());
  const { engine, read } = await start({ now: undefined });
  expect(await read()).toEqual(LOADED);
  vi.setSystemTime(Date.parse('2024-06-12T12:00:00.000Z'));
  engine.reset();
  const [{ dueAt: kept }, { dueAt, reminders, log }] = await read();
  expect({ kept, dueAt, reminders, log }).toEqual({
    ...{ kept: '2024-05-31T22:00:00.000Z', dueAt: '2024-06-11T12:00:00.000Z' },
    reminders: ['2024-06-09T12:00:00.000Z', '2024-06-12T13:00:00.000Z'],
    log: [{ at: '2024-06-12T10:30:00.000Z', note: '-1d' }],
  });
});

test.each([{ relative: true }, { relative: true, brief: true }, { relative: false }, { relative: false, brief: true }])(
  'what an export with %j has is loaded again as the same',
  async (options) => {
    const { engine } = await start();
    const exported = engine.state(options);
    const times = JSON.stringify(exported);
    expect(times.includes('"-1d"') && times.includes('"-1h30m"')).toBe(options.relative);
    const again = await start({ fixtures: exported });
    expect(await again.read()).toEqual(LOADED);
    expect(again.engine.state(options)).toEqual(exported);

    const later = await start({ fixtures: exported, now: '2024-06-12T12:00:00.000Z' });
    const [, { dueAt }] = await later.read();
    expect(dueAt).toBe(options.relative ? '2024-06-11T12:00:00.000Z' : '2024-06-10T12:00:00.000Z');
  },
);

test('a handler puts instants alone, and an error names another time', async () => {
  const errors: unknown[] = [];
  const { engine, read } = await start({ onError: (error) => errors.push(error) });
  const put = (dueAt: string) =>
    engine.fetch('/loans/l1', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ dueAt }),
    });
  expect((await put('2024-06-20T12:00:00.000Z')).status).toBe(204);
  expect((await put('-1d')).status).toBe(500);
  expect(String(errors)).toContain('dueAt: found "-1d"; expected toTimestamp(now), or another instant.');
  expect((await read())[1].dueAt).toBe('2024-06-20T12:00:00.000Z');
});

test('a time that is too far away is an error with its path', async () => {
  const wrong = { loans: [{ id: 'l1', dueAt: '-1d', log: [{ at: '-1000000d', note: '' }], reminders: ['soon'] }] };
  await expect(start({ fixtures: wrong })).rejects.toThrow(/loans\[0\]\.reminders\[0\]: found "soon"/);
  wrong.loans[0]?.reminders.pop();
  await expect(start({ fixtures: wrong })).rejects.toThrow(
    /loans\[0\]\.log\[0\]\.at: found "-1000000d"; expected at most 36525d/,
  );
});
