import { Type } from 'typebox';
import { EARLIEST, LATEST } from '../lib/time.js';
import { mapOf } from '../schema/schema.js';

// Values of the lines of a log.

export const Instant = Type.Number({ minimum: EARLIEST, maximum: LATEST, expected: 'milliseconds since 1970' });
export const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, expected: 'a whole number' });
export const StoredText = Type.String();
export const orNull = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) => Type.Union([schema, Type.Null()]);
export const Headers = mapOf(StoredText);
