import { readFileSync } from 'node:fs';
import { parseText } from '../fixtures/read.js';
import { type GenerateOptions, parseGenerateOptions } from '../generator/options.js';
import { FixtureError, reasonFor } from '../lib/errors.js';
import { failValue } from './command.js';

/**
 * Reads the people of a generated dataset: a JSON array of usernames or users.
 * @throws FixtureError with the path of each error in the file
 */
export function readPeople(path: string): GenerateOptions['people'] {
  const value = parseText(readText(path), path, 'people');
  const { people, problems } = parseGenerateOptions({ people: value });
  if (problems.length === 0) return people;
  const inFile = problems.map(({ path: at, ...problem }) => ({
    path: `${path} ${at.replace(/^people/, '')}`.trim(),
    ...problem,
  }));
  throw new FixtureError(inFile, 'people');
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return failValue('people', path, `a JSON file (${reasonFor(error)})`);
  }
}
