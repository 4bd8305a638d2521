import { isDeepStrictEqual } from 'node:util';
import { formatContent } from '#engine/definition/content.js';
import type { Fields } from '#engine/definition/context.js';
import { fileFields } from '#vals/projects/file-records.collection.js';
import { NOUNS, type PulledRow } from './nouns.js';
import { PAGED, type Reader } from './reader.js';

// A branch of fixtures is made of commits, but the service lists files only. A commit has what differs from the last version before
// that was read, each file with its version and time. One that was not read is empty.

/** Versions of a branch that fixtures have, since each is a commit. */
const MOST_VERSIONS = 10_000;
const FILES = '/v2/vals/{val_id}/files';

/** Where the service has the text of a file. */
interface Source {
  readonly branch_id: string;
  readonly version: string;
}

/** A file or a directory, as a version of a branch has it. */
interface File {
  readonly id: string;
  readonly path: string;
  /** The fields that fixtures have under the same keys. */
  readonly fields: Fields;
  readonly version: number;
  readonly updatedAt: string;
}

/** The files of a branch in one version, by id. */
interface Snapshot {
  readonly files: ReadonlyMap<string, File>;
  readonly source: Source;
}

/** The files that a commit changes, by path. Null for a deleted one */
type Changes = Map<string, { readonly file: File; readonly source: Source } | null>;

interface Branch {
  readonly item: Fields;
  readonly id: string;
  readonly version: number;
  /** The versions that were read. */
  readonly snapshots: Map<number, Snapshot>;
}

/** Reads the branches of a project with their files. @param history whether to read all versions, not only the first and the last */
export async function readBranches(reader: Reader, above: Fields, history: boolean): Promise<PulledRow[]> {
  const items = (await reader.list(NOUNS.branches.list, above, PAGED, true)) ?? [];
  const branches = await Promise.all(items.map((item) => readBranch(reader, above, item, history)));
  const based = branches.map((branch) => {
    const parent = branches.find(({ id }) => id === branch.item.forkedBranchId);
    const version = parent && findBase(parent, branch);
    return { branch, base: version === undefined ? null : { from: parent?.item.name, version } };
  });
  // A branch that starts from another one may have added a version to it.
  const rows = based.map(async ({ branch, base }): Promise<PulledRow[]> => {
    const { name, id, createdAt } = branch.item;
    const row = { project: above.val_id, name, id, createdAt, ...(base ?? { from: null, version: null }) };
    const commits = [...listCommits(branch, base === null)].sort(([a], [b]) => a - b);
    return [
      ['branches', row],
      ...(await Promise.all(commits.map((commit) => readCommit(reader, above, branch, commit)))),
    ];
  });
  return (await Promise.all(rows)).flat();
}

const pickFields = (item: Fields): Fields =>
  Object.fromEntries(Object.keys(fileFields).flatMap((key) => (item[key] === undefined ? [] : [[key, item[key]]])));

async function readBranch(reader: Reader, above: Fields, item: Fields, history: boolean): Promise<Branch> {
  const [id, found] = [String(item.id), Number(item.version)];
  const version = Number.isSafeInteger(found) ? Math.max(0, Math.min(found, MOST_VERSIONS)) : 0;
  if (version !== found)
    reader.note(`The versions of the branch ${item.name}: fixtures have at most ${MOST_VERSIONS}.`);
  // The branch main begins without files.
  const first = item.name === 'main' ? Math.min(1, version) : 0;
  const wanted = history ? Array.from({ length: version + 1 - first }, (_, i) => first + i) : [first, version];
  const snapshots = new Map<number, Snapshot>();
  const reading = [...new Set(wanted)].map(async (each) => {
    const source = { branch_id: id, version: String(each === version ? found : each) };
    const listed = await reader.list(FILES, above, { ...PAGED, path: '', recursive: 'true', ...source }, true);
    const files = listed?.map((file) => ({
      ...{ id: String(file.id), path: String(file.path), fields: pickFields(file) },
      ...{ version: Number(file.version), updatedAt: String(file.updatedAt) },
    }));
    if (files) snapshots.set(each, { files: new Map(files.map((file) => [file.id, file])), source });
  });
  await Promise.all(reading);
  return { item, id, version, snapshots };
}

/**
 * Finds the version of a branch that another one starts from: one with the same files, or the first one that was not read and may
 * have had them. Undefined for none.
 */
function findBase(parent: Branch, { snapshots }: Branch): number | undefined {
  const start = snapshots.get(0);
  if (!start) return parent.version;
  const same = [...parent.snapshots].filter(([, { files }]) => isDeepStrictEqual(files, start.files));
  if (same.length > 0) return Math.max(...same.map(([version]) => version));
  if (start.files.size === 0) return 0;
  const newest = [...start.files.values()].reduce((most, { version }) => Math.max(most, version), 1);
  for (let version = newest; version <= parent.version; version++) {
    if (parent.snapshots.has(version)) continue;
    parent.snapshots.set(version, start);
    return version;
  }
  return undefined;
}

/** Lists the changes of the commits of a branch. @param isRoot whether its first files are of no other branch */
function listCommits({ version: latest, snapshots }: Branch, isRoot: boolean): Map<number, Changes> {
  const all = new Map(Array.from({ length: latest }, (_, i): [number, Changes] => [i + 1, new Map()]));
  let before: Snapshot['files'] = new Map();
  let last = 0;
  for (const [version, { files, source }] of [...snapshots].sort(([a], [b]) => a - b)) {
    const changes: Changes = new Map();
    for (const { id, path } of before.values()) if (!files.has(id)) changes.set(path, null);
    for (const file of files.values()) {
      // A file that a fork has changed may look like that of its parent, if time stands still.
      const isNew = file.version > last && file.version <= version;
      if (isNew || !isDeepStrictEqual(before.get(file.id), file)) changes.set(file.path, { file, source });
    }
    if (version > 0 || (isRoot && files.size > 0)) all.set(version, changes);
    before = files;
    last = version;
  }
  return all;
}

/** Reads the texts of the files of a commit. Its time is that of the files that it changed last, if any shows it. */
async function readCommit(
  reader: Reader,
  above: Fields,
  { id, version: latest, item }: Branch,
  [version, changes]: readonly [number, Changes],
): Promise<PulledRow> {
  const own = [...changes.values()].flatMap((change) =>
    change?.file.version === version ? change.file.updatedAt : [],
  );
  const createdAt = version === 0 ? item.createdAt : version === latest ? item.updatedAt : own.sort().at(-1);
  const files = await Promise.all(
    Array.from(changes, async ([path, change]): Promise<readonly (readonly [string, unknown])[]> => {
      if (!change) return [[path, null]];
      const { file, source } = change;
      const isText = file.fields.type !== 'directory';
      const reply = isText ? await reader.read(`${FILES}/content`, above, { path, ...source }) : undefined;
      if (isText && !reply) return [];
      const times = {
        ...(file.version !== version && { version: file.version }),
        ...(file.updatedAt !== createdAt && { updatedAt: file.updatedAt }),
      };
      return [[path, { id: file.id, ...file.fields, ...(reply && formatContent(reply.bytes)), ...times }]];
    }),
  );
  return ['commits', { branch: id, version, createdAt, files: Object.fromEntries(files.flat()) }];
}
