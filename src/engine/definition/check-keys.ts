import { formatValue } from '../lib/messages.js';
import type { CollectionSpec, IndexSpec, IndexSpecs } from '../store/collection.js';
import { DefinitionError } from './service-errors.js';

const SCALARS = ['string', 'number', 'boolean'];

/** Describes the first key of an index that a record does not have. */
function findMissing<R>({ sortKeys, project }: IndexSpec<R, unknown>, record: R): string | undefined {
  const keys = project(record).flatMap((entry) => sortKeys.map(({ get }, i) => [i + 1, get(entry)] as const));
  const missing = keys.find(([, key]) => !SCALARS.includes(typeof key));
  return missing && `its key ${missing[0]} is ${formatValue(missing[1])}`;
}

/**
 * Checks the indexes of a collection by a record: a sort key is a function, which only a record can show to be wrong.
 * @throws DefinitionError for a key that the record does not have
 */
export function checkKeys<R>(
  { name, identity, indexes }: CollectionSpec<R, IndexSpecs<R>> & { readonly name: string },
  record: R,
): void {
  const id = identity.sortKeys.map(({ get }) => get(record)).join(':');
  const all = Object.entries(indexes).map(([index, spec]) => [`indexes.${index}`, spec] as const);
  const problems = [['identity', identity] as const, ...all].flatMap(([path, spec]) => {
    const missing = findMissing(spec, record);
    const message = `${missing} for the record ${formatValue(id)}; expected a text, a number or a boolean.`;
    return missing === undefined ? [] : [{ path, message }];
  });
  if (problems.length > 0) throw new DefinitionError(`collection ${name}`, problems);
}
