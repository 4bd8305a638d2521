import { type Static, Type } from 'typebox';
import { type Input, NAME_PATTERN, Name, RECORD_SCHEMAS } from '../fixtures/schema.js';
import { OptionsError, type Problem } from '../lib/errors.js';
import { describeErrors, formatValue, joinPath } from '../lib/messages.js';
import { type Optional, omitUndefined } from '../lib/objects.js';
import { compile } from '../lib/validator.js';

const VALS_PER_USER = 10;
const RUNS_PER_VAL = 20;
const DEFAULT_USERS = 20;

const size = (maximum: number) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum, expected: `a whole number from 0 to ${maximum}` }));

/** A user of the dataset who is named by the caller. Keys that are left out are generated. */
export interface NamedPerson extends Omit<Input<'users'>, 'username'> {
  readonly username: string;
}

/** The keys of a user without their defaults: what is left out is generated. */
const personKeys = Object.entries(RECORD_SCHEMAS.users.properties).map(([key, schema]) => {
  const { default: _, ...others }: object & { default?: unknown } = schema;
  return [key, key === 'username' ? Name : others];
});

const Person = Type.Unsafe<string | NamedPerson>({
  type: ['string', 'object'],
  pattern: NAME_PATTERN,
  properties: Object.fromEntries(personKeys),
  required: ['username'],
  additionalProperties: false,
  expected: 'a username of 1 to 48 letters, digits and _ that begins with a letter, or { "username": "ada", … }',
});

const Company = Type.String({
  pattern: '^(?=.*[A-Za-z0-9])[^"`\\\\$%|\\p{Cc}]{1,60}$',
  expected: 'a name of 1 to 60 characters with a letter or digit, without " ` \\ $ % |',
});

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
      /** Company of the users: in their email addresses, and in some of their bios and readmes. Default: various ones */
      company: Type.Optional(Company),
      /**
       * The first users, in this order: usernames, or objects with the keys of a user in fixtures, such as
       * `{ username: 'ada', email: 'ada@acme.com' }`. What they leave out is generated.
       */
      people: Type.Optional(Type.Unsafe<readonly (string | NamedPerson)[]>(Type.Array(Person))),
    },
    { title: 'GenerateOptions', additionalProperties: false },
  );

const GenerateSchema = makeGenerateSchema({ users: 100_000, vals: 100_000, runs: 100_000_000 });
const isOptions = compile('generate', GenerateSchema, 'strict');

/** Size and seed of a generated dataset. Omitted sizes follow from the others. */
export interface GenerateOptions extends Optional<Static<typeof GenerateSchema>> {}

export type DatasetSize = Readonly<Record<'users' | 'vals' | 'runs' | 'days' | 'seed', number>>;

/** Fills in the omitted sizes. @throws OptionsError */
export function resolveSize(options: unknown): DatasetSize {
  const { size, problems } = parseGenerateOptions(options);
  if (!size) throw new OptionsError(problems);
  return size;
}

interface ParsedOptions {
  readonly size?: DatasetSize;
  readonly people?: GenerateOptions['people'];
  readonly problems: Problem[];
}

/** Validates options at a path of the input. Without problems, there is a size. */
export function parseGenerateOptions(options: unknown, path = ''): ParsedOptions {
  const input = omitUndefined(options);
  if (!isOptions(input)) return { problems: describeErrors(isOptions.errors, path) };
  const { days, seed, people = [] } = input;
  const expectedVals = input.vals || Math.ceil((input.runs ?? 0) / RUNS_PER_VAL);
  const users = input.users ?? Math.max(Math.ceil(expectedVals / VALS_PER_USER) || DEFAULT_USERS, people.length);
  const vals = input.vals ?? users * VALS_PER_USER;
  const runs = input.runs ?? vals * RUNS_PER_VAL;
  const requireOne = (key: string, reason: string) => ({
    problems: [{ path: joinPath(path, key), message: `found 0; expected at least 1, ${reason}.` }],
  });
  if (runs > 0 && vals === 0) return requireOne('vals', `for the ${runs} runs`);
  if (vals > 0 && users === 0) return requireOne('users', `as author of the ${vals} vals`);
  if (people.length > users) {
    const message = `found ${users}; expected at least ${people.length}, the number of people.`;
    return { problems: [{ path: joinPath(path, 'users'), message }] };
  }
  const problems = findRepeated(people, joinPath(path, 'people'));
  if (problems.length > 0) return { problems };
  return { size: { users, vals, runs, days, seed }, people, problems: [] };
}

export const toNamedPerson = (person: string | NamedPerson): NamedPerson =>
  typeof person === 'string' ? { username: person } : person;

/** Finds usernames that occur twice, ignoring case. */
function findRepeated(people: readonly (string | NamedPerson)[], path: string): Problem[] {
  const first = new Map<string, string>();
  return people.flatMap((person, index) => {
    const { username } = toNamedPerson(person);
    const at = joinPath(path, index);
    const taken = first.get(username.toLowerCase());
    if (taken === undefined) first.set(username.toLowerCase(), at);
    const message = `${formatValue(username)} is taken by ${taken}; expected another one.`;
    return taken === undefined ? [] : [{ path: typeof person === 'string' ? at : `${at}.username`, message }];
  });
}
