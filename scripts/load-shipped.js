/** Loads the fixtures that ship, so that a mistake in them ends the build, and keeps some as they were loaded. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { checkFixtures } from '../build/fixtures/check.js';
import { loadFixtures } from '../build/fixtures/load.js';
import { readFixtures, shippedFixtures } from '../build/fixtures/read.js';
import { LOADED_ONCE, writeLoaded } from '../build/fixtures/shipped.js';
import { checkOptions } from '../build/options.js';

const folder = new URL('../dist/shipped/', import.meta.url);
mkdirSync(folder);
for (const name of shippedFixtures()) {
  const state = loadFixtures(checkFixtures(readFixtures(name)), checkOptions(), 0);
  if (LOADED_ONCE.includes(name)) writeFileSync(new URL(`${name}.jsonl`, folder), inAscii(writeLoaded(state)));
}

/**
 * JSON in which all other characters are escaped, which is read faster as none of it takes two bytes.
 * @param {string} json
 */
function inAscii(json) {
  return json.replace(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
