import type { Writing } from '#engine/definition/context.js';
import { defineCollection } from '#engine/definition/define.js';
import { didYouMean } from '#engine/lib/messages.js';
import { toTimestamp } from '#engine/lib/time.js';
import { asc, index } from '#engine/store/collection.js';
import { getHandle } from '#vals/users/users.collection.js';
import { insertVal, loadVals, nameVal, replaceVal, valSchema } from './val-fixtures.collection.js';
import {
  findImported,
  findValByName,
  getAuthor,
  listImporters,
  splitReference,
  type Val,
  type ValBuilder,
  type Vals,
  valIndexes,
  writeVal,
} from './val-records.collection.js';

/** A val whose latest version is given by its number, since it is stored already. */
type StoredVal = Omit<Val, 'latest'> & { readonly latest: number };

/** With code and number of the latest version. */
export const vals = defineCollection(
  {
    name: 'vals',
    title: 'The vals, each with its latest version',
    adder: 'val',
    identity: index<Val>(asc((record) => record.id)),
    indexes: valIndexes,
    schema: valSchema,
  },
  {
    references: {
      author: {
        to: 'users',

        id: ({ authorId }) => authorId,
        find: ({ by }, id) => by.author.range([id]),
      },
    },
    naming: {
      write: writeVal,
      find(sets: Vals, reference) {
        const [first, name] = splitReference(sets, reference);
        return name === undefined ? sets.vals.get(first) : findValByName(sets, first, name);
      },
      usage: ' Name it "author/name" or by its id.',
      suggest: (sets: Vals, reference) =>
        didYouMean(
          reference,
          Array.from(sets.vals, (val) => `${getHandle(getAuthor(sets, val))}/${val.name}`),
        ),
      aliases(sets: Vals, reference) {
        const key = splitReference(sets, reference).join('/');
        return [key, key.replace(/^[^/]*/, '')];
      },
      // The author may be any.
      alias: ({ name }) => (typeof name === 'string' ? `/${name}`.toLowerCase() : undefined),
    },
    load: loadVals,
    insert: (builder: ValBuilder, row) => insertVal(builder, row),
    replace: replaceVal,
    write: (names, val) => ({
      author: names.of('users', val.authorId),
      name: val.name,
      id: val.id,
      code: val.latest.code,
      version: val.latest.version,
      nextVersion: val.nextVersion,
      readme: val.readme,
      privacy: val.privacy,
      type: val.type,
      createdAt: toTimestamp(val.createdAt),
      versionCreatedAt: toTimestamp(val.latest.createdAt),
    }),
    abridge: (writing: Writing & { readonly sets: Vals }) => ({
      abridge(val, fields) {
        const { sets, origin } = writing;
        const { createdAt, versionCreatedAt } = fields;
        const [before] = sets.versions.range(val.id).page(1, 1);
        const latest = before ? toTimestamp(before.createdAt) : createdAt;
        const times = [origin, writing.earliest(val.id)];
        if (versionCreatedAt !== latest) times.push(Date.parse(versionCreatedAt));
        return {
          defaults: {
            id: writing.deriveId(nameVal(getAuthor(sets, val), val.name)),
            version: (before?.version ?? -1) + 1,
            nextVersion: val.latest.version + 1,
            versionCreatedAt: latest,
            ...writing.defaultTime('createdAt', Math.min(...times)),
          },
        };
      },
    }),
    related: (_sets, { latest }) => [['versions', latest]],
    relations: (sets: Vals, val) => ({
      imports: ['vals', val.latest.imports.flatMap((target) => findImported(sets, target)?.id ?? [])],
      importers: ['vals', listImporters(sets, val).map(({ id }) => id)],
    }),
    implied: ['version', 'nextVersion', 'versionCreatedAt'],
    example: { author: 'ada', name: 'limit', code: 'export const limit = 42;' },
    display: (names, { id }) => names.of('vals', id),
    isLast: true,
    stored: {
      encode: (val): StoredVal => ({ ...val, latest: val.latest.version }),
      /** @throws RangeError for a val without its latest version */
      decode(val: StoredVal, { versions }: Vals) {
        const latest = versions.get(val.id, val.latest);
        if (!latest) throw new RangeError(`val ${val.id} has no version ${val.latest}`);
        return { ...val, latest };
      },
    },
    rules: { dependentRequired: { versionCreatedAt: ['code'] } },
    compareAge: (a, b) => a.createdAt - b.createdAt || a.serial - b.serial,
    byAge: ({ by }) => by.age.range(),
  },
);
