import { type Static, Type } from 'typebox';
import { TextDiffer } from '../../changes/text-changes.js';
import type { RecordFile } from '../../definition/define.js';
import type { Definitions } from '../../definition/definitions.js';
import { NotFoundError } from '../../lib/errors.js';
import { formatValue } from '../../lib/messages.js';
import { At, getStateAt } from '../../sandbox/history-entries.js';
import { Nullable } from '../../schema/common.js';
import { mapOf, record, strictObject } from '../../schema/schema.js';
import type { State } from '../../state/state.js';
import { toRecordPath } from '../records.js';
import type { Resource } from '../resources.js';
import { controlRoute, forPage } from '../route.js';

const recordFile = record('RecordFile', {
  id: Type.String({ description: 'Stays when the file moves' }),
  path: Type.String(),
  fields: mapOf(Type.Unknown(), { description: 'Further fields' }),
  size: Nullable(Type.Integer({ description: 'Characters; null for a directory' })),
  text: Type.Optional(Nullable(Type.String({ description: 'With `path` only' }))),
  lines: Type.Optional(Type.String({ description: 'With `from` only: the unified difference from that version' })),
});
export interface RecordFileEntry extends Static<typeof recordFile> {}
const Files = Type.Array(Type.Unsafe<RecordFileEntry>(recordFile));

const MAX_VERSION = 2_147_483_647;
const Version = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_VERSION, description }));

const FilesQuery = strictObject({
  at: At,
  version: Version('A version of the record. Default: the latest'),
  path: Type.Optional(Type.String({ description: 'Only the file at this path, with its text' })),
  from: Version('Only the files that differ from this version, with their differences; about 1 MB in all'),
});

/**
 * Lists the files of a record at a version: all, one with its text, or those that differ from another version.
 * @throws NotFoundError
 */
function listRecordFiles(
  { definition, get, collection }: Resource,
  state: State,
  id: string,
  { version, path, from }: Omit<Static<typeof FilesQuery>, 'at'>,
): RecordFileEntry[] {
  const record = get(state, id);
  if (!definition.files) throw new NotFoundError(`Records of ${collection} have no files.`);
  const { list } = definition.files;
  const read = (number?: number) => {
    const found = list(state, record, number);
    if (found) return [...found];
    throw new NotFoundError(`There is no version ${number} of ${id} in ${collection}.`);
  };
  const toEntry = ({ id, path, fields, text }: RecordFile) => ({
    ...{ id, path, fields: { ...fields } },
    size: text?.length ?? null,
  });
  const files = read(version);
  if (from !== undefined) {
    const changed = new TextDiffer().compareFiles(read(from), files);
    const found = changed.map(({ file, lines }) => ({ ...toEntry(file), lines }));
    return path === undefined ? found : found.filter((file) => file.path === path);
  }
  if (path === undefined) return files.map(toEntry);
  const file = files.find((each) => each.path === path);
  if (!file) throw new NotFoundError(`There is no file ${formatValue(path)} in ${id} of ${collection}.`);
  return [{ ...toEntry(file), text: file.text }];
}

export const makeRecordFileRoutes = (definitions: Definitions) => [
  forPage(
    controlRoute('GET', '/_emulator/records/{collection}/{id}/files', 'List the files of a record, one with its text', {
      id: 'listRecordFiles',
      params: toRecordPath(definitions),
      query: FilesQuery,
      response: Files,
      errors: [400, 403, 404],
      handle: ({ emulator: { resources }, sandbox, params: { collection, id }, query: { at, ...wanted } }) =>
        listRecordFiles(resources.get(collection), getStateAt(sandbox.store, at).state, id, wanted),
    }),
  ),
];
