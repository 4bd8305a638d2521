import { describe, expect, test } from 'vitest';
import { DROPPED, MAX_BODY_LENGTH } from '#engine/journal/bodies.js';
import { beginExchange, type Exchange } from '#engine/journal/exchange.js';
import { JOURNAL_LENGTH, Journal, JournalMemory } from '#engine/journal/journal.js';

const MEGABYTE = 1_048_576;

const make = (properties: Partial<Exchange> = {}): Exchange => ({
  ...beginExchange({ method: 'GET', target: '/v1/me', headers: [] }),
  status: 200,
  ...properties,
});

function fill(journal: Journal, count: number, properties: (index: number) => Partial<Exchange>): void {
  for (let i = 0; i < count; i++) journal.record(make(properties(i)));
}

const numbers = (journal: Journal) => journal.exchanges.map(({ number }) => number);
const listDropped = (journal: Journal, body: 'requestBody' | 'responseBody') =>
  journal.exchanges.filter((exchange) => exchange[body] === DROPPED).map(({ number }) => number);

test('a journal continues the ids of its first exchanges, which may have gaps', () => {
  const journal = new Journal(new JournalMemory(), 'one', 9, [make({ number: 3 }), make({ number: 7 })]);
  journal.record(make());

  expect(numbers(journal)).toEqual([3, 7, 10]);
  expect(journal).toMatchObject({ length: 3, count: 10 });
});

test('an exchange is found by its id in the written form only', () => {
  const journal = new Journal(new JournalMemory(), 'one', 0, [make({ number: 1 })]);

  expect(journal.find('r1')).toMatchObject({ number: 1 });
  for (const id of ['r01', 'x1', '1', 'r1.0', 'r', '', 'r1001']) expect(journal.find(id)).toBeUndefined();
});

test('a journal has the last 1,000 exchanges', () => {
  const journal = new Journal(new JournalMemory(), 'one');
  fill(journal, JOURNAL_LENGTH + 3, () => ({}));

  expect(journal).toMatchObject({ length: JOURNAL_LENGTH, count: JOURNAL_LENGTH + 3 });
  expect(numbers(journal)[0]).toBe(4);
  expect(journal.find('r3')).toBeUndefined();
});

describe('a full journal', () => {
  // A journal has room for eight of them.
  const text = (index: number) => `${index}`.padEnd(MAX_BODY_LENGTH - 500, 'x');

  test('drops the responses of reads first, the oldest first and no more than needed', () => {
    const journal = new Journal(new JournalMemory(), 'one');
    fill(journal, 4, (i) => ({ method: 'POST', responseBody: text(i) }));
    fill(journal, 7, (i) => ({ responseBody: text(i) }));

    expect(listDropped(journal, 'responseBody')).toEqual([5, 6, 7]);
    expect(journal.size).toBeLessThanOrEqual(MEGABYTE);
    expect(journal.size).toBeGreaterThan(MEGABYTE - 2 * MAX_BODY_LENGTH);
  });

  test('drops the responses of writes next, and request bodies and errors last', () => {
    const journal = new Journal(new JournalMemory(), 'one');
    fill(journal, 2, (i) => ({ method: 'POST', requestBody: text(i), responseBody: text(i) }));
    fill(journal, 2, (i) => ({ status: 500, responseBody: text(i) }));
    fill(journal, 3, (i) => ({ responseBody: text(i) }));
    fill(journal, 2, (i) => ({ method: 'POST', requestBody: text(i) }));
    expect(listDropped(journal, 'responseBody')).toEqual([5, 6, 7]);
    expect(listDropped(journal, 'requestBody')).toEqual([]);

    fill(journal, 2, (i) => ({ method: 'POST', requestBody: text(i) }));
    expect(listDropped(journal, 'responseBody')).toEqual([1, 2, 5, 6, 7]);
    fill(journal, 1, (i) => ({ method: 'POST', requestBody: text(i) }));
    expect(listDropped(journal, 'requestBody')).toEqual([1]);
  });

  test('drops the oldest exchanges if paths and headers alone fill it', () => {
    const journal = new Journal(new JournalMemory(), 'one');
    fill(journal, 40, () => ({ headers: ['x-long', 'x'.repeat(16_000)] }));

    expect(journal.length).toBeGreaterThan(30);
    expect(numbers(journal)[0]).toBe(41 - journal.length);
    expect(journal.size).toBeLessThanOrEqual(MEGABYTE);
  });

  test('keeps all bodies of an everyday session', () => {
    const journal = new Journal(new JournalMemory());
    fill(journal, JOURNAL_LENGTH, (i) => ({ target: `/v1/vals/${i}`, responseBody: text(i).slice(0, 20_000) }));

    expect(listDropped(journal, 'responseBody')).toEqual([]);
  });
});

