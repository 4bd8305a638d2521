import { isObject } from '../lib/objects.js';

/** Names an item of a list: by its id, its number, or what it connects. */
export function nameItem(item: unknown): string {
  if (!isObject(item)) return JSON.stringify(item);
  const { id, version, reference, dependsOn } = item;
  if (isObject(reference) && isObject(dependsOn)) return `${reference.id} ${dependsOn.id}`;
  return String(id ?? version);
}
