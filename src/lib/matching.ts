import { formatValue, joinPath } from './messages.js';
import { isAsymmetricMatcher, isObject } from './objects.js';

/** Lists the differences between an expected value and the one found: objects may have further keys. */
export function listDifferences(wanted: unknown, found: unknown, path = ''): string[] {
  const isAsymmetric = isAsymmetricMatcher(wanted);
  if (!isAsymmetric && isObject(wanted) && isObject(found)) {
    return Object.entries(wanted).flatMap(([key, value]) => listDifferences(value, found[key], joinPath(path, key)));
  }
  if (Array.isArray(wanted) && Array.isArray(found) && wanted.length === found.length) {
    return wanted.flatMap((value, i) => listDifferences(value, found[i], joinPath(path, i)));
  }
  const isMatch = isAsymmetric ? wanted.asymmetricMatch(found) : Object.is(wanted, found);
  return isMatch ? [] : [`${path}: expected ${formatValue(wanted)}, found ${formatValue(found)}`];
}
