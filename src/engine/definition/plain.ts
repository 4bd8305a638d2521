import { type TOptional, type TProperties, type TUnsafe, Type } from 'typebox';
import type { Problem } from '../lib/errors.js';
import { didYouMean, findSimilar, formatValue } from '../lib/messages.js';
import { parseTime, toTimestamp } from '../lib/time.js';
import { mapOf } from '../schema/schema.js';
import { describeErrors } from '../schema/schema-errors.js';
import { compile, type Validator } from '../schema/validator.js';
import { asc, type Collection, Index, type IndexSpec, index, type Scalar } from '../store/collection.js';
import { type Caller, type Definition, defineFrozen, type FilledOf, type Reference } from './define.js';
import { listTimes } from './definitions.js';
import { type FilePath, mapPath } from './file-path.js';
import { toNoun } from './nouns.js';
import { optional, record } from './parts.js';
import { DefinitionError } from './service-errors.js';

type WithId<P extends TProperties> = P & { readonly id: TOptional<TUnsafe<string>> };

/** A record as fixtures write it, with its defaults. */
type PlainRecord<P extends TProperties> = FilledOf<WithId<P>> & {
  readonly id: string;
  /** Order of creation. */
  readonly serial: number;
};

/** A collection whose records are as fixtures write them. */
export type PlainCollection<
  N extends string,
  A extends string,
  P extends TProperties,
  K extends keyof P & string,
> = Definition<
  N,
  PlainRecord<P>,
  Record<K, IndexSpec<PlainRecord<P>, PlainRecord<P>>>,
  WithId<P>,
  A,
  Omit<PlainRecord<P>, 'serial'>
>;

interface PlainSpec<N extends string, A extends string, P extends TProperties, K extends keyof P & string> {
  readonly name: N;
  /** The method of a sandbox that adds a record: `todo`. */
  readonly adder: A;
  /** Describes the collection, for the JSON Schema. */
  readonly title: string;
  /** The keys of a record in fixtures, without `id`. */
  readonly fields: P;
  /** Fields by which records are found, in the order of creation: `state.todos.by.owner`. Default: none */
  readonly indexes?: readonly K[];
  /** The collections of other records, by the field with the id of one. It needs an index. Default: none */
  readonly references?: { readonly [F in K]?: string };
  /** Whether its records call the API, by the field `token`, which needs an index. Default: false */
  readonly callers?: boolean;
}

const isCaller = <R extends { readonly id: string }>(record: R): record is R & Caller =>
  'token' in record && typeof record.token === 'string';

const Id = Type.String({ pattern: '^[^/\\s]{1,100}$', expected: 'an id of 1 to 100 characters without spaces and /' });

/** Reads a field of any record as the key of an index. */
function readKey(record: object, field: string): Scalar {
  const value: unknown = Reflect.get(record, field);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : '';
}

type AnySpec = PlainSpec<string, string, TProperties, string>;

const SCALARS = ['string', 'number', 'integer', 'boolean'];

