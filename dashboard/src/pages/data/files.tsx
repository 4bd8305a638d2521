import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { withQuery } from '../../lib/api.js';
import { formatNoun, formatNumber, formatTime } from '../../lib/format.js';
import { at, place, setQuery } from '../../lib/location.js';
import { lookUp } from '../../lib/look-up.js';
import { useResource } from '../../lib/resource.js';
import type { RecordFile, RecordPage, Row } from '../../lib/types.js';
import { Code, type Language } from '../../ui/code.js';
import { Loading } from '../../ui/commit.js';
import { Empty, ErrorMessage, Field } from '../../ui/elements.js';
import { BranchDifference, filesPath } from './branch-difference.js';
import { textOf } from './columns.js';
import { SmallTable } from './small-table.js';
import { commits } from './views/commits.js';

/** Versions that can be chosen: the newest. */
const MAX_VERSIONS = 200;
/** Branches of a project. */
const MAX_BRANCHES = 100;

const useCommits = (branchId: string) =>
  useResource<RecordPage>(
    withQuery('/records/commits', {
      where: JSON.stringify({ branchId }),
      sort: 'version',
      order: 'desc',
      limit: MAX_VERSIONS,
      at: at.value,
    }),
  );

interface ChoiceProps {
  readonly label: string;
  /** The key of the address that has the choice. */
  readonly name: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
}

const Choice = ({ label, name, value, choices }: ChoiceProps) => (
  <Field label={label}>
    <select value={value} onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}>
      {choices.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  </Field>
);

/** Lists the versions of a branch: 0 has no commit, unless it is the start of a fork. */
const listVersions = (commits: readonly Row[]): (readonly [string, string])[] => {
  const listed = commits.map(
    ({ version, createdAt }) => [textOf(version), `${textOf(version)} · ${formatTime(textOf(createdAt))}`] as const,
  );
  return listed.some(([version]) => version === '0') || commits.length === MAX_VERSIONS
    ? listed
    : [...listed, ['0', '0'] as const];
};

/** Finds the version that the address names. */
const findVersion = (versions: readonly (readonly [string, string])[], name: string, fallback: number): string =>
  versions.find(([version]) => version === place.value.query.get(name))?.[0] ?? versions[fallback]?.[0] ?? '0';

/** Shows a branch of a project, which the address names. */
export function BranchOf({
  projectId,
  children,
}: {
  readonly projectId: string;
  readonly children: (branch: string) => ComponentChildren;
}) {
  const where = JSON.stringify({ projectId });
  const query = { where, sort: 'createdAt', order: 'asc', limit: MAX_BRANCHES, at: at.value };
  const { data, error } = useResource<RecordPage>(withQuery('/records/branches', query));
  if (error) return <ErrorMessage error={error} />;
  if (!data) return <Loading />;
  const { records } = data;
  const wanted = place.value.query.get('branch');
  const branch =
    records.find(({ name }) => name === wanted) ?? records.find(({ name }) => name === 'main') ?? records[0];
  if (!branch) return <Empty title="No branches" />;
  const choices = records.map(({ name }) => [textOf(name), textOf(name)] as const);
  return (
    <div class="stack">
      {records.length > 1 && (
        <div class="compare-bar">
          <Choice label="Branch" name="branch" value={textOf(branch.name)} choices={choices} />
        </div>
      )}
      {children(branch.id)}
    </div>
  );
}

