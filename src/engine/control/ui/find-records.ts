import type { AnyDefinition } from '../../definition/define.js';
import { findRecord, getRecordId, getRecords } from '../../definition/definitions.js';
import { StateNames } from '../../fixtures/names.js';
import { inSteps, type Steps } from '../../lib/steps.js';
import { findNamed } from '../../sandbox/record-references.js';
import type { State } from '../../state/state.js';

export interface Found {
  readonly collection: string;
  readonly id: string;
  readonly name: string;
  /** Path of a file of the record, if that was found. */
  readonly file?: string;
}

/** Characters of an id from which its beginning finds the record. */
const ID_PREFIX = 4;
/** The rank of a match by the beginning of an id: as of a name. */
const PREFIX_RANK = 2;

/** The ways to match, the best first: the whole, its last part, its beginning, the beginning of a part, any part. */
const MATCHES: readonly ((name: string, text: string) => boolean)[] = [
  (name, text) => name === text,
  (name, text) => name.endsWith(`/${text}`),
  (name, text) => name.startsWith(text),
  (name, text) => name.includes(`/${text}`),
  (name, text) => name.includes(text),
];

/** Finds records by their ids, names and files, the best matches first. */
export function* findRecords(state: State, q: string, limit: number): Steps<Found[]> {
  const text = q.trim().toLowerCase();
  const names = new StateNames(state);
  const found = MATCHES.map((): Found[] => []);
  const add = (rank: number, each: Found) => {
    const list = found[rank];
    if (list && list.length < limit) list.push(each);
  };
  const addFiles = ({ name: collection, files }: AnyDefinition, each: object, id: string, name: string) => {
    for (const { path, text: content } of files?.list(state, each) ?? []) {
      const rank = content === null ? -1 : MATCHES.findIndex((matches) => matches(path.toLowerCase(), text));
      add(rank, { collection, id, name, file: path });
    }
  };
  const named = findNamed(state, q.trim());
  for (const definition of text === '' ? [] : state.definitions.all) {
    const { name: collection } = definition;
    const records = getRecords(state, collection);
    const id = named?.definition === definition ? named.id : q.trim();
    const exact = findRecord(state, definition, id);
    if (exact) add(0, { collection, id, name: definition.display(names, exact) });
    yield* inSteps(records, (each) => {
      if (each === exact) return;
      const id = getRecordId(records, each);
      const name = definition.display(names, each);
      const isId = text.length >= ID_PREFIX && id.startsWith(text);
      add(isId ? PREFIX_RANK : MATCHES.findIndex((matches) => matches(name.toLowerCase(), text)), {
        collection,
        id,
        name,
      });
      addFiles(definition, each, id, name);
    });
  }
  return found.flat().slice(0, limit);
}