const isSpec = compile(
  Type.Object(
    {
      ...{ name: Type.String(), adder: Type.String(), title: Type.String() },
      fields: mapOf(Type.Object({}, { expected: 'a schema, as a function of Type returns it' })),
      indexes: Type.Optional(Type.Array(Type.String())),
      references: Type.Optional(mapOf(Type.String())),
      callers: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  'strict',
);

/** Finds what is wrong with the fields of a collection. A field may be of several types. */
function* checkFields({ fields, indexes = [], references = {}, callers }: AnySpec): Generator<Problem> {
  const listTypes = (field: string): unknown[] => [Object(fields[field]).type ?? 'string'].flat();
  const isText = (field: string) => listTypes(field).includes('string');
  for (const field of ['id', 'serial']) {
    if (Object.hasOwn(fields, field))
      yield { path: `fields.${field}`, message: 'each record has it already; expected another name.' };
  }
  const known = ['id', ...Object.keys(fields)];
  const misspelt = indexes.filter((index) => !known.includes(index)).flatMap((index) => findSimilar(index, known));
  for (const index of indexes) {
    const path = `indexes.${index}`;
    if (!known.includes(index)) yield { path, message: `there is no such field.${didYouMean(index, known)}` };
    else if (!listTypes(index).some((type) => SCALARS.includes(String(type))))
      yield { path, message: 'expected a field with a text, a number or a boolean.' };
  }
  for (const field of Object.keys(references)) {
    const path = `references.${field}`;
    if (misspelt.includes(field)) continue;
    if (!known.includes(field)) yield { path, message: `there is no such field.${didYouMean(field, known)}` };
    else if (!indexes.includes(field)) yield { path, message: 'expected an index by this field.' };
    else if (!isText(field)) yield { path, message: 'expected a field with a text, the id of a record.' };
  }
  if (callers && !indexes.includes('token'))
    yield { path: 'callers', message: 'expected an index by the field token.' };
  if (callers && !isText('token')) yield { path: 'fields.token', message: 'expected a text.' };
}

/** Finds what is wrong with a record that a handler has put: it is valid, and has what fixtures need not have. */
function* checkRecord(
  { validate, times }: { readonly validate: Validator<object>; readonly times: readonly FilePath[] },
  record: { readonly serial: number },
  path: string,
): Generator<Problem> {
  const { serial, ...fields } = record;
  // In a copy, since validation fills in defaults.
  const filled = structuredClone(fields);
  if (!validate(filled)) yield* describeErrors(validate.errors, path);
  for (const field of ['id', ...Object.keys(filled)]) {
    if (Reflect.get(fields, field) === undefined) yield { path: `${path}.${field}`, message: 'missing; put it.' };
  }
  const relative: Problem[] = [];
  const check = (time: unknown, at: string): void => {
    if (typeof time !== 'string' || !('offset' in (parseTime(time) ?? {}))) return;
    relative.push({ path: at, message: `found ${formatValue(time)}; expected toTimestamp(now), or another instant.` });
  };
  for (const time of times) mapPath(fields, time, path, check);
  yield* relative;
  if (!Number.isSafeInteger(serial))
    yield { path: `${path}.serial`, message: `found ${formatValue(serial)}; expected state.nextSerial++.` };
}

/** Finds records by an index whose type the compiler does not know. */
function findBy<R>(indexes: object, field: string, value: string): Iterable<R> {
  const found: unknown = Reflect.get(indexes, field);
  return found instanceof Index ? found.range([value]) : [];
}

/** Makes an index for each of some fields. The compiler cannot see that the loop makes them all: hence the one assertion. */
const makeIndexes = <K extends string, R extends { readonly serial: number }>(fields: readonly K[]) =>
  Object.fromEntries(
    fields.map((field) => [
      field,
      index<R>(
        asc((each) => readKey(each, field)),
        asc(({ serial }) => serial),
      ),
    ]),
  ) as Record<K, IndexSpec<R, R>>;

/**
 * Defines a collection whose records are as fixtures write them, with an id each. Records are named by it.
 * {@link defineCollection} is for those that are not.
 */
export function plainCollection<
  const N extends string,
  const A extends string,
  P extends TProperties,
  const K extends keyof P & string = never,
>(spec: PlainSpec<N, A, P, K>): PlainCollection<N, A, P, K> {
  const problems = isSpec({ ...spec }) ? [...checkFields(spec)] : describeErrors(isSpec.errors, '');
  if (problems.length > 0)
    throw new DefinitionError(`collection${spec?.name === undefined ? '' : ` ${spec.name}`}`, problems);
  const { name, adder, title, fields, indexes = [], references, callers } = spec;
  const schema: WithId<P> = { id: optional(Id, 'Default: a UUID that follows from its position'), ...fields };
  const times = listTimes({ properties: fields });
  const by = makeIndexes<K, PlainRecord<P>>(indexes);
  const referring = indexes.flatMap((field) => {
    const to = references?.[field];
    return to === undefined ? [] : [{ field, to }];
  });
  const token = callers ? indexes.find((field) => field === 'token') : undefined;
  type Sets = Readonly<Record<N, Collection<PlainRecord<P>, typeof by>>>;
  const definition: PlainCollection<N, A, P, K> = defineFrozen(
    {
      ...{ name, title, adder, schema: record(title, schema) },
      identity: index<PlainRecord<P>>(asc(({ id }) => id)),
      indexes: by,
    },
    {
      references: Object.fromEntries(
        referring.map(({ field, to }): [string, Reference<PlainRecord<P>, Sets[N]>] => [
          field,
          {
            to,
            id: (each) => String(readKey(each, field)),
            find: (records, id) => findBy<PlainRecord<P>>(records.by, field, id),
          },
        ]),
      ),
      naming: {
        write: (_sets, { id }) => id,
        find: (sets: Sets, id) => sets[name].get(id),
        suggest: (sets: Sets, id, invalid) =>
          didYouMean(id, [...Array.from(sets[name], (each) => each.id), ...invalid]),
        aliases: (_sets, id) => [id],
        alias: ({ id }) => (typeof id === 'string' ? id : undefined),
      },
      ...(token && {
        callers: {
          find: (records: Sets[N], given: string) =>
            [...findBy<PlainRecord<P>>(records.by, token, given)].find(isCaller),
          list: (records: Sets[N]) => [...records].filter(isCaller).sort((a, b) => a.serial - b.serial),
        },
      }),
      build(builder, { record, path }, ordinal): PlainRecord<P> | undefined {
        const named = referring.map(({ field, to }) => {
          const reference = Reflect.get(record, field);
          return typeof reference !== 'string' || builder.find(to, reference, `${path}.${field}`);
        });
        if (named.some((found) => !found)) return undefined;
        const id = String(readKey(record, 'id')) || builder.toId(undefined, `${toNoun(name)}#${ordinal}`);
        const toTime = (time: unknown, at: string): unknown =>
          typeof time === 'string' && parseTime(time) ? toTimestamp(builder.toInstant(time, builder.now, at)) : time;
        const fields = times.reduce<object>((made, time) => Object(mapPath(made, time, path, toTime)), record);
        return { ...record, ...fields, id, serial: builder.drawSerial() };
      },
      checkPut: (each, path) => checkRecord({ validate: definition.validate, times }, each, path),
      // A copy, since the record is frozen.
      write: (_names, { serial: _, ...rest }) => structuredClone(rest),
      display: (_names, { id }) => `${toNoun(name)} ${id}`,
    },
  );
  return definition;
}
