import type { Fields, Loading, Row } from '#engine/definition/context.js';
import type { FilledOf, Replacing } from '#engine/definition/define.js';
import {
  Code,
  Id,
  key,
  nullable,
  oneOf,
  optional,
  record,
  Text,
  Time,
  wholeNumber,
  withDefault,
} from '#engine/definition/parts.js';
import { inSteps, mapInSteps, type Steps } from '#engine/lib/steps.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { getHandle, Name, type User, UserRef } from '#vals/users/users.collection.js';
import {
  findValByName,
  LARGEST_VERSION,
  listVersions,
  makeVersion,
  PRIVACIES,
  splitReference,
  VAL_TYPES,
  type Val,
  type ValBuilder,
  type Vals,
  type Version,
  VersionNumber,
} from './val-records.collection.js';
import { buildVersion, type FilledVersion } from './versions.collection.js';

// How vals of fixtures are made, with their versions: each may give defaults of the others.

export const valSchema = record('A val, with the code of its latest version', {
  author: key(UserRef, 'Username or id of a user'),
  name: key(Name, 'Unique among the vals of its author, ignoring case'),
  code: optional(Code, 'Code of the latest version. Optional when versions has records of the val'),
  version: optional(
    VersionNumber,
    'Number of the latest version. Default: one above the highest number in versions, or 0',
  ),
  nextVersion: optional(
    wholeNumber(1, LARGEST_VERSION + 1),
    'Number of the next new version. Default: one above the latest version',
  ),
  readme: withDefault(nullable(Text), null, 'Markdown'),
  privacy: withDefault(
    oneOf(...PRIVACIES),
    'public',
    'public: listed and readable; unlisted: readable with its id or name; private: for its author only',
  ),
  type: withDefault(oneOf(...VAL_TYPES), 'script', 'How it is run'),
  createdAt: optional(Time, 'Creation time. Default: the earliest time of a record that refers to it, or now'),
  versionCreatedAt: optional(Time, 'Creation time of the latest version. Default: the time of the version before it'),
  id: optional(Id, 'UUID. Default: derived from author and name'),
});

type Filled = FilledOf<(typeof valSchema)['properties']>;

export const nameVal = (author: User, name: string): string => `val:${getHandle(author)}/${name}`;

interface ValLoading extends Omit<Loading, 'sets' | 'find'>, ValBuilder {
  rows(collection: 'vals'): Iterable<Row<Filled>>;
  rows(collection: 'versions'): Iterable<Row<FilledVersion>>;
}

/** A val that is not made yet, with the records that contribute to it. */
interface PendingVal {
  readonly row: Row<Filled>;
  readonly author: User;
  readonly older: Row<FilledVersion>[];
  /** Earliest time of a record that refers to the val. */
  earliest: Instant;
}

