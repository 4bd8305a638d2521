import { type TSchema, Type } from 'typebox';
import { Count, Headers, Instant, orNull, StoredText } from '../persistence/stored-values.js';
import type { Fault } from './faults.state.js';

/** A fault as a line of a log has it. */
export const StoredFault = Type.Object({
  id: StoredText,
  ...{
    route: orNull(StoredText),
    method: orNull(StoredText),
    userId: orNull(StoredText),
    match: orNull(Type.Object({})),
  },
  ...{ after: Count, times: orNull(Count), seen: Count, hits: Count, truncate: orNull(Count) },
  rate: Type.Number({ minimum: 0, maximum: 1 }),
  ...{ seed: StoredText, headers: orNull(Headers), body: Type.Optional(Type.Unknown()), reset: Type.Boolean() },
  status: orNull(Type.Integer({ minimum: 100, maximum: 999 })),
  delay: orNull(
    Type.Union([Type.Number({ minimum: 0 }), Type.Array(Type.Number({ minimum: 0 }), { minItems: 2, maxItems: 2 })]),
  ),
  until: Type.Optional(Instant),
} satisfies Record<keyof Fault, TSchema>);
