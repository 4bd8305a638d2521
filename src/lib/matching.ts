import { formatValue, joinPath } from './messages.js';
import { isAsymmetricMatcher, isObject } from './objects.js';

/** Lists the differences between an expected value and the one found. @param isExact whether objects may have no further keys */
export function listDifferences(wanted: unknown, found: unknown, path = '', isExact = false): string[] {
  const isAsymmetric = isAsymmetricMatcher(wanted);
  if (!isAsymmetric && isObject(wanted) && isObject(found)) {
    const keys = Object.keys(isExact ? { ...wanted, ...found } : wanted);
    return keys.flatMap((key) => listDifferences(wanted[key], found[key], joinPath(path, key), isExact));
  }
  if (Array.isArray(wanted) && Array.isArray(found) && wanted.length === found.length) {
    return wanted.flatMap((value, i) => listDifferences(value, found[i], joinPath(path, i), isExact));
  }
  const isMatch = isAsymmetric ? wanted.asymmetricMatch(found) : Object.is(wanted, found);
  return isMatch ? [] : [`${path}: expected ${formatValue(wanted)}, found ${formatValue(found)}`];
}

/** Lists the differences between two values, further keys among them. Empty for equal values. */
export const compareExactly = (wanted: unknown, found: unknown): string[] => listDifferences(wanted, found, '', true);
