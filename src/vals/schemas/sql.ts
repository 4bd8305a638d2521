import { Type } from 'typebox';
import { mapOf } from '#engine/lib/schema.js';
import type { SqlInput } from '../sqlite/values.js';
import { API_LIMITS } from './limits.js';

/** Without a type at its top, since coercion would make null of 0. */
const Argument = Type.Unsafe<SqlInput>({
  description: 'Null, a string, a number, a boolean, or the bytes of a blob as a list of integers from 0 to 255',
  not: { type: 'object' },
});

/** The arguments of a statement: by position, or by name. */
export const Arguments = Type.Union([
  Type.Array(Argument, { maxItems: API_LIMITS.sqlArguments }),
  mapOf(Argument, { maxProperties: API_LIMITS.sqlArguments }),
]);

export const Sql = Type.String({ maxLength: API_LIMITS.sql, description: 'One statement' });
