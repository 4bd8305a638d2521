/**
 * Checks the fixtures that ship. What came of it is written to dist/shipped, where a start finds it, for those that most
 * starts load: it is larger than the fixtures themselves. A part of the build.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { checkFixtures } from '../dist/fixtures/check.js';
import { FixtureError } from '../dist/fixtures/problems.js';
import { readFixtures, shippedFixtures } from '../dist/fixtures/read.js';

const WRITTEN = ['default', 'empty'];
const folder = new URL('../dist/shipped/', import.meta.url);
mkdirSync(folder);
for (const name of shippedFixtures()) {
  const { rows, problems } = checkFixtures(readFixtures(name));
  if (problems.length > 0) throw new FixtureError(problems);
  if (!WRITTEN.includes(name)) continue;
  const records = Object.entries(rows).map(([collection, found]) => [
    collection,
    Array.from(found, (row) => row.record),
  ]);
  writeFileSync(new URL(`${name}.json`, folder), JSON.stringify(Object.fromEntries(records)));
}
