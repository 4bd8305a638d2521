/** Adds a record, or a list of records. */
export interface Adder<I, T> {
  (record: I): T;
  (records: readonly I[]): T[];
}

const isList = <I>(input: I | readonly I[]): input is readonly I[] => Array.isArray(input);

export function makeAdder<I, T>(addOne: (record: I) => T, addAll: (records: readonly I[]) => T[]): Adder<I, T> {
  function addAny(record: I): T;
  function addAny(records: readonly I[]): T[];
  function addAny(input: I | readonly I[]): T | T[] {
    return isList(input) ? addAll(input) : addOne(input);
  }
  return addAny;
}
