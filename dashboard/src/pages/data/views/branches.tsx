import type { Row } from '../../../lib/types.js';
import { created, exactTime, main, RecordLink, textOf } from '../columns.js';
import { type Content, Id, tableOf } from '../content.js';
import { BranchFiles, BranchVersions } from '../files.js';
import type { View } from '../view.js';

function describeBranch(branch: Row): Content {
  const { id } = branch;
  return {
    properties: {
      Project: (
        <RecordLink collection="projects" id={branch.projectId}>
          {textOf(branch.project)}
        </RecordLink>
      ),
      'Starts from': branch.from === null ? '–' : `${textOf(branch.from)} version ${textOf(branch.version)}`,
      Created: exactTime(branch.createdAt),
      Id: <Id id={id} />,
    },
    parts: [
      { id: 'files', title: 'Files', content: <BranchFiles branch={id} /> },
      { id: 'versions', title: 'Versions', content: <BranchVersions branch={id} /> },
    ],
    related: { forks: tableOf('branches', { projectId: textOf(branch.projectId) }) },
  };
}

export const branches: View = {
  name: (row) => `${textOf(row.project)}@${textOf(row.name)}`,
  columns: [
    {
      title: 'Name',
      sort: 'name',
      render: main(
        'branches',
        (row) => textOf(row.name),
        (row) => `of ${textOf(row.project)}`,
      ),
    },
    {
      title: 'Project',
      sort: 'project',
      render: (row) => (
        <RecordLink collection="projects" id={row.projectId}>
          {textOf(row.project)}
        </RecordLink>
      ),
    },
    { title: 'Starts from', sort: 'from', isWide: true, render: (row) => textOf(row.from) },
    created,
  ],
  form: [
    { name: 'project', label: 'Project', required: true, hint: 'As owner/name' },
    { name: 'name', label: 'Name', required: true },
    { name: 'from', label: 'Starts from', hint: 'The name of a branch. Default: main' },
  ],
  note: 'Branches that start from it keep their files.',
  describe: describeBranch,
};
