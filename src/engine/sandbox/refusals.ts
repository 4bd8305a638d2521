import type { Route } from '../api/route.js';
import type { ApiRouter } from '../api/router.js';
import { findTool } from '../api/tool-route.js';
import type { AnyDefinition } from '../definition/define.js';
import { findRecord, getRecordId, getRecords, listTargets } from '../definition/definitions.js';
import { toNoun } from '../definition/nouns.js';
import { StateNames } from '../fixtures/names.js';
import type { Exchange } from '../journal/exchange.js';
import { ApiError, BodyError, MissingError, RefusalError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { toTimestamp } from '../lib/time.js';
import type { State, StateStore } from '../state/state.js';

/** What the journal says of a refusal that its response leaves out. */
type Noted = Partial<Pick<Exchange, 'reason' | 'suggestion'>>;

interface Sources {
  readonly store: StateStore;
  readonly router: ApiRouter;
  /** Whether the request would change nothing. */
  readonly isReading: boolean;
}

/** Notes in an exchange what the response to an error leaves out. */
export function noteRefusal(exchange: Exchange, thrown: unknown, sources: Sources): void {
  let error = thrown;
  while (error instanceof BodyError && error.cause instanceof ApiError) error = error.cause;
  if (error instanceof MissingError) Object.assign(exchange, explainMissing(error, sources, exchange));
  if (!(error instanceof RefusalError)) return;
  const { reason, suggestion } = error;
  exchange.reason = reason || null;
  exchange.suggestion =
    suggestion === null || typeof suggestion === 'string'
      ? suggestion
      : suggestion[findTool(exchange.route) === undefined ? 'route' : 'tool'];
}

/** Finds a record by its id, or by its name as fixtures have it. */
const find = (state: State, definition: AnyDefinition, reference: string): object | undefined =>
  findRecord(state, definition, reference) ??
  findRecord(state, definition, reference.toLowerCase()) ??
  definition.naming?.find(state, reference);

const describe = (state: State, definition: AnyDefinition, record: object): string =>
  definition.display(new StateNames(state), record);

/** Says of a record that a request did not get whether it is another caller's, was deleted or renamed, is of another kind, or never existed. */
function explainMissing(
  { collection, reference }: MissingError,
  { store: { state, history }, router, isReading }: Sources,
  { user, route, method }: Exchange,
): Noted {
  const definition = state.definitions.byName.get(collection);
  const found = definition && find(state, definition, reference);
  const act = isReading ? 'read' : 'change';
  if (found) {
    const reason = `${describe(state, definition, found)} exists, but ${user ?? 'a request without a token'} may not ${act} it`;
    return { reason, suggestion: `Send the token of a user who may ${act} it` };
  }
  for (const { id, operation, at, before, after } of definition ? history.list(MAX_SEARCHED).reverse() : []) {
    if (!definition) break;
    const records = getRecords(before, collection);
    const old = records === getRecords(after, collection) ? undefined : find(before, definition, reference);
    if (!old) continue;
    const renamed = findRecord(after, definition, getRecordId(records, old));
    const what = renamed ? `became ${describe(after, definition, renamed)}` : 'was deleted';
    return { reason: `${describe(before, definition, old)} ${what} by ${id} ${operation} at ${toTimestamp(at)}` };
  }
  const other = findOther(state, collection, reference, { router, route, method });
  if (other) {
    const suggestion = findTool(route) === undefined ? other.suggestion : null;
    return { reason: `${formatValue(reference)} is the ${other.name}`, suggestion };
  }
  const reason = `there is no ${formatValue(reference)} in ${collection}`;
  const { naming } = definition ?? {};
  const isFew = definition !== undefined && getRecords(state, collection).size <= MAX_COMPARED;
  return { reason, suggestion: (isFew && naming?.suggest(state, reference, []).trim()) || null };
}

/** Commits in which a missing record is looked for, so that a refusal costs little. */
const MAX_SEARCHED = 100;

/** Records whose names are compared with a wrong one. */
const MAX_COMPARED = 1_000;

/** The collection of files, which are parts of records. */
const FILES = 'files';

/** Finds a record of another collection, or a file: its kind and name, and the same request for it, else the request that reads it. */
function findOther(
  state: State,
  collection: string,
  reference: string,
  { router: { routes }, route, method }: Pick<Exchange, 'route' | 'method'> & { readonly router: ApiRouter },
) {
  const getRoute = (name: string) => routes.find((each) => each.finds === name && each.method === 'GET');
  const suggest = (name: string, address: string | undefined): string | null => {
    if (address === undefined) return null;
    const path = getRoute(name)?.path;
    // Not of a part of a record, nor for a part: that would delete more, or less.
    const isWhole = route === `${method} ${getRoute(collection)?.path}` && countSegments(route) === countSegments(path);
    const isSame = method !== 'GET' && isWhole && routes.some((each) => each.method === method && each.path === path);
    return isSame ? `Send ${method} ${address}` : `GET ${address} reads it`;
  };
  for (const definition of state.definitions.all) {
    const record = definition.name === collection ? undefined : find(state, definition, reference);
    if (record) {
      const name = describe(state, definition, record);
      const noun = toNoun(definition.name);
      return {
        name: name.startsWith(`${noun} `) ? name : `${noun} ${name}`,
        suggestion: suggest(definition.name, toAddress(state, definition, record, getRoute)),
      };
    }
    const file = collection === FILES ? undefined : definition.files?.find?.(state, reference);
    if (file) {
      const name = `file ${file.path} of ${describe(state, definition, file.record)}`;
      return { name, suggestion: suggest(FILES, getRoute(FILES)?.path.replace(/\{\w+\}$/, reference)) };
    }
  }
  return undefined;
}

const countSegments = (path = ''): number => path.split('/').length;

/** Makes the path at which a record is read, with its id and the ids that it refers to. Undefined if no route reads it. */
function toAddress(
  state: State,
  definition: AnyDefinition,
  record: object,
  getRoute: (collection: string) => Route | undefined,
): string | undefined {
  const { path } = getRoute(definition.name) ?? {};
  if (path === undefined) return undefined;
  let address = path.replace(/\{\w+\}$/, encodeURIComponent(getRecordId(getRecords(state, definition.name), record)));
  for (const reference of Object.values(definition.references)) {
    for (const to of listTargets(reference)) {
      const start = getRoute(to)?.path;
      const id = reference.id(record);
      if (start !== undefined && id !== undefined && address.startsWith(`${start}/`))
        address = start.replace(/\{\w+\}$/, id) + address.slice(start.length);
    }
  }
  return address;
}