describe('a response body that is equal to the last one of its path', () => {
  const body = 'x'.repeat(10_000);

  test('counts once', () => {
    const journal = new Journal(new JournalMemory(), 'one');
    fill(journal, 1, () => ({ responseBody: body }));
    const first = journal.size;
    fill(journal, 99, () => ({ responseBody: `${body}` }));

    expect(journal.size).toBeLessThan(first + 99 * 100);
    expect(journal.exchanges.every(({ responseBody }) => responseBody === body)).toBe(true);
  });

  test('counts once as bytes', () => {
    const journal = new Journal(new JournalMemory(), 'one');
    fill(journal, 1, () => ({ responseBody: Buffer.from(body) }));
    const first = journal.size;
    fill(journal, 99, () => ({ responseBody: Buffer.from(body) }));

    expect(journal.size).toBeLessThan(first + 99 * 100);
    expect(new Set(journal.exchanges.map(({ responseBody }) => responseBody)).size).toBe(1);
  });

  test('counts as long as one exchange has it', () => {
    const journal = new Journal(new JournalMemory(), 'one');
    fill(journal, 1, () => ({ responseBody: body }));
    fill(journal, 1, () => ({ target: '/', responseBody: '' }));
    const size = () => journal.size;
    fill(journal, 1, () => ({ responseBody: body }));
    const before = size();
    expect(journal.shrink()).toBe(true);

    expect(listDropped(journal, 'responseBody')).toEqual([1, 3]);
    expect(size()).toBeLessThan(before - 19_000);
  });
});

test('beyond the memory of all journals, the least recently used one drops bodies first', () => {
  const memory = new JournalMemory(MEGABYTE);
  const [one, two] = [new Journal(memory), new Journal(memory)];
  const text = (index: number) => ({ responseBody: `${index}`.padEnd(MAX_BODY_LENGTH, 'x') });
  fill(two, 3, text);
  fill(one, 3, text);
  fill(two, 3, text);

  expect(listDropped(one, 'responseBody')).toEqual([1, 2]);
  expect(listDropped(two, 'responseBody')).toEqual([]);
  one.reset();
  fill(two, 1, text);
  expect(listDropped(two, 'responseBody')).toEqual([]);
});

test('the size is the sum of the exchanges after any drops', () => {
  const headers = ['a', 'b'];
  const journal = new Journal(new JournalMemory(), 'one', 0, [
    make({ number: 5, responseBody: 'four', headers }),
    make({ number: 6, responseBody: 'five!' }),
  ]);
  expect(journal.size).toBe(2 * (2 * '/v1/me'.length + 2 + 9));

  journal.clear();
  expect(journal).toMatchObject({ size: 0, length: 0, nextId: 'r7' });
  journal.reset();
  expect(journal.nextId).toBe('r1');
});

test('without memory, a journal counts requests', () => {
  const journal = new Journal(undefined);
  journal.record(make());

  expect(journal).toMatchObject({ length: 0, count: 1, nextId: 'r2' });
  expect(() => journal.read()).toThrow('The emulator has no journal: start it without --no-journal.');
});
