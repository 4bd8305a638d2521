import { type Static, Type } from 'typebox';
import type { AnyDefinition } from '../definition/define.js';
import { findRecord, getRecordId, getRecords } from '../definition/definitions.js';
import { record, strictObject } from '../lib/schema.js';
import { inSteps, type Steps } from '../lib/steps.js';
import { At, getStateAt } from '../sandbox/history.js';
import { findNamed } from '../sandbox/record-history.js';
import { StateNames } from '../seed/names.js';
import type { State } from '../state/state.js';
import { controlRoute } from './route.js';

const Found = record('FoundRecord', {
  collection: Type.String(),
  id: Type.String(),
  name: Type.String({ description: 'As commits name it: `ada/hello`' }),
  file: Type.Optional(Type.String({ description: 'Path of a file of the record, if that was found' })),
});
type Found = Static<typeof Found>;

/** Records in a response. */
const DEFAULT_FOUND = 20;
const MAX_FOUND = 100;
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
function* findRecords(state: State, q: string, limit: number): Steps<Found[]> {
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

export const findRoutes = [
  controlRoute('GET', '/_emulator/find', 'Find records of any collection by id, name or path of a file, best first', {
    id: 'findRecords',
    query: strictObject({
      q: Type.String({
        maxLength: 200,
        description: 'An id or its first letters, a part of a name or path, or a reference such as `users/<id>`',
      }),
      at: At,
      limit: Type.Integer({ minimum: 1, maximum: MAX_FOUND, default: DEFAULT_FOUND, description: 'Records at most' }),
    }),
    response: Type.Array(Found),
    errors: [400, 403, 404],
    example: { query: { q: 'ada/hello' } },
    handle: ({ sandbox, query: { q, at, limit } }) => findRecords(getStateAt(sandbox.store, at).state, q, limit),
  }),
];
