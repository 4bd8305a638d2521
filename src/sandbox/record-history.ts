import { exporters } from '../fixtures/export.js';
import { findUserByReference, getUserReference, getValReference } from '../fixtures/references.js';
import { COLLECTION_NAMES, type CollectionName } from '../fixtures/schema.js';
import { NotFoundError } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { findLike, findVersion, getRecordId } from '../model/identity.js';
import type { State } from '../model/state.js';
import { findUserByName } from '../model/users.js';
import { findValByName, getVal } from '../model/vals.js';
import type { RecordChange } from '../store/collection.js';

/** Names of changed records that a commit lists at most. */
const MAX_NAMES = 10;
/** Fields of a val that follow from its code. */
const DERIVED_FIELDS: readonly string[] = ['version', 'nextVersion', 'versionCreatedAt'];

interface Records<R> {
  get(id: string): R | undefined;
  identify(record: R): readonly unknown[];
  diff(earlier: Records<R>): readonly RecordChange<R>[];
}

/** How the records of a collection are found, named and shown in fixture format. */
interface Kind<R> {
  records(state: State): Records<R>;
  /** Default: by the id. */
  find?(state: State, id: string): R | undefined;
  name(state: State, record: R): string;
  show(state: State, record: R): object;
}

const valOf = (state: State, record: { readonly valId: string }): string =>
  getValReference(state, getVal(state, record));

function define<R extends object>({ records, find, name, show }: Kind<R>) {
  const get = find ?? ((state, id) => records(state).get(id));
  function* listNames(before: State, after: State): Generator<string> {
    for (const change of records(after).diff(records(before))) {
      if (isOfChangedVal(change.record, before, after)) continue;
      if (!change.after) yield `- ${name(before, change.record)}`;
      else if (!change.before) yield `+ ${name(after, change.record)}`;
      else {
        const fields = listChangedFields(show(before, change.before), show(after, change.after));
        yield `${name(after, change.after)}: ${fields.join(', ')}`;
      }
    }
  }
  return {
    listNames,
    /** Returns the id of a record that exists. */
    findId(state: State, id: string): string | undefined {
      const record = get(state, id);
      return record && getRecordId(records(state), record);
    },
    /** Returns a record before and after a commit. Undefined if the commit did not touch it. */
    compare(before: State, after: State, id: string) {
      const [old, current] = [get(before, id), get(after, id)];
      if (old === current) return undefined;
      return { before: old ? show(before, old) : null, after: current ? show(after, current) : null };
    },
  };
}

/** Whether a record changed with its val: a version that was added to it, or what was deleted with it. */
const isOfChangedVal = (record: object, before: State, after: State): boolean =>
  'valId' in record &&
  (!after.vals.get(String(record.valId)) ||
    ('code' in record && before.vals.get(String(record.valId)) !== after.vals.get(String(record.valId))));

function listChangedFields(before: object, after: object): string[] {
  const old: Readonly<Record<string, unknown>> = { ...before };
  const changed = Object.entries(after).flatMap(([field, value]) =>
    JSON.stringify(value) === JSON.stringify(old[field]) ? [] : [field],
  );
  const own = changed.filter((field) => !DERIVED_FIELDS.includes(field));
  return own.length > 0 ? own : ['version'];
}

const KINDS = {
  users: define({
    records: (state) => state.users,
    name: (state, { id }) => getUserReference(state, id),
    show(state, user) {
      const { token: _, ...shown } = exporters.user(state, user);
      return shown;
    },
  }),
  vals: define({ records: (state) => state.vals, name: getValReference, show: exporters.val }),
  versions: define({
    records: (state) => state.versions,
    find: findVersion,
    name: (state, version) => `${valOf(state, version)} version ${version.version}`,
    show: exporters.version,
  }),
  runs: define({
    records: (state) => state.runs,
    name: (state, run) => `run of ${valOf(state, run)}`,
    show: exporters.run,
  }),
  likes: define({
    records: (state) => state.likes,
    find: findLike,
    name: (state, like) => `${getUserReference(state, like.userId)} likes ${valOf(state, like)}`,
    show: exporters.like,
  }),
  comments: define({
    records: (state) => state.comments,
    name: (state, comment) => `comment by ${getUserReference(state, comment.authorId)} on ${valOf(state, comment)}`,
    show: exporters.comment,
  }),
};

/** Names what a commit changed, the first ten records: `+ ada/hello`, `ada/hello: code, readme`. */
export function listChangedNames(before: State, after: State): string[] {
  const names: string[] = [];
  for (const collection of ['vals', ...COLLECTION_NAMES.filter((name) => name !== 'vals')] as const) {
    for (const name of KINDS[collection].listNames(before, after)) {
      names.push(name);
      if (names.length === MAX_NAMES) return names;
    }
  }
  return names;
}

/** A record that the history may have. */
export interface RecordReference {
  readonly collection: CollectionName;
  readonly id: string;
}

/**
 * Finds a record in states, the newest first.
 * @param text `vals/<id>`, the same for other collections, `ada/hello` for a val, or `ada` for a user
 * @throws NotFoundError when no state has it
 */
export function findReference(states: readonly State[], text: string): RecordReference {
  const [first = '', second] = text.split(/\/(.*)/s);
  const collection = COLLECTION_NAMES.find((name) => name === first);
  for (const state of states) {
    const found =
      collection && second !== undefined ? KINDS[collection].findId(state, second.toLowerCase()) : undefined;
    if (collection && found !== undefined) return { collection, id: found };
    const user = findUserByReference(state, first) ?? findUserByName(state, first);
    if (user && second === undefined) return { collection: 'users', id: user.id };
    const val = user && second !== undefined ? findValByName(state, user.id, second) : undefined;
    if (val) return { collection: 'vals', id: val.id };
  }
  throw new NotFoundError(
    `There is no record ${formatValue(text)} in the history: use vals/<id>, ada/hello for a val, or ada for a user.`,
  );
}

/** Returns a record before and after a commit, in fixture format. Undefined if the commit did not touch it. */
export const compareRecord = ({ collection, id }: RecordReference, before: State, after: State) =>
  KINDS[collection].compare(before, after, id);
