import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// The state after a commit is found in one place, `findMoment`, so that all name the same states.

const SOURCES = join(import.meta.dirname, '../../../src');

/** What finds the state of a commit that was looked up, or of the oldest or newest one. */
const LOOKUPS = [
  /\b(?:find\w*|at|getCommit|pop|shift)\([^()]*(?:\([^()]*\)[^()]*)*\)\??\.(?:before|after)\b/,
  /\b(?:oldest|newest|first|last)\??\.(?:before|after)\b/,
  /\]\??\.(?:before|after)\b/,
  /[=!]== (?:START|'start'|"start")/,
];

const listLookups = (text: string) =>
  text.split('\n').filter((line) => LOOKUPS.some((lookup) => lookup.test(line.trim())));

const findAll = () =>
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => listLookups(readFileSync(join(SOURCES, file), 'utf8')).map((line) => `${file}: ${line.trim()}`));

test.each([
  'const state = store.history.find(id)?.after;',
  'history.list().find(({ id }) => id === of)?.after',
  'const state = getCommit(store, to).after;',
  'history.at(history.length - 1)?.before',
  'const start = history.oldest?.before ?? state;',
  'history.list()[0]?.before',
  "if (at === 'start') return first;",
])('%s finds the state of a commit', (line) => {
  expect(listLookups(line)).toHaveLength(1);
});

test('one function finds the state after a commit', () => {
  const others = findAll().filter((found) => !found.startsWith('engine/store/history.ts: '));

  expect(others.sort()).toEqual([
    // The state that a request found has the counters that reads before it have left.
    'engine/make-test/index.ts: return { state: history[count]?.before ?? state, others: others.map(({ id }) => id) };',
    // Also of commits that are counted from the end.
    'engine/sandbox/history-entries.ts: return at === undefined || at === START ? findMoment(store, at) : momentAfter(store, getCommit(store, at));',
    // Takes back commits, whose states it does not name.
    'engine/store/store.ts: const state = history.at(history.length - steps)?.before ?? contents.state;',
  ]);
});
