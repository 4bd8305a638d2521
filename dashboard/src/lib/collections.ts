import { computed, signal } from '@preact/signals';
import { rootControl } from './api.js';
import { formatNoun } from './format.js';
import type { Collection, FieldSchema } from './types.js';

/** The collections of the emulator, read before the first page is shown. */
const collections = signal<readonly Collection[]>([]);

/** Reads the collections, if that has not succeeded before: of the emulator, since a request to a sandbox would create it. */
export async function loadCollections(): Promise<void> {
  if (collections.value.length > 0) return;
  collections.value = await rootControl.listCollections().catch(() => []);
}

/** The collections with a table. Emails have a page of their own. */
export const tables = computed(() => collections.value.filter(({ name }) => name !== 'emails'));

export const findTable = (name: string): Collection | undefined => tables.value.find((each) => each.name === name);

export const hasCollection = (name: string): boolean => findCollection(name) !== undefined;

/** Whether the emulator has the vals service, for which the page has more views and snippets. */
export const hasVals = computed(() => hasCollection('vals'));

const findCollection = (name: string): Collection | undefined => collections.value.find((each) => each.name === name);

/** How the records of a collection, or of a relation, are called. */
export const pluralOf = (name: string): string => findCollection(name)?.plural ?? name;

/** How a record of a collection is called. */
export const singularOf = (collection: string): string => formatNoun(1, pluralOf(collection));

/** The fields of a collection that name other records, each with the collection of that record. */
export const referencesOf = (collection: string): Readonly<Record<string, string>> =>
  findCollection(collection)?.references ?? {};

/** The fields by which the records of a collection are found. */
export const criteriaOf = (collection: string): readonly string[] => findCollection(collection)?.criteria ?? [];

/** The collections whose records refer to a record of a collection, directly or through another record. */
export function listReferring(collection: string): string[] {
  const found = new Set([collection]);
  // A collection refers to those before it.
  for (const { name, references } of collections.value) {
    if (Object.values(references).some((to) => found.has(to))) found.add(name);
  }
  return [...found].slice(1);
}

export interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** The texts that it may have; undefined for any. */
  readonly choices: readonly string[] | undefined;
}

/** Lists the fields of a record in fixture format. */
export function listFields(collection: string): SchemaField[] {
  const { properties = {}, required = [] } = findCollection(collection)?.schema ?? {};
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    description: schema.description ?? '',
    isRequired: required.includes(name),
    choices: schema.enum?.filter((value) => typeof value === 'string'),
  }));
}

/** Names the type of a value: `string | null`. */
function typeOf({ type, enum: values, anyOf, allOf, $ref, examples }: FieldSchema): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  // A time is a string of one of two forms.
  if (examples && type === 'string') return 'time';
  if (type !== undefined) return type;
  if ($ref !== undefined) return 'any value';
  const [first] = allOf ?? [];
  if (first) return typeOf(first);
  return [...new Set((anyOf ?? []).map(typeOf))].join(' | ');
}