/** The files of a branch at a version, and the text of one of them. */
export function BranchFiles({ branch }: { readonly branch: string }) {
  const commits = useCommits(branch);
  const versions = listVersions(commits.data?.records ?? []);
  const version = findVersion(versions, 'version', 0);
  const { data, error } = useResource<readonly RecordFile[]>(filesPath(branch, { version }));
  const problem = commits.error ?? error;
  if (problem) return <ErrorMessage error={problem} />;
  if (!commits.data || !data) return <Loading />;
  const texts = data.filter(({ size }) => size !== null);
  const chosen = texts.find(({ path }) => path === place.value.query.get('file'));
  const shown = chosen ?? texts.find(({ path }) => /^(?:main|index|readme)\b/i.test(path)) ?? texts[0];
  return (
    <div class="stack">
      <div class="compare-bar">
        <Choice label="Version" name="version" value={version} choices={versions} />
        <span class="muted">
          {formatNumber(texts.length)} {formatNoun(texts.length, 'files')}
        </span>
      </div>
      {shown ? (
        <div class="project-files">
          <nav aria-label="Files">
            <Tree files={data} current={shown.path} />
          </nav>
          <FileText key={`${version} ${shown.path}`} branch={branch} version={version} path={shown.path} />
        </div>
      ) : (
        <Empty title="This version has no files" />
      )}
    </div>
  );
}

/** Directories as lists in each other. */
function Tree({ files, current }: { readonly files: readonly RecordFile[]; readonly current: string }) {
  const byFolder = useMemo(() => {
    const lists = new Map<string, RecordFile[]>();
    for (const file of files) {
      const folder = file.path.slice(0, Math.max(0, file.path.lastIndexOf('/')));
      lists.set(folder, [...(lists.get(folder) ?? []), file]);
    }
    return lists;
  }, [files]);
  const list = (folder: string): ComponentChildren => (
    <ul>
      {byFolder.get(folder)?.map(({ id, path, size }) => {
        const name = path.slice(path.lastIndexOf('/') + 1);
        return (
          <li key={id}>
            {size === null ? (
              <>
                <span class="muted">{name}/</span>
                {byFolder.has(path) && list(path)}
              </>
            ) : (
              <button
                type="button"
                class="file"
                aria-current={path === current}
                onClick={() => setQuery({ file: path })}
              >
                {name}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
  return <>{list('')}</>;
}

const LANGUAGES: Readonly<Record<string, Language>> = { json: 'json', sh: 'bash' };

const languageOf = (path: string): Language =>
  lookUp(LANGUAGES, path.split('.').at(-1) ?? '') ?? (/\.[cm]?[jt]sx?$/.test(path) ? 'tsx' : 'text');

/** Formats the further fields of a file: `type: http`. */
const formatFields = (fields: RecordFile['fields']): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${textOf(value)}`)
    .join(', ');

function FileText({ branch, version, path }: Readonly<Record<'branch' | 'version' | 'path', string>>) {
  const { data, error } = useResource<readonly RecordFile[]>(filesPath(branch, { version, path }));
  if (error) return <ErrorMessage error={error} />;
  const [file] = data ?? [];
  if (!file) return <Loading />;
  return (
    <section aria-label={path}>
      <p class="mono">
        {path} <span class="muted">{formatFields(file.fields)}</span>
      </p>
      <Code text={file.text ?? ''} language={languageOf(path)} />
    </section>
  );
}

/** The difference of two versions of a branch, and the list of all. */
export function BranchVersions({ branch }: { readonly branch: string }) {
  const { data, error } = useCommits(branch);
  if (error) return <ErrorMessage error={error} />;
  if (!data) return <Loading />;
  const versions = listVersions(data.records);
  const to = findVersion(versions, 'to', 0);
  const from = findVersion(
    versions,
    'from',
    Math.min(versions.findIndex(([each]) => each === to) + 1, versions.length - 1),
  );
  return (
    <div class="stack">
      <div class="compare-bar">
        <Choice label="Version" name="from" value={from} choices={versions} />
        <Choice label="Compared with" name="to" value={to} choices={versions} />
      </div>
      <BranchDifference branch={branch} from={from} to={to} />
      {data.records.length > 0 && (
        <div class="boxed">
          <SmallTable collection="commits" columns={commits.columns} records={data.records} label="Versions" />
        </div>
      )}
      {data.total > data.records.length && (
        <p class="muted">
          These are the newest {data.records.length} of {data.total}.
        </p>
      )}
    </div>
  );
}
