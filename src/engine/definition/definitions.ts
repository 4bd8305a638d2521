import type { TProperties, TSchema } from 'typebox';
import { Collection, type RecordSet } from '../store/collection.js';
import type { AnyDefinition, FolderRules, Reference, StoredSet } from './define.js';
import { EACH, type FilePath } from './file-path.js';
import { toIdField } from './nouns.js';
import { NOW } from './parts.js';

/** A reference, with the collection that has it. */
interface Referring {
  readonly name: string;
  readonly reference: Reference<object, RecordSet>;
}

/** Seed data of a service, by name. The one with the name `default` is loaded by default. */
export interface Datasets {
  readonly names: readonly string[];
  /** Returns the records of a dataset, by collection. */
  read(name: string): Readonly<Record<string, unknown>>;
  /** Whether tests validate its records, so that a start need not. Default: false */
  readonly isTrusted?: boolean;
}

/** The collections of a service, in order: each refers to those before it. */
export interface Definitions {
  readonly all: readonly AnyDefinition[];
  readonly service: string;
  readonly datasets: Datasets;
  readonly names: readonly string[];
  readonly byName: ReadonlyMap<string, AnyDefinition>;
  /** The sets of records of a state, in the order in which they are stored. */
  readonly sets: readonly StoredSet[];
  /** The collection of the callers. Undefined if every request is anonymous */
  readonly callers: AnyDefinition | undefined;
  /** The collection of further tokens of callers. */
  readonly credentials: AnyDefinition | undefined;
  /** The names of the collections whose records have ids. */
  readonly withIds: readonly string[];
  /** The values of a record that may name a file by their key `file`, by its collection. */
  readonly fileKeys: Readonly<Record<string, readonly FilePath[]>>;
  /** How folders are read that a record names, by its collection. */
  readonly folders: Readonly<Record<string, FolderRules>>;
  /** The references to a collection, by its name. */
  readonly referring: ReadonlyMap<string, readonly Referring[]>;
}

/** Lists the collections of which the record of a reference may be. */
export const listTargets = ({ to, orTo }: Pick<Reference<object, RecordSet>, 'to' | 'orTo'>): string[] =>
  orTo === undefined ? [to] : [to, orTo];

export function makeDefinitions(service: string, all: readonly AnyDefinition[], datasets: Datasets): Definitions {
  const ordered = [...all.filter(({ isLast }) => !isLast), ...all.filter(({ isLast }) => isLast)];
  const references = all.flatMap(({ name, references }) =>
    Object.values(references).map((reference) => ({ name, reference })),
  );
  return {
    all,
    service,
    datasets,
    names: all.map(({ name }) => name),
    byName: new Map(all.map((definition) => [definition.name, definition])),
    sets: ordered.flatMap((definition) => [definition, ...(definition.parts ?? [])]),
    callers: all.find(({ callers }) => callers !== undefined),
    credentials: all.find(({ credentials }) => credentials !== undefined),
    withIds: all.filter(({ schema }) => 'id' in schema.properties).map(({ name }) => name),
    fileKeys: Object.fromEntries(all.map(({ name, schema }) => [name, listFileKeys(schema)])),
    folders: Object.fromEntries(all.flatMap(({ name, folders }) => (folders ? [[name, folders]] : []))),
    referring: new Map(
      all.map(({ name }) => [name, references.filter(({ reference }) => listTargets(reference).includes(name))]),
    ),
  };
}

interface Containing extends TSchema {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly additionalProperties?: TSchema | boolean;
  readonly anyOf?: readonly TSchema[];
}

