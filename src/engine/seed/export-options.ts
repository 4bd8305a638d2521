import { type Static, Type } from 'typebox';
import type { Fields } from '../definition/context.js';
import { listTimes, mapCollections } from '../definition/definitions.js';
import { OptionsError } from '../lib/errors.js';
import { type Optional, omitUndefined } from '../lib/objects.js';
import { strictObject } from '../lib/schema.js';
import { describeErrors } from '../lib/schema-errors.js';
import { finish, type Steps, settle, type TextSteps } from '../lib/steps.js';
import type { Instant } from '../lib/time.js';
import { compile } from '../lib/validator.js';
import type { State } from '../state/state.js';
import { exportInSteps, mapRows } from './export.js';
import { BriefWriter, toRelative } from './rows.js';
import { writeInSteps } from './write.js';

const flag = (value: boolean, description: string) => Type.Boolean({ default: value, description });

export const ExportSchema = strictObject({
  /** Whether users have their tokens. @default true */
  tokens: flag(true, 'Include the tokens of the users'),
  /** Whether secrets that are withheld by default are included: null stands for each without. @default false */
  secrets: flag(false, 'Include secret values, which are null otherwise'),
  /** Whether times are relative to the current time of the clock: `-10m`. @default false */
  relative: flag(false, 'Write times relative to the current time of the clock: `-10m`'),
  /** Whether to omit keys that equal their defaults. @default false */
  brief: flag(false, 'Leave out keys that equal their defaults'),
});
const isOptions = compile(ExportSchema, 'strict');

/** How records are exported. */
export interface ExportOptions extends Optional<Static<typeof ExportSchema>> {}

/**
 * Exports the records of a state in the form that the options ask for.
 * @param now the time from which relative times count
 * @throws OptionsError for an unknown option or a wrong value
 */
export function exportFixtures<T extends object>(state: State, now: Instant, options: ExportOptions): T {
  const rows = finish(selectRows(state, now, options));
  return mapCollections<T>(state.definitions.all, ({ name }) =>
    Array.from(rows[name] ?? [], (row) => finish(settle(row))),
  );
}

/**
 * Writes the records of a state as one fixture file, in steps.
 * @param schema address of the schema, for editors. Default: none
 * @throws OptionsError as {@link exportFixtures} does
 */
export function* writeState(state: State, now: Instant, options: ExportOptions, schema?: string): TextSteps {
  yield* writeInSteps(yield* selectRows(state, now, options), schema, state.definitions.names);
}

type Rows = Record<string, Iterable<object | Steps<object>>>;

function* selectRows(state: State, now: Instant, options: ExportOptions): Steps<Rows> {
  const input = omitUndefined(options);
  if (!isOptions(input)) throw new OptionsError(describeErrors(isOptions.errors, ''));
  const { tokens, secrets: withSecrets, relative, brief } = input;
  const written: Rows = brief
    ? yield* new BriefWriter(state, now, relative).write()
    : yield* exportInSteps(state, withSecrets);
  const rows: Rows = {};
  for (const { name, schema, secrets = [], withheld = [] } of state.definitions.all) {
    rows[name] = written[name] ?? [];
    // Null is their default.
    if (brief && !withSecrets && withheld.length > 0) rows[name] = mapRows(rows[name], (row) => omit(row, withheld));
    const times = listTimes(schema);
    if (relative && !brief) rows[name] = mapRows(rows[name], (row) => toRelative(row, times, now));
    if (!tokens && secrets.length > 0) rows[name] = mapRows(rows[name], (row) => omit(row, secrets));
  }
  return rows;
}

const omit = (row: Fields, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(row).filter(([key]) => !keys.includes(key)));
