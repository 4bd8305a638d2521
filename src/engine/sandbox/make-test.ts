import { type Static, Type } from 'typebox';
import { Nullable } from '../api/schemas/common.js';
import { OptionsError } from '../lib/errors.js';
import { type Optional, omitUndefined } from '../lib/objects.js';
import { record, strictObject } from '../lib/schema.js';
import { describeErrors } from '../lib/schema-errors.js';
import { compile } from '../lib/validator.js';
import { TEST_RUNNERS } from './test-runners.js';

/** Requests of one test. */
export const MAX_TEST_REQUESTS = 100;

const settings = {
  /** Program that runs the test. @default 'vitest' */
  runner: Type.Enum([...TEST_RUNNERS], { default: 'vitest' }),
  /** Name of its file, by which a file next to it is named. Default: `requests.test.ts`, or as the runner expects */
  file: Type.Optional(
    Type.String({
      pattern: '^[\\w. -]{1,100}$',
      expected: 'a file name without a folder, of A–Z a–z 0–9 . _ - and spaces',
      description: 'Name of its file',
    }),
  ),
  /** Whether long fixtures are in the test, too, and not in a file next to it. @default false */
  inline: Type.Boolean({ default: false, description: 'Put long fixtures into the test, too, not into a file' }),
};
export const NewTest = strictObject(
  {
    requests: Type.Optional(
      Type.Unsafe<readonly string[]>(
        Type.Array(Type.String(), {
          minItems: 1,
          maxItems: MAX_TEST_REQUESTS,
          description: 'Such as `r3` or `last`. Default: all',
        }),
      ),
    ),
    ...settings,
  },
  { title: 'NewTest', default: {} },
);
export interface NewTest extends Static<typeof NewTest> {}

const Settings = strictObject(settings);
/** How a test is written. */
export interface MakeTestOptions extends Optional<Static<typeof Settings>> {}

const isNewTest = compile(NewTest, 'strict');

/** @throws OptionsError for an unknown option or a wrong value */
export function parseNewTest(options: object): NewTest {
  const input = omitUndefined(options);
  if (!isNewTest(input)) throw new OptionsError(describeErrors(isNewTest.errors, ''));
  return input;
}

const writtenTest = record('WrittenTest', {
  file: Type.String({ description: 'Name of its file' }),
  code: Type.String(),
  fixtures: Nullable(
    record('TestFixtures', {
      file: Type.String({ description: 'Name of a file next to the test' }),
      text: Type.String(),
    }),
  ),
  notes: Type.Array(Type.String(), { description: 'Why it expects less than was recorded' }),
});
/** A test of recorded requests. */
export interface WrittenTest extends Static<typeof writtenTest> {}
export const WrittenTest = Type.Unsafe<WrittenTest>(writtenTest);
