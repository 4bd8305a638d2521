import { findRecord, getRecordId, getRecords } from '../definition/definitions.js';
import type { Exchange } from '../journal/exchange.js';
import { BodyError, MissingError, RefusalError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { toTimestamp } from '../lib/time.js';
import { StateNames } from '../seed/names.js';
import type { State, StateStore } from '../state/state.js';

/** Notes in an exchange what the response to an error leaves out. @param isReading whether the request would change nothing */
export function noteRefusal(exchange: Exchange, thrown: unknown, store: StateStore, isReading: boolean): void {
  const error = thrown instanceof BodyError ? (thrown.cause ?? thrown) : thrown;
  if (error instanceof MissingError) Object.assign(exchange, explainMissing(error, store, exchange, isReading));
  if (!(error instanceof RefusalError)) return;
  exchange.reason = error.reason;
  exchange.suggestion = error.suggestion;
}

/** Says of a record that a request did not get whether it is another caller's, was deleted or renamed, or never existed. */
function explainMissing(
  { collection, reference }: MissingError,
  { state, history }: StateStore,
  { user }: Exchange,
  isReading: boolean,
): Partial<Pick<Exchange, 'reason' | 'suggestion'>> {
  const definition = state.definitions.byName.get(collection);
  if (!definition) return {};
  const find = (at: State) =>
    findRecord(at, definition, reference) ??
    findRecord(at, definition, reference.toLowerCase()) ??
    definition.naming?.find(at, reference);
  const describe = (at: State, record: object) => definition.display(new StateNames(at), record);
  const found = find(state);
  const act = isReading ? 'read' : 'change';
  if (found) {
    const reason = `${describe(state, found)} exists, but ${user ?? 'a request without a token'} may not ${act} it`;
    return { reason, suggestion: `Send the token of a user who may ${act} it` };
  }
  for (const { id, operation, at, before, after } of history.toReversed()) {
    const records = getRecords(before, collection);
    const old = records === getRecords(after, collection) ? undefined : find(before);
    if (!old) continue;
    const renamed = findRecord(after, definition, getRecordId(records, old));
    const what = renamed ? `became ${describe(after, renamed)}` : 'was deleted';
    return { reason: `${describe(before, old)} ${what} by ${id} ${operation} at ${toTimestamp(at)}` };
  }
  return { reason: `there is no ${formatValue(reference)} in ${collection}` };
}
