import type { RecordDetail, Row } from '../../../lib/types.js';
import { created, exactTime, Muted, main, RecordLink, textOf } from '../columns.js';
import { type Content, Id, tableOf } from '../content.js';
import { BranchFiles, BranchOf, BranchVersions } from '../files.js';
import type { View } from '../view.js';
import { PrivacyBadge } from './vals.js';

function describeProject(project: Row, { related }: RecordDetail): Content {
  const { id } = project;
  return {
    properties: {
      Owner: (
        <RecordLink collection={related.owner?.collection ?? 'users'} id={project.ownerId}>
          {textOf(project.owner)}
        </RecordLink>
      ),
      Privacy: <PrivacyBadge value={project.privacy} />,
      Description: textOf(project.description) || '–',
      Created: exactTime(project.createdAt),
      Id: <Id id={id} />,
    },
    parts: [
      {
        id: 'files',
        title: 'Files',
        content: <BranchOf projectId={id}>{(branch) => <BranchFiles key={branch} branch={branch} />}</BranchOf>,
      },
      {
        id: 'versions',
        title: 'Versions',
        content: <BranchOf projectId={id}>{(branch) => <BranchVersions key={branch} branch={branch} />}</BranchOf>,
      },
    ],
    related: {
      branches: tableOf('branches', { projectId: id }),
      environment: tableOf('environment', { projectId: id }),
      responses: tableOf('responses', { projectId: id }),
    },
  };
}

export const projects: View = {
  name: (row) => `${textOf(row.owner)}/${textOf(row.name)}`,
  columns: [
    { title: 'Name', sort: 'name', render: main('projects', (row) => textOf(row.name)) },
    { title: 'Owner', sort: 'owner', width: 110, render: (row) => textOf(row.owner) },
    { title: 'Privacy', sort: 'privacy', width: 100, render: (row) => <PrivacyBadge value={row.privacy} /> },
    {
      title: 'Description',
      sort: 'description',
      isWide: true,
      render: (row) => row.description !== null && <Muted value={row.description} />,
    },
    created,
  ],
  form: [
    { name: 'owner', label: 'Owner', required: true, hint: 'Username of a user or an organization' },
    { name: 'name', label: 'Name', required: true },
    { name: 'privacy', label: 'Privacy', kind: ['public', 'unlisted', 'private'] },
    { name: 'description', label: 'Description' },
    { name: 'files', label: 'Files', kind: 'json', hint: 'Texts by path, such as {"main.ts": "export const a = 1;"}' },
    { name: 'env', label: 'Variables', kind: 'json', hint: 'Values by key, such as {"API_KEY": "s3cret"}' },
  ],
  describe: describeProject,
};
