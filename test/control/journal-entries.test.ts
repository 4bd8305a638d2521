import { expect, test } from 'vitest';
import { DROPPED, Journal, type JournalEntry, MAX_BODY_LENGTH, MAX_TOTAL_LENGTH } from '../../src/control/journal.js';

const entry = (id: string, responseBody?: string): JournalEntry => ({
  id,
  at: 0,
  duration: 0,
  route: null,
  method: 'GET',
  path: '/v1/me',
  headers: [],
  user: null,
  status: 200,
  requestBody: undefined,
  responseBody,
  fault: null,
  commit: null,
  error: null,
});

const ids = (journal: Journal) => journal.entries.map(({ id }) => id);

test('a journal goes on after the entries that it begins with, which may have gaps', () => {
  const journal = new Journal(9, [entry('r3'), entry('r7')]);
  journal.record(entry(journal.nextId));

  expect(ids(journal)).toEqual(['r3', 'r7', 'r10']);
  expect(journal).toMatchObject({ length: 3, count: 10 });
});

test('an id is found as it is written', () => {
  const journal = new Journal(0, [entry('r1')]);

  expect(journal.find('r1')).toMatchObject({ id: 'r1' });
  for (const id of ['r01', 'x1', '1', 'r1.0', 'r', '']) expect(journal.find(id)).toBeUndefined();
});

test('the bodies of the oldest entries are dropped first, and no more than needed', () => {
  const journal = new Journal();
  const body = 'x'.repeat(MAX_BODY_LENGTH);
  const fitting = Math.floor(MAX_TOTAL_LENGTH / MAX_BODY_LENGTH) - 1;
  for (let i = 0; i < fitting + 3; i++) journal.record(entry(journal.nextId, body));

  const dropped = journal.entries.map(({ responseBody }) => responseBody === DROPPED);
  expect(dropped).toEqual([true, true, true, ...Array(fitting).fill(false)]);
  expect(journal.size).toBeLessThanOrEqual(MAX_TOTAL_LENGTH);
});

test('the size is that of the entries, whatever became of them', () => {
  const journal = new Journal(0, [entry('r5', 'four'), entry('r6', 'four')]);
  journal.amend(entry('r5'), { status: 500, responseBody: 'eight888', commit: null });
  journal.amend(entry('r1'), { status: 500, responseBody: 'an entry that is not there', commit: null });
  expect(journal.size).toBe(2 * '/v1/me'.length + 12);

  journal.clear();
  expect(journal).toMatchObject({ size: 0, length: 0, nextId: 'r7' });
  journal.reset();
  expect(journal.nextId).toBe('r1');
});
