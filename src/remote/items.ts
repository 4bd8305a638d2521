import { isObject } from '../lib/objects.js';

/** The items of a page; none of anything else. */
export const listItems = (page: unknown): readonly unknown[] =>
  isObject(page) && Array.isArray(page.data) ? page.data : [];

/** Names an item of a list: by its id, its number, or what it connects. */
export function nameItem(item: unknown): string {
  if (!isObject(item)) return JSON.stringify(item);
  const { id, version, reference, dependsOn } = item;
  if (isObject(reference) && isObject(dependsOn)) return `${reference.id} ${dependsOn.id}`;
  return String(id ?? version);
}
