import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Problem } from '#engine/lib/errors.js';
import type { CollectionName } from '#vals/service/service.collection.js';

const ajv = new Ajv2020({ strictTypes: true, allErrors: true });
addFormats.default(ajv);
// VS Code knows it.
ajv.addVocabulary(['patternErrorMessage']);

/**
 * Validates a fixture, or the file of a collection, by the JSON Schema of the package. Undefined if it is valid.
 * The validator knows nothing of how the schema was made.
 */
export function verdict(value: unknown, file: CollectionName | 'fixtures' = 'fixtures'): string | undefined {
  const path = new URL(`../../../schema/${file}.schema.json`, import.meta.url).href;
  const validate =
    ajv.getSchema(path) ?? ajv.compile({ ...JSON.parse(readFileSync(new URL(path), 'utf8')), $id: path });
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

/** Problems that need other records, arithmetic of versions and times, or a content. */
const BEYOND_SCHEMA =
  /^(?:line \d+[^:]*: )?SQLITE_|^has a database by |^expected a file of SQLite|^file: |^base64: |^there is no |\bis taken by |occurs twice|the (?:same like|database of the same user or project) as |^lies before |a hundred years\.$|^found \d+; expected (?:more than |\d+, )|^missing; expected the code of the latest version|^expected only with code/;

/** Whether schema and loader agree on a fixture, as far as the schema can know. */
export function agrees(fixtures: unknown, problems: readonly Problem[]): boolean {
  // A schema is about JSON; tests have values that are none.
  if (!isDeepStrictEqual(toJson(fixtures), fixtures)) return true;
  const refuses = verdict(fixtures) !== undefined;
  return refuses ? problems.length > 0 : problems.every(({ message }) => BEYOND_SCHEMA.test(message));
}

function toJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}
