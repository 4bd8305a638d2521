import { useEffect, useState } from 'preact/hooks';
import { COLLECTIONS, type CollectionName } from '../../lib/types.js';

/** A part of a JSON schema, as far as it is shown. */
interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
}

/** A field that a record may have. */
export interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
}

type Fields = Readonly<Record<CollectionName, readonly SchemaField[]>>;

let fields: Fields | undefined;

/** Reads the fields of all collections from the schema of fixtures. */
async function loadFields(): Promise<Fields> {
  if (fields) return fields;
  const { properties } = await import('../../../../schema/fixtures.schema.json');
  const listFields = (collection: CollectionName): SchemaField[] => {
    const { required, properties: schemas } = properties[collection].items;
    return Object.entries<Schema>(schemas).map(([name, schema]) => ({
      name,
      type: typeOf(schema),
      description: schema.description ?? '',
      isRequired: required.some((each: string) => each === name),
    }));
  };
  const [users, vals, versions, runs, likes, comments, blobs, sqlite] = COLLECTIONS.map(listFields);
  if (!users || !vals || !versions || !runs || !likes || !comments || !blobs || !sqlite)
    throw new Error('The schema lacks a collection.');
  fields = { users, vals, versions, runs, likes, comments, blobs, sqlite };
  return fields;
}

/** Names the type of a value: `string | null`. */
function typeOf({ type, enum: values, anyOf, allOf, $ref, examples }: Schema): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  // A time is a string of one of two forms.
  if (examples && type === 'string') return 'time';
  if (type !== undefined) return type;
  if ($ref !== undefined) return 'any value';
  const [first] = allOf ?? [];
  if (first) return typeOf(first);
  return [...new Set((anyOf ?? []).map(typeOf))].join(' | ');
}

/** The fields of a collection, which are loaded when asked for. */
export function useFields(collection: CollectionName): readonly SchemaField[] {
  const [loaded, setLoaded] = useState(fields);
  useEffect(() => {
    if (!loaded) void loadFields().then(setLoaded);
  }, [loaded]);
  return loaded?.[collection] ?? [];
}
