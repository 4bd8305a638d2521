import { formatValue, joinPath } from './messages.js';
import { isAsymmetricMatcher, isObject } from './objects.js';

/** Lists the differences between two values. Empty for equal ones. */
export function compareValues(wanted: unknown, found: unknown): string[] {
  const problems = listDifferences(wanted, found);
  if (problems.length > 0) return problems;
  // Keys that only the found one has.
  return listDifferences(found, wanted).map((problem) =>
    problem.replace(/expected (.*), found (.*)$/s, 'expected $2, found $1'),
  );
}

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
