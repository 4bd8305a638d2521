import { joinPath } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';

// Apart from the definitions: commands that read a fixture load it without them.

/** The keys that lead to a value of a record. {@link EACH} stands for each key or index. */
export type FilePath = readonly string[];
export const EACH = '*';

/**
 * Returns a copy of a value with others at a path. What the path does not lead to stays unchanged.
 * @param at the path of the value, for messages
 * @param map returns the new value
 */
export function mapPath(
  value: unknown,
  [key, ...rest]: FilePath,
  at: string,
  map: (value: unknown, at: string) => unknown,
): unknown {
  if (key === undefined) return map(value, at);
  const mapEach = (each: unknown, name: string | number) => mapPath(each, rest, joinPath(at, name), map);
  if (Array.isArray(value)) return key === EACH ? value.map(mapEach) : value;
  if (!isObject(value)) return value;
  const names = key === EACH ? Object.keys(value) : [key].filter((name) => Object.hasOwn(value, name));
  return { ...value, ...Object.fromEntries(names.map((name) => [name, mapEach(value[name], name)])) };
}
