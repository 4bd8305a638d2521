import { formatNumber } from '../../../lib/format.js';
import type { Row } from '../../../lib/types.js';
import { Json } from '../../../ui/code.js';
import { Badge } from '../../../ui/elements.js';
import { BranchDifference } from '../branch-difference.js';
import { created, exactTime, main, RecordLink, textOf } from '../columns.js';
import type { Content } from '../content.js';
import type { View } from '../view.js';

const BranchLink = ({ row }: { readonly row: Row }) => (
  <RecordLink collection="branches" id={row.branchId}>
    {textOf(row.branch)}
  </RecordLink>
);

function describeCommit(commit: Row): Content {
  const version = Number(commit.version);
  return {
    properties: {
      Branch: <BranchLink row={commit} />,
      Version: textOf(commit.version),
      Kind: <Badge>{textOf(commit.kind)}</Badge>,
      Created: exactTime(commit.createdAt),
    },
    parts: [
      ...(version > 0
        ? [
            {
              id: 'changes',
              title: 'Changes',
              content: <BranchDifference branch={textOf(commit.branchId)} from={`${version - 1}`} to={`${version}`} />,
            },
          ]
        : []),
      { id: 'files', title: 'Changed files', content: <Json value={commit.files} /> },
    ],
  };
}

export const commits: View = {
  name: (row) => `${textOf(row.branch)} version ${textOf(row.version)}`,
  columns: [
    {
      title: 'Version',
      sort: 'version',
      width: 90,
      render: main(
        'commits',
        (row) => textOf(row.version),
        (row) => `version of ${textOf(row.branch)}`,
      ),
    },
    { title: 'Branch', sort: 'branch', render: (row) => <BranchLink row={row} /> },
    { title: 'Kind', sort: 'kind', width: 100, render: (row) => <Badge>{textOf(row.kind)}</Badge> },
    { title: 'Files', width: 90, isWide: true, render: (row) => formatNumber(Object.keys(Object(row.files)).length) },
    created,
  ],
  form: [
    { name: 'branch', label: 'Branch', required: true, hint: 'As owner/name@branch' },
    { name: 'files', label: 'Files', required: true, kind: 'json', hint: 'Texts by path; null deletes a file' },
    { name: 'kind', label: 'Kind', kind: ['multiple', 'single', 'merge', 'revert'] },
  ],
  note: 'Only the latest one of a branch can be deleted.',
  describe: describeCommit,
};
