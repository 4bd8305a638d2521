import { MAX_JSON_DEPTH } from './objects.js';

/** Copies a value that JSON changes in nothing, with at most `limit` levels. Undefined for any other. */
export function copyPlain(value: unknown, limit = MAX_JSON_DEPTH): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? value : undefined;
  if (typeof value !== 'object' || limit === 0 || 'toJSON' in value) return undefined;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      const copy = copyPlain(item, limit - 1);
      if (copy === undefined) return undefined;
      items.push(copy);
    }
    return items;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const fields: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    const copy = key === '__proto__' ? undefined : copyPlain(field, limit - 1);
    if (copy === undefined) return undefined;
    fields[key] = copy;
  }
  return fields;
}