/** Lists the paths to the values of a record whose schema matches, also inside its lists and maps. */
function listPaths(schema: Containing, matches: (schema: Containing) => boolean): FilePath[] {
  const { properties = {}, items, additionalProperties, anyOf = [] } = schema;
  const below = (key: string, inner: TSchema) => listPaths(inner, matches).map((path) => [key, ...path]);
  return [
    ...(matches(schema) ? [[]] : []),
    ...Object.entries(properties).flatMap(([key, inner]) => below(key, inner)),
    ...(items ? below(EACH, items) : []),
    ...(typeof additionalProperties === 'object' ? below(EACH, additionalProperties) : []),
    ...anyOf.flatMap((inner) => listPaths(inner, matches)),
  ];
}

const listFileKeys = (schema: Containing): FilePath[] =>
  listPaths(schema, ({ properties = {} }) => 'file' in properties);

export const listTimes = (schema: Containing): FilePath[] =>
  listPaths(schema, (each) => 'format' in each && each.format === 'fixture-time');

/** @throws Error for an unknown collection */
export function getDefinition({ byName }: Definitions, name: string): AnyDefinition {
  const definition = byName.get(name);
  if (!definition) throw new Error(`no collection ${name}`);
  return definition;
}

/** Lists the collections that a collection refers to, and those that they refer to. */
export function listReferred(definitions: Definitions, name: string): string[] {
  const found = new Set<string>();
  const add = (from: string): void => {
    for (const to of Object.values(getDefinition(definitions, from).references).flatMap(listTargets)) {
      if (found.has(to)) continue;
      found.add(to);
      add(to);
    }
  };
  add(name);
  return [...found];
}

/** Lists the fields that refer to other records, each with the field for the id: `author` with `userId`. */
export const listIdFields = ({ references }: AnyDefinition) =>
  Object.entries(references).map(([field, reference]) => ({
    ...{ field, idField: reference.orTo === undefined ? toIdField(reference.to) : `${field}Id`, ...reference },
  }));

/** Reads the ids of the records that a record refers to. */
export function readIds(fields: ReturnType<typeof listIdFields>, record: object): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const { idField, id } of fields) {
    const found = id(record);
    if (found !== undefined) ids[idField] = found;
  }
  return ids;
}

/** Returns a set of records of a state by its name. @throws Error for an unknown one */
export function getRecords(sets: object, name: string): RecordSet {
  const records: unknown = Reflect.get(sets, name);
  if (records instanceof Collection) return records;
  throw new Error(`no collection ${name}`);
}

export const setRecords = (draft: object, name: string, records: RecordSet): void =>
  void Object.assign(draft, { [name]: records });

/** Returns the id of a record, as the control API writes it: its identity, joined by colons. */
export const getRecordId = (records: RecordSet, record: object): string => records.identify(record).join(':');

/** Finds a record by that id. The last part of an identity may have colons. */
export function findRecord(sets: object, { name, identity, parseKey }: AnyDefinition, id: string): object | undefined {
  const parts = id.split(':');
  const count = identity.sortKeys.length;
  if (parts.length < count) return undefined;
  const key = [...parts.slice(0, count - 1), parts.slice(count - 1).join(':')];
  return getRecords(sets, name).get(...(parseKey?.(key) ?? key));
}

/** Returns the key of a fixture that has the time of a record: the one whose default is now. */
export const findTimeKey = ({ properties }: { readonly properties: TProperties }): string | undefined =>
  Object.keys(properties).find((key) => {
    const schema: object = properties[key] ?? {};
    return 'default' in schema && schema.default === NOW;
  });

/**
 * Makes a value for each definition, in an object by name. The compiler cannot see that the loop fills it, and that each value
 * has the type of its name: hence the one assertion.
 * @param key default: the name of the collection; without a key, a definition has no value
 */
export function mapCollections<T extends object, D extends StoredSet = AnyDefinition>(
  all: readonly D[],
  make: (definition: D) => unknown,
  key: (definition: D) => string | undefined = ({ name }) => name,
): T {
  const made: Record<string, unknown> = {};
  for (const definition of all) {
    const name = key(definition);
    if (name !== undefined) made[name] = make(definition);
  }
  return made as T;
}
