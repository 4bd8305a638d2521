import type { Builder, Row, Writing } from '#engine/definition/context.js';
import { defineCollection, type FilledOf } from '#engine/definition/define.js';
import { Code, key, optional, record, Time } from '#engine/definition/parts.js';
import { ApiError } from '#engine/lib/errors.js';
import { finish, mapInSteps, type Steps, sortInSteps } from '#engine/lib/steps.js';
import { type Instant, toTimestamp } from '#engine/lib/time.js';
import { asc, desc, index } from '#engine/store/collection.js';
import {
  listVersions,
  makeVersion,
  type Val,
  type ValBuilder,
  ValRef,
  type Vals,
  type Version,
  VersionNumber,
} from './val-records.collection.js';

const schema = record('A version of a val, older than the latest', {
  val: key(ValRef, 'The val as author/name, or by its id'),
  code: key(Code, 'Code of this version'),
  version: optional(
    VersionNumber,
    'Number of this version. Default: one above the record before it for the same val, or 0',
  ),
  createdAt: optional(Time, 'Creation time. Default: the time of the version before it, or of the val'),
});

export type FilledVersion = FilledOf<(typeof schema)['properties']>;

/** @param time default of `createdAt` */
export function buildVersion(
  builder: Builder,
  { record, path }: Row<FilledVersion>,
  valId: string,
  number: number,
  time: Instant,
): Version {
  const createdAt = builder.toInstant(record.createdAt, time, `${path}.createdAt`);
  return makeVersion(valId, number, builder.toText(record.code, `${path}.code`), createdAt);
}

/** Deletes a version; the others keep their numbers. @throws ApiError 400 for the only version */
export function removeVersion(sets: Vals, version: Version): void {
  const val = sets.vals.get(version.valId);
  sets.versions = sets.versions.delete(version);
  const latest = listVersions(sets, { id: version.valId }).first;
  if (!latest) throw new ApiError(400, 'Cannot delete the only version of a val');
  if (val) sets.vals = sets.vals.put({ ...val, latest });
}

const sortVals = ({ vals }: Readonly<Vals>): Steps<Val[]> => sortInSteps(vals, (a, b) => a.serial - b.serial);

/** Including the latest of each val. */
export const versions = defineCollection(
  {
    name: 'versions',
    title: 'The older versions of the vals',
    adder: undefined,
    identity: index<Version>(
      asc((record) => record.valId),
      desc((record) => record.version),
    ),
    indexes: {},
    schema,
  },
  {
    references: {
      val: { to: 'vals', id: ({ valId }) => valId, find: (versions, id) => versions.range(id) },
    },
    parseKey: ([valId = '', version]) => [valId, Number(version)],
    /** With the vals. */
    *load() {},
    insert(builder: ValBuilder, row) {
      const { sets, now } = builder;
      const val = builder.find('vals', row.record.val, `${row.path}.val`);
      if (!val) return undefined;
      const number = row.record.version ?? val.nextVersion;
      if (sets.versions.get(val.id, number)) return builder.reportTaken(`${row.path}.version`, number);
      const version = buildVersion(builder, row, val.id, number, now);
      sets.versions = sets.versions.put(version);
      const latest = listVersions(sets, val).first ?? version;
      sets.vals = sets.vals.put({ ...val, latest, nextVersion: Math.max(val.nextVersion, number + 1) });
      return version;
    },
    complete: (row, _names, old) =>
      old ? { version: old.version, createdAt: toTimestamp(old.createdAt), ...row } : row,
    /** A version of a new val, or one that changed together with the latest version. */
    isPart({ valId, version }, before: Readonly<Vals>, after: Readonly<Vals>) {
      const [old, now] = [before.vals.get(valId)?.latest, after.vals.get(valId)?.latest];
      if (!old || !now) return true;
      return old.version === now.version ? version === now.version : version > Math.min(old.version, now.version);
    },
    remove: removeVersion,
    write: (names, { valId, version, code, createdAt }) => ({
      val: names.of('vals', valId),
      version,
      code,
      createdAt: toTimestamp(createdAt),
    }),
    /** Oldest first, without the latest of each val: the val has it. */
    *select(versions, sets: Vals) {
      const lists = yield* mapInSteps(yield* sortVals(sets), ({ id }) => [...versions.range(id)].slice(1).reverse());
      return lists.flat();
    },
    abridge(writing: Writing & { readonly sets: Vals }) {
      /** The last one of each val. */
      const written = new Map<string, Version>();
      return {
        abridge({ valId, ...version }) {
          const before = written.get(valId);
          written.set(valId, { valId, ...version });
          const time = before?.createdAt ?? writing.sets.vals.get(valId)?.createdAt ?? 0;
          if (version.createdAt !== time) writing.touch(valId, version.createdAt);
          return { defaults: { version: (before?.version ?? -1) + 1, createdAt: toTimestamp(time) } };
        },
      };
    },
    display: (names, { valId, version }) => `${names.of('vals', valId)} version ${version}`,
    compare: (a, b) => a.createdAt - b.createdAt || a.version - b.version,
    list: (_versions, sets: Vals) => finish(sortVals(sets)).flatMap((val) => [...listVersions(sets, val)].reverse()),
  },
);
