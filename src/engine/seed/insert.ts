import type { Row, Work } from '../definition/context.js';
import type { AnyDefinition } from '../definition/define.js';
import { getRecordId, getRecords, setRecords } from '../definition/definitions.js';
import { toNoun } from '../definition/nouns.js';
import { FixtureError, type Problem } from '../lib/errors.js';
import type { Steps } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import { type Draft, drawId } from '../state/state.js';
import { RecordBuilder } from './record-builder.js';
import { validateRecord } from './validate.js';

/**
 * Adds a list of records, each of which may refer to the ones before it.
 * @throws FixtureError with all problems of all records; the draft must then be dropped
 */
export function insertAll<I, T>(collection: string, inputs: readonly I[], add: (input: I) => T): T[] {
  const noun = toNoun(collection);
  const problems: Problem[] = [];
  const added: T[] = [];
  for (const [index, input] of inputs.entries()) {
    try {
      added.push(add(input));
    } catch (error) {
      if (!(error instanceof FixtureError)) throw error;
      const path = `${collection}[${index}]`;
      problems.push(...error.problems.map((problem) => ({ ...problem, path: path + problem.path.slice(noun.length) })));
    }
  }
  if (problems.length > 0) throw new FixtureError(problems, collection);
  return added;
}

/** Does what takes time before records are inserted. @returns what has the results */
export function* prepareRecords(
  { validate, prepare }: AnyDefinition,
  inputs: readonly unknown[],
  now: Instant,
  work: Work = { isRequest: true },
): Steps<Work> {
  for (const input of prepare ? inputs : []) {
    const record = validateRecord(input, validate, '', []);
    if (record) yield* prepare?.(record, work, now) ?? [];
  }
  return work;
}

/**
 * Validates a record in fixture format and puts it in a draft.
 * @throws FixtureError with all problems
 */
export function insertRecord(
  draft: Draft,
  definition: AnyDefinition,
  input: unknown,
  now: Instant,
  work: Work = { isRequest: false },
): object {
  const noun = toNoun(definition.name);
  const problems: Problem[] = [];
  const record = validateRecord(input, definition.validate, noun, problems);
  if (!record) throw new FixtureError(problems, noun);
  const builder = new RecordBuilder(draft, work, now, () => drawId(draft));
  const row = { record, path: noun };
  const inserted = definition.insert ? definition.insert(builder, row) : put(builder, definition, row);
  if (inserted === undefined || builder.problems.length > 0) throw new FixtureError(builder.problems, noun);
  return inserted;
}

/** Makes a record and puts it among the others, unless there is one with its identity. */
function put(builder: RecordBuilder, { name, build, twin }: AnyDefinition, row: Row<object>): object | undefined {
  const records = getRecords(builder.sets, name);
  const record = build?.(builder, row, builder.sets.nextSerial);
  if (record && records.get(...records.identify(record))) {
    const id = getRecordId(records, record);
    const { path, value } = twin?.whenAdded?.(row) ?? { path: `${row.path}.id`, value: id };
    return builder.reportTaken(path, value);
  }
  if (record) setRecords(builder.sets, name, records.put(record));
  return record;
}
