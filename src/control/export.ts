import { type Static, Type } from 'typebox';
import { writeState } from '../fixtures/export-options.js';
import { OptionsError, type Problem } from '../lib/errors.js';
import { formatValue } from '../lib/messages.js';
import { strictObject } from '../lib/schema.js';
import { findBlob, findLike, findVersion } from '../model/identity.js';
import type { Comment, Like, Run, User, Val, Version } from '../model/schema.js';
import { collections } from '../model/schema.js';
import type { State } from '../model/state.js';
import type { Email, StoredBlob, StoredDatabase } from '../model/user-data.js';
import { getUser } from '../model/users.js';
import { getVal } from '../model/vals.js';
import { At, getStateAt } from '../sandbox/history.js';
import { controlRoute } from './route.js';
import { ExportedRecords } from './state.js';

/** Ids of a collection: others wait while their records are collected. */
export const MAX_SELECTED = 10_000;

const Ids = (what: string) =>
  Type.Array(Type.String(), {
    default: [],
    maxItems: MAX_SELECTED,
    expected: `a list of at most ${MAX_SELECTED} ids; GET /_emulator/state exports all records`,
    description: `Ids of ${what}, at most 10,000`,
  });

const Selection = strictObject(
  {
    users: Ids('users'),
    vals: Ids('vals'),
    versions: Ids('versions, as in a list of records'),
    runs: Ids('runs'),
    likes: Ids('likes, as in a list of records'),
    comments: Ids('comments'),
    emails: Ids('emails'),
    blobs: Ids('blobs, as in a list of records'),
    sqlite: Ids('databases, which are the ids of their users'),
    at: At,
  },
  { title: 'Selection' },
);

/**
 * Makes a state of the selected records and those that they refer to: authors, vals with their latest versions, versions
 * and parents of runs.
 * @throws OptionsError for unknown ids; at most 20 are listed
 */
function selectRecords(state: State, ids: Omit<Static<typeof Selection>, 'at'>): State {
  const selected = new RecordSelection(state);
  const problems: Problem[] = [];
  const select = <R>(name: keyof typeof ids, find: (id: string) => R | undefined, add: (record: R) => void) => {
    for (const [i, id] of ids[name].entries()) {
      const record = find(id);
      if (record !== undefined) add(record);
      else problems.push({ path: `${name}[${i}]`, message: `there is no record ${formatValue(id)} in ${name}.` });
    }
  };
  select('users', (id) => state.users.get(id), selected.addUser);
  select('vals', (id) => state.vals.get(id), selected.addVal);
  select('versions', (id) => findVersion(state, id), selected.addVersion);
  select('runs', (id) => state.runs.get(id), selected.addRun);
  select('likes', (id) => findLike(state, id), selected.addLike);
  select('comments', (id) => state.comments.get(id), selected.addComment);
  select('emails', (id) => state.emails.get(id), selected.addEmail);
  select('blobs', (id) => findBlob(state, id), selected.addBlob);
  select('sqlite', (id) => state.sqlite.get(id), selected.addDatabase);
  if (problems.length > 0) throw new OptionsError(problems.slice(0, MAX_PROBLEMS));
  return selected.read();
}

const MAX_PROBLEMS = 20;

/** Records, and those that they refer to. */
class RecordSelection {
  readonly #state: State;
  readonly #users = new Set<User>();
  readonly #vals = new Set<Val>();
  readonly #versions = new Set<Version>();
  readonly #runs = new Set<Run>();
  readonly #likes = new Set<Like>();
  readonly #comments = new Set<Comment>();
  readonly #emails = new Set<Email>();
  readonly #blobs = new Set<StoredBlob>();
  readonly #databases = new Set<StoredDatabase>();

  constructor(state: State) {
    this.#state = state;
  }

  readonly addUser = (user: User): void => {
    this.#users.add(user);
  };

  readonly addVal = (val: Val): void => {
    this.#vals.add(val);
    this.#versions.add(val.latest);
    this.addUser(getUser(this.#state, val.authorId));
  };

  readonly addVersion = (version: Version): void => {
    this.#versions.add(version);
    this.addVal(getVal(this.#state, version));
  };

  readonly addRun = (run: Run): void => {
    for (let next: Run | undefined = run; next && !this.#runs.has(next); next = this.#state.runs.get(next.parentId)) {
      this.#runs.add(next);
      const version = this.#state.versions.get(next.valId, next.version);
      if (version) this.#versions.add(version);
      this.addVal(getVal(this.#state, next));
    }
  };

  readonly addLike = (like: Like): void => {
    this.#likes.add(like);
    this.addVal(getVal(this.#state, like));
    this.addUser(getUser(this.#state, like.userId));
  };

  readonly addComment = (comment: Comment): void => {
    this.#comments.add(comment);
    this.addVal(getVal(this.#state, comment));
    this.addUser(getUser(this.#state, comment.authorId));
  };

  readonly addEmail = (email: Email): void => {
    this.#emails.add(email);
    this.addUser(getUser(this.#state, email.userId));
  };

  readonly addBlob = (blob: StoredBlob): void => {
    this.#blobs.add(blob);
    this.addUser(getUser(this.#state, blob.userId));
  };

  readonly addDatabase = (database: StoredDatabase): void => {
    this.#databases.add(database);
    this.addUser(getUser(this.#state, database.userId));
  };

  read(): State {
    return {
      ...this.#state,
      users: collections.users([...this.#users]),
      vals: collections.vals([...this.#vals]),
      versions: collections.versions([...this.#versions]),
      runs: collections.runs([...this.#runs]),
      likes: collections.likes([...this.#likes]),
      comments: collections.comments([...this.#comments]),
      emails: collections.emails([...this.#emails]),
      blobs: collections.blobs([...this.#blobs]),
      sqlite: collections.sqlite([...this.#databases]),
    };
  }
}

export const exportRoutes = [
  controlRoute('POST', '/_emulator/export', 'Export records and those that they refer to as fixtures, without tokens', {
    id: 'exportRecords',
    body: Selection,
    response: ExportedRecords,
    errors: [400, 403, 404, 422],
    example: { body: { vals: ['9a293e20-5a30-5ca8-88d4-f92c1a3fa788'] } },
    handle({ sandbox, body: { at, ...ids } }) {
      const { state, time = sandbox.clock.now.getTime() } = getStateAt(sandbox.store, at);
      return writeState(selectRecords(state, ids), time, { tokens: false, brief: true });
    },
  }),
];
