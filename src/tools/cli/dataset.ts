import { readJson } from '#engine/fixtures/read-json.js';
import { formatValue } from '#engine/lib/messages.js';
import { datasets } from '#vals/lib/datasets.collection.js';
import { FIXTURES_TEXT, GENERATE_TEXT } from '#vals/service/texts.js';
import { fail, flag, parseNumber } from './command.js';

/** The argument that takes the place of `--fixtures`. */
export const fixturesArgument = {
  type: 'string',
  describe: `${FIXTURES_TEXT}: ${datasets.names.join(', ')}`,
} as const;

/** The flag of generated data, whose settings the emulator checks. */
export const generateFlag = {
  ...flag(GENERATE_TEXT),
  requiresArg: false,
  coerce: (text: string): object => parseDataset(text === '' ? [] : [text], '--generate'),
} as const;

const readFile = (path: string): unknown => readJson(path, path);

/**
 * Parses the settings of generated data: `users=50,seed=42`, `company=Acme`.
 * @param label what the words are the value of
 * @param readPeople reads the file that `people` names. Default: any JSON
 */
export function parseDataset(words: readonly string[], label: string, readPeople = readFile): Record<string, unknown> {
  const dataset: Record<string, unknown> = {};
  // The name of a company may have commas.
  for (const pair of words.flatMap((word) => word.split(/,(?=\s*\w+=|\s*$)/))) {
    const [, name, value] = /^(\w+)=(.+)$/.exec(pair.trim()) ?? [];
    if (name === undefined || value === undefined) {
      return fail(`${label}: found ${formatValue(words.join(' '))}; expected settings such as users=50,seed=42.`);
    }
    if (Object.hasOwn(dataset, name)) fail(`${label} ${name}: given twice; give it once.`);
    dataset[name] = name === 'people' ? readPeople(value) : name === 'company' ? value : parseNumber(value);
  }
  return dataset;
}