/** Loads the vals with their versions: each may give defaults of the others. */
export function* loadVals(loading: ValLoading): Steps<void> {
  const { sets } = loading;
  const toKey = (reference: string): string => splitReference(sets, reference).join('/');
  const pendingVals = new Map<string, PendingVal>();
  yield* inSteps(loading.rows('vals'), (row) => {
    const { author: ref, name, id: givenId } = row.record;
    const author = loading.find('users', ref, `${row.path}.author`);
    const fullName = author && `${getHandle(author)}/${name}`.toLowerCase();
    if (!fullName || !loading.reserve(`${row.path}.name`, 'val', fullName)) {
      loading.markInvalid('vals', { name, id: givenId });
      return;
    }
    const pending = { row, author, older: [], earliest: loading.now };
    pendingVals.set(toKey(`${author.id}/${name}`), pending);
    const id = loading.toId(givenId, nameVal(author, name));
    if (loading.reserve(`${row.path}.id`, 'id', id)) pendingVals.set(id, pending);
    else loading.markInvalid('vals', { name });
  });
  /** Finds the val of a reference, and takes an earlier time into account. */
  const touch = (reference: string, time: string | undefined): PendingVal | undefined => {
    const pending = pendingVals.get(toKey(reference));
    if (pending) pending.earliest = Math.min(pending.earliest, loading.toInstant(time, loading.now));
    return pending;
  };
  const orphans: Row<FilledVersion>[] = [];
  yield* inSteps(loading.rows('versions'), (row) => {
    const pending = touch(row.record.val, row.record.createdAt);
    (pending?.older ?? orphans).push(row);
  });
  const all = new Set(pendingVals.values());
  if ([...all].some(({ row }) => row.record.createdAt === undefined)) {
    yield* inSteps(loading.eachReference('vals'), ({ reference, time }) => void touch(reference, time));
  }
  const made = yield* mapInSteps(all, ({ row, author, older, earliest }) => {
    const val = makeVal(loading, row, author, older, earliest, loading.hasInvalid('versions'));
    if (!val) {
      loading.markInvalid('vals', row.record);
      return [];
    }
    loading.onRecord(row.path, val.val.id);
    for (const [i, { path }] of older.entries()) loading.onRecord(path, `${val.val.id}:${val.versions[i]?.version}`);
    return val;
  });
  const built = made.flat();
  // Of vals with one id, the last in the array counts. References are to the first one in the fixtures.
  loading.put('vals', built.map(({ val }) => val).reverse());
  loading.put(
    'versions',
    built.flatMap(({ versions }) => versions),
  );
  for (const { record, path } of orphans) loading.find('vals', record.val, `${path}.val`);
}

/**
 * Makes a val and its versions.
 * @param older its records in `versions`
 * @param earliest the earliest time of another record that refers to the val
 * @param hasInvalidVersions whether the latest version of a val without code may be an invalid record
 */
function makeVal(
  builder: ValBuilder,
  { record, path }: Row<Filled>,
  author: User,
  older: readonly Row<FilledVersion>[],
  earliest: Instant,
  hasInvalidVersions = false,
): { val: Val; versions: Version[] } | undefined {
  const id = builder.toId(record.id, nameVal(author, record.name));
  const first = Math.min(earliest, builder.toInstant(record.versionCreatedAt, earliest));
  const createdAt = builder.toInstant(record.createdAt, first, `${path}.createdAt`);
  builder.noteTime(createdAt);
  const versions = makeVersions(builder, id, older, createdAt);
  const highest = versions.reduce((max, { version }) => Math.max(max, version), -1);
  if (record.code === undefined) {
    if (highest < 0 && hasInvalidVersions) return undefined;
    if (!expectVersions(builder, record, path, highest)) return undefined;
  } else {
    const number = record.version ?? highest + 1;
    if (number <= highest) {
      const message = `found ${number}; expected more than ${highest}, the highest in versions.`;
      return builder.report(`${path}.version`, message);
    }
    const before = versions.at(-1)?.createdAt ?? createdAt;
    const time = builder.toInstant(record.versionCreatedAt, before, `${path}.versionCreatedAt`);
    versions.push(makeVersion(id, number, builder.toText(record.code, `${path}.code`), time));
  }
  const latest = versions.reduce((a, b) => (b.version > a.version ? b : a));
  const nextVersion = record.nextVersion ?? latest.version + 1;
  if (nextVersion <= latest.version) {
    const message = `found ${nextVersion}; expected more than the latest version's number.`;
    return builder.report(`${path}.nextVersion`, message);
  }
  const { name, privacy, type } = record;
  const readme = record.readme === null ? null : builder.toText(record.readme, `${path}.readme`);
  const serial = builder.drawSerial();
  return {
    val: { id, authorId: author.id, name, privacy, type, readme, createdAt, nextVersion, latest, serial },
    versions,
  };
}

