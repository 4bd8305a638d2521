import { withQuery } from '../../lib/api.js';
import { at, pathOf } from '../../lib/location.js';
import { useResource } from '../../lib/resource.js';
import type { RecordFile } from '../../lib/types.js';
import { Loading } from '../../ui/commit.js';
import { ErrorMessage } from '../../ui/elements.js';
import { FileDiffs } from '../../ui/lines.js';

export const filesPath = (branch: string, query: Readonly<Record<string, string | number | undefined>>): string =>
  withQuery(`/records${pathOf('branches', branch, 'files')}`, { ...query, at: at.value });

/** The files that differ between two versions, by line. */
export function BranchDifference({ branch, from, to }: Readonly<Record<'branch' | 'from' | 'to', string>>) {
  const { data, error } = useResource<readonly RecordFile[]>(filesPath(branch, { from, version: to }));
  if (error) return <ErrorMessage error={error} />;
  if (!data) return <Loading />;
  if (data.length === 0) return <p class="muted">Both have the same files.</p>;
  return <FileDiffs texts={data.flatMap(({ lines }) => lines ?? [])} />;
}
