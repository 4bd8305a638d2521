import { type Static, Type } from 'typebox';
import { OptionsError, type Problem } from '../lib/errors.js';
import { describeErrors, joinPath } from '../lib/messages.js';
import { type Optional, omitUndefined } from '../lib/objects.js';
import { compile } from '../lib/validator.js';

const VALS_PER_USER = 10;
const RUNS_PER_VAL = 20;
const DEFAULT_USERS = 20;

const size = (maximum: number) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum, expected: `a whole number from 0 to ${maximum}` }));

/** Creates the schema of {@link GenerateOptions}, with these maximum sizes. */
export const makeGenerateSchema = (max: Record<'users' | 'vals' | 'runs', number>) =>
  Type.Object(
    {
      /** Number of users, 0 to 100,000. @default one per ten vals, else 20 */
      users: size(max.users),
      /** Number of vals, 0 to 100,000. @default ten per user */
      vals: size(max.vals),
      /** Number of runs, 0 to 100,000,000. @default twenty per val */
      runs: size(max.runs),
      /**
       * Number of days before now over which the runs are spread, 1 to 3650. Users, vals, likes and comments can
       * be 300 days older.
       * @default 30
       */
      days: Type.Integer({ minimum: 1, maximum: 3650, default: 30, expected: 'a whole number of days from 1 to 3650' }),
      /** Seed, a whole number from 0. Another seed gives another dataset of the same size. @default 1 */
      seed: Type.Integer({ minimum: 0, default: 1, expected: 'a whole number from 0' }),
    },
    { title: 'GenerateOptions', additionalProperties: false },
  );

const GenerateSchema = makeGenerateSchema({ users: 100_000, vals: 100_000, runs: 100_000_000 });
const isOptions = compile('generate', GenerateSchema, 'strict');

/** Size and seed of a generated dataset. Omitted sizes follow from the others. */
export interface GenerateOptions extends Optional<Static<typeof GenerateSchema>> {}

export type DatasetSize = Readonly<Required<Static<typeof GenerateSchema>>>;

/** Fills in the omitted sizes. @throws OptionsError */
export function resolveSize(options: unknown): DatasetSize {
  const { size, problems } = parseGenerateOptions(options);
  if (!size) throw new OptionsError(problems);
  return size;
}

/** Validates options at a path of the input. Without problems, there is a size. */
export function parseGenerateOptions(options: unknown, path = ''): { size?: DatasetSize; problems: Problem[] } {
  const input = omitUndefined(options);
  if (!isOptions(input)) return { problems: describeErrors(isOptions.errors, path) };
  const { days, seed } = input;
  const expectedVals = input.vals || Math.ceil((input.runs ?? 0) / RUNS_PER_VAL);
  const users = input.users ?? (Math.ceil(expectedVals / VALS_PER_USER) || DEFAULT_USERS);
  const vals = input.vals ?? users * VALS_PER_USER;
  const runs = input.runs ?? vals * RUNS_PER_VAL;
  const requireOne = (key: string, reason: string) => ({
    problems: [{ path: joinPath(path, key), message: `found 0; expected at least 1, ${reason}.` }],
  });
  if (runs > 0 && vals === 0) return requireOne('vals', `for the ${runs} runs`);
  if (vals > 0 && users === 0) return requireOne('users', `as author of the ${vals} vals`);
  return { size: { users, vals, runs, days, seed }, problems: [] };
}
