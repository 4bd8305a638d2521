import { type Static, Type } from 'typebox';
import { OptionsError } from '../lib/errors.js';
import { type Optional, omitUndefined } from '../lib/objects.js';
import { Nullable } from '../schema/common.js';
import { record, strictObject } from '../schema/schema.js';
import { describeErrors } from '../schema/schema-errors.js';
import { compile } from '../schema/validator.js';
import { TEST_RUNNERS } from './test-runners.js';

/** Requests of one test. */
export const MAX_TEST_REQUESTS = 100;

const settings = {
  /** Program that runs the test. @default 'vitest' */
  runner: Type.Enum([...TEST_RUNNERS], { default: 'vitest' }),
  /** Whether long fixtures are in the test, too, and not in a file next to it. @default false */
  inline: Type.Boolean({ default: false, description: 'Also long fixtures in the test' }),
};
export const NewTest = strictObject(
  {
    requests: Type.Optional(
      Type.Unsafe<readonly string[]>(
        Type.Array(Type.String(), {
          minItems: 1,
          maxItems: MAX_TEST_REQUESTS,
          description: '`r3` or `last`. Default: all',
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
