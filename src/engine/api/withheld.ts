import type { TSchema } from 'typebox';
import { isObject } from '../lib/objects.js';

const isSecret = (schema: unknown): boolean =>
  isObject(schema) &&
  (schema.writeOnly === true ||
    Object.values(schema).some((part) => (Array.isArray(part) ? part.some(isSecret) : isSecret(part))));

/**
 * Lists the keys of a body that may be recorded, if its schema has a key that is `writeOnly`: such values are never read back.
 * @returns undefined for a body that is recorded as it was sent
 */
export function listOpenKeys(body: TSchema | undefined): readonly string[] | undefined {
  if (!isSecret(body)) return undefined;
  const properties: unknown = Object(body).properties;
  return Object.entries(isObject(properties) ? properties : {}).flatMap(([key, schema]) =>
    isSecret(schema) ? [] : [key],
  );
}
