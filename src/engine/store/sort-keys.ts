export type Scalar = string | number | boolean;

export interface SortKey<E> {
  get(entry: E): Scalar;
  readonly descending: boolean;
}

export const asc = <E>(get: (entry: E) => Scalar): SortKey<E> => ({ get, descending: false });
export const desc = <E>(get: (entry: E) => Scalar): SortKey<E> => ({ get, descending: true });

export function compareEntries<E>(sortKeys: readonly SortKey<E>[], a: E, b: E): number {
  for (const key of sortKeys) {
    const ofA = key.get(a);
    const ofB = key.get(b);
    if (ofA !== ofB) return ofA < ofB !== key.descending ? -1 : 1;
  }
  return 0;
}
