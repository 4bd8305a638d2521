import { Type } from 'typebox';
import type { AnyDefinition } from '../definition/define.js';
import { getRecordId, getRecords } from '../definition/definitions.js';
import { oneOf } from '../definition/parts.js';
import { StoredFault } from '../faults/faults.persistence.js';
import { StateNames } from '../fixtures/names.js';
import { OUTCOMES } from '../journal/outcomes.js';
import { type Problem, reasonFor } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import { finish, settle } from '../lib/steps.js';
import { LATEST } from '../lib/time.js';
import { describeErrors } from '../schema/schema-errors.js';
import { compile } from '../schema/validator.js';
import { findCallers } from '../state/callers.js';
import { diffSets } from '../state/diff.js';
import type { State } from '../state/state.js';
import type { Line } from './lines.js';
import { Count, Headers, Instant, orNull, StoredText } from './stored-values.js';

// The checksums of a session show that its lines are as they were written, not that an emulator has written them.

const RequestId = Type.String({ pattern: '^r[1-9]\\d{0,14}$', expected: 'the id of a request such as "r17"' });
const Body = Type.Optional(Type.Union([StoredText, Type.Object({ base64: StoredText })]));

const RecordedRequest = Type.Object({
  id: RequestId,
  at: Instant,
  duration: orNull(Type.Number({ minimum: 0 })),
  outcome: Type.Optional(oneOf(...OUTCOMES, null)),
  delay: Type.Optional(Type.Number({ minimum: 0 })),
  ...{ route: orNull(StoredText), method: StoredText, user: orNull(StoredText), fault: orNull(StoredText) },
  ...{ commit: orNull(StoredText), error: orNull(StoredText), path: StoredText },
  hasToken: Type.Boolean(),
  ...{ token: Type.Optional(StoredText), rows: Type.Optional(StoredText) },
  ...{ reason: Type.Optional(orNull(StoredText)), suggestion: Type.Optional(orNull(StoredText)) },
  ...{ headers: Headers, responseHeaders: Type.Optional(Headers), requestBody: Body, responseBody: Body },
  status: Type.Integer({ minimum: 0, maximum: 999 }),
});

const Clock = Type.Union([
  Type.Object({ frozenAt: Instant }),
  Type.Object({ offset: Type.Number({ minimum: -LATEST, maximum: LATEST }) }),
]);
const Settings = Type.Object({
  auth: oneOf('strict', 'lenient'),
  idSeed: StoredText,
  rateLimit: Type.Optional(Type.Object({ limit: Count, window: Type.Number({ minimum: 1 }) })),
});
const Keys = Type.Optional(Type.Array(Type.Array(Type.Union([StoredText, Type.Number(), Type.Boolean()]))));
const Changes = Type.Object(
  {
    set: Type.Optional(
      Type.Object({
        settings: Type.Optional(Settings),
        clock: Type.Optional(Clock),
        faults: Type.Optional(Type.Array(StoredFault)),
        ...{ faultCount: Type.Optional(Count), randomSequence: Type.Optional(Count), nextSerial: Type.Optional(Count) },
        loadedAt: Type.Optional(Instant),
      }),
    ),
    rateLimits: Type.Optional(
      Type.Object({
        put: Type.Optional(Type.Array(Type.Object({ token: StoredText, start: Instant, requests: Count }))),
        delete: Keys,
      }),
    ),
  },
  { additionalProperties: Type.Object({ put: Type.Optional(Type.Array(Type.Object({}))), delete: Keys }) },
);
const CommitId = Type.String({ pattern: '^[rw][1-9]\\d{0,14}$', expected: 'the id of a commit such as "r17" or "w3"' });
const CommitInfo = Type.Object({ id: CommitId, operation: StoredText, at: Instant });

const LINES = {
  header: Type.Object({ session: Type.Optional(Type.Object({ recordedAt: Instant, requests: Count })) }),
  request: Type.Object({ request: RecordedRequest }),
  part: Type.Object({ changes: Changes }),
  seed: Type.Object({
    seed: StoredText,
    info: Type.Object({
      name: StoredText,
      fingerprint: StoredText,
      service: Type.Optional(StoredText),
      loadedAt: Instant,
    }),
    changes: Changes,
  }),
  reset: Type.Object({
    ...{ sandbox: StoredText, seed: StoredText, commits: Count, changes: Changes },
    ...{ requests: Type.Optional(Count), updates: Type.Optional(Count) },
  }),
  commit: Type.Object({ sandbox: StoredText, info: Type.Optional(CommitInfo), changes: Changes }),
  rewind: Type.Object({ sandbox: StoredText, steps: Count }),
  forget: Type.Object({ sandbox: StoredText, commits: Count }),
  snapshot: Type.Object({ sandbox: StoredText, name: Type.String({ minLength: 1 }), at: Instant, commits: Count }),
};
const VALIDATORS = new Map(Object.entries(LINES).map(([type, schema]) => [type, compile(schema, 'strict')]));

/** Checks the values of a line, other than its records. @throws RangeError that names the first wrong one */
export function checkLine(line: Line): void {
  const validate = VALIDATORS.get(line.type);
  if (!validate || validate({ ...line })) return;
  refuse(describeErrors(validate.errors, ''));
}

/**
 * Checks the records that differ between two states, as fixtures are. Costs in proportion to the change.
 * @throws RangeError that names the first wrong one
 */
export function checkRecords(before: State, after: State): void {
  const { byName, sets } = after.definitions;
  const names = new StateNames(after);
  for (const { set, records, changes } of diffSets(before, after, sets)) {
    const definition = byName.get(set.name);
    for (const { record, after: put } of changes) {
      const id = getRecordId(records, record);
      const path = `${set.name} ${formatValue(id)}`;
      if (put && set.validateRecord && !set.validateRecord(put))
        refuse(describeErrors(set.validateRecord.errors, path));
      if (definition) refuse(put ? checkRow(definition, names, put, path) : checkDeleted(definition, after, id, path));
    }
  }
  refuse(checkFaults(after));
}

/** Checks that the faults of a user have one. */
function checkFaults(state: State): Problem[] {
  const callers = findCallers(state)?.records;
  return state.faults.flatMap(({ userId }, i) =>
    userId === null || callers?.get(userId)
      ? []
      : [{ path: `faults[${i}].userId`, message: `there is no user ${formatValue(userId)}` }],
  );
}

function checkRow(definition: AnyDefinition, names: StateNames, record: object, path: string): Problem[] {
  const { validate, display, naming } = definition;
  try {
    naming?.write(names.sets, record);
    display?.(names, record);
    // In a copy, since validation fills in defaults. The written form has no bytes.
    const row: unknown = structuredClone({ ...finish(settle(definition.write(names, record))) });
    if (isObject(row) && validate(row)) return [];
    return describeErrors(validate.errors, path);
  } catch (error) {
    return [{ path, message: reasonFor(error) }];
  }
}

/** Checks that no record refers to one that is gone. */
function checkDeleted({ name }: AnyDefinition, state: State, id: string, path: string): Problem[] {
  const referring = state.definitions.referring.get(name) ?? [];
  const found = referring.find(
    ({ name: from, reference }) => [...reference.find(getRecords(state, from), id)].length > 0,
  );
  return found ? [{ path, message: `deleted, but ${found.name} refer to it.` }] : [];
}

function refuse([first]: readonly Problem[]): void {
  if (first) throw new RangeError(`${first.path}: ${first.message}`);
}