/** Makes the versions of a val that have records. Number and time default to those that follow from the one before. */
function makeVersions(builder: ValBuilder, valId: string, rows: readonly Row<FilledVersion>[], createdAt: Instant) {
  const versions = new Map<number, Version>();
  let number = -1;
  let time = createdAt;
  for (const row of rows) {
    number = row.record.version ?? number + 1;
    if (versions.has(number)) builder.report(`${row.path}.version`, `version ${number} of this val occurs twice.`);
    const version = buildVersion(builder, row, valId, number, time);
    time = version.createdAt;
    versions.set(number, version);
  }
  return [...versions.values()];
}

/** Checks a val without code, whose latest version has a record in `versions`. */
function expectVersions(builder: ValBuilder, { version, versionCreatedAt }: Filled, path: string, highest: number) {
  if (highest < 0) {
    return builder.report(`${path}.code`, 'missing; expected the code of the latest version, or records in versions.');
  }
  if (version !== undefined && version !== highest) {
    const message = `found ${version}; expected ${highest}, the highest in versions, or code for this one.`;
    return builder.report(`${path}.version`, message);
  }
  if (versionCreatedAt !== undefined) {
    const message = 'expected only with code; without it the latest version is a record in versions.';
    return builder.report(`${path}.versionCreatedAt`, message);
  }
  return true;
}

/**
 * Makes a val of a fixture, and puts it among the others.
 * @param older records of versions, in addition to the latest one
 * @param earliest the time at which a val without `createdAt` was created
 */
export function insertVal(
  builder: ValBuilder,
  row: Row<Filled>,
  older: readonly Row<FilledVersion>[] = [],
  earliest: Instant = builder.now,
): Val | undefined {
  const { sets } = builder;
  const author = builder.find('users', row.record.author, `${row.path}.author`);
  const built = author && makeVal(builder, row, author, older, earliest);
  if (!built) return undefined;
  const { val, versions } = built;
  if (findValByName(sets, author.id, val.name)) builder.reportTaken(`${row.path}.name`, val.name);
  if (sets.vals.get(val.id)) builder.reportTaken(`${row.path}.id`, val.id);
  for (const version of versions) sets.versions = sets.versions.put(version);
  sets.vals = sets.vals.put(val);
  return val;
}

/** Writes a val in place of `old`, with the versions that it has. */
export function replaceVal(
  { sets, insert, updateReferring }: Replacing<Val, Filled> & { readonly sets: Vals },
  fixture: Fields,
  old: Val,
): Val {
  sets.vals = sets.vals.delete(old);
  const versions = [...listVersions(sets, old)];
  for (const version of versions) sets.versions = sets.versions.delete(version);
  const hasCode = fixture.code !== undefined;
  const older = versions.slice(hasCode ? 1 : 0).reverse();
  const rows = older.map(({ valId, version, code, createdAt }) => ({
    record: { val: valId, version, code, createdAt: toTimestamp(createdAt) },
    path: 'version',
  }));
  const latest = { version: old.latest.version, versionCreatedAt: toTimestamp(old.latest.createdAt) };
  const filled = { ...(hasCode ? latest : {}), ...fixture, nextVersion: getNextVersion(old, fixture) };
  const written = insert(filled, {
    insert: (builder: ValBuilder, row) => insertVal(builder, row, rows, old.createdAt),
  });
  // Unchanged versions stay the same objects, so that the history does not list them.
  for (const version of versions) {
    const copy = sets.versions.get(written.id, version.version);
    const isUnchanged = copy?.code === version.code && copy.createdAt === version.createdAt;
    if (isUnchanged) sets.versions = sets.versions.put(version);
  }
  const val = { ...written, latest: listVersions(sets, written).first ?? written.latest };
  sets.vals = sets.vals.put(val);
  if (written.authorId !== old.authorId) updateReferring(val);
  return val;
}

/** Returns the next version number as given, or above the given version. Numbers are not reused. */
function getNextVersion(old: Val, { nextVersion, version }: Fields): unknown {
  if (nextVersion !== undefined && nextVersion !== old.nextVersion) return nextVersion;
  return Number.isInteger(version) ? Math.max(old.nextVersion, Number(version) + 1) : old.nextVersion;
}
