import type { TSchema } from 'typebox';
import { toBodyText } from '../lib/base64.js';
import { parseJsonIfValid } from '../lib/json.js';
import { isDeeperThan, isObject, MAX_JSON_DEPTH } from '../lib/objects.js';
import { HIDDEN } from '../lib/redactor.js';

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

/**
 * Replaces the other values of a body, also of one that the route refuses: a key may be misspelt.
 * @param path of the object in the body that has the keys. Default: the body
 */
export function withhold(
  body: string | Uint8Array | undefined,
  openKeys: readonly string[],
  path: readonly string[] = [],
): string | Uint8Array | undefined {
  if (body === undefined || body.length === 0) return body;
  const parsed = parseJsonIfValid(toBodyText(body) ?? '');
  if (!isObject(parsed) || isDeeperThan(MAX_JSON_DEPTH, parsed)) return HIDDEN;
  return JSON.stringify(hide(parsed, openKeys, path));
}

function hide(value: unknown, openKeys: readonly string[], [key, ...rest]: readonly string[]): unknown {
  if (!isObject(value)) return value === undefined ? undefined : HIDDEN;
  if (key !== undefined) return { ...value, [key]: hide(value[key], openKeys, rest) };
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, openKeys.includes(name) ? inner : HIDDEN]),
  );
}
