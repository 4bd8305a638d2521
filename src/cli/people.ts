import { readFileSync } from 'node:fs';
import { JsonError } from '../fixtures/json-error.js';
import { parseJson } from '../fixtures/parse-json.js';
import { type GenerateOptions, parseGenerateOptions } from '../generator/options.js';
import { FixtureError, reasonFor } from '../lib/errors.js';
import { failValue } from './command.js';

/**
 * Reads the people of a generated dataset: a JSON array of usernames or users.
 * @throws FixtureError with the path of each error in the file
 */
export function readPeople(path: string): GenerateOptions['people'] {
  const value = readJson(path);
  const { people, problems } = parseGenerateOptions({ people: value });
  if (problems.length === 0) return people;
  const inFile = problems.map(({ path: at, ...problem }) => ({
    path: `${path} ${at.replace(/^people/, '')}`.trim(),
    ...problem,
  }));
  throw new FixtureError(inFile, 'people');
}

function readJson(path: string): unknown {
  try {
    return parseJson(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof JsonError)) return failValue('people', path, `a JSON file (${reasonFor(error)})`);
    const at = `${path} line ${error.line}, column ${error.column}`;
    throw new FixtureError([{ path: at, message: `not valid JSON: ${error.message}` }], 'people');
  }
}
