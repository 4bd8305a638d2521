import { type TSchema, Type } from 'typebox';
import { mapOf } from '#engine/schema/schema.js';
import { API_LIMITS } from '#vals/lib/limits.schema.js';
import type { SqlInput } from './values.js';

/** Without a type at its top, since coercion would make null of 0. */
const Argument = Type.Unsafe<SqlInput>({
  description: 'Null, a string, a number, a boolean, or the bytes of a blob as a list of integers from 0 to 255',
  not: { type: 'object' },
});

const argumentsOf = <T extends TSchema>(argument: T) =>
  Type.Union([
    Type.Array(argument, { maxItems: API_LIMITS.sqlArguments }),
    mapOf(argument, { maxProperties: API_LIMITS.sqlArguments }),
  ]);

/** The arguments of a statement: by position, or by name. */
export const Arguments = argumentsOf(Argument);

/** Those that also have integers, which JSON does not tell from floats. */
export const ArgumentsWithIntegers = argumentsOf(
  Type.Union([
    Argument,
    Type.Object(
      { type: Type.Literal('integer'), value: Type.String({ pattern: '^-?\\d{1,19}$' }) },
      { title: 'SqlInteger', description: 'An integer of 64 bits' },
    ),
  ]),
);

export const Sql = Type.String({ maxLength: API_LIMITS.sql, description: 'One statement' });
