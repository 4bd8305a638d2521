import { formatNumber } from '../../../lib/format.js';
import type { RecordDetail, Row } from '../../../lib/types.js';
import { Code } from '../../../ui/code.js';
import { Badge, Empty } from '../../../ui/elements.js';
import { created, exactTime, main, Time, textOf, UserLink } from '../columns.js';
import { type Content, Id, tableOf } from '../content.js';
import { CompareVersions } from '../versions.js';
import { AUTHOR, type View } from '../view.js';

export const PrivacyBadge = ({ value }: { readonly value: unknown }) => (
  <Badge kind={value === 'private' ? 'changed' : value === 'unlisted' ? 'warn' : ''}>{textOf(value)}</Badge>
);

function describeVal(val: Row, { related }: RecordDetail): Content {
  const { id } = val;
  return {
    properties: {
      Author: <UserLink row={val} field="author" />,
      Type: <Badge>{textOf(val.type)}</Badge>,
      Privacy: <PrivacyBadge value={val.privacy} />,
      Version: textOf(val.version),
      Created: exactTime(val.createdAt),
      Updated: exactTime(val.versionCreatedAt),
      Id: <Id id={id} />,
    },
    parts: [
      { id: 'code', title: 'Code', content: <Code text={textOf(val.code)} /> },
      {
        id: 'readme',
        title: 'Readme',
        content: val.readme === null ? <Empty title="No readme" /> : <p class="text">{textOf(val.readme)}</p>,
      },
      {
        id: 'versions',
        title: (
          <>
            Versions <span class="count">{formatNumber(related.versions?.total ?? 0)}</span>
          </>
        ),
        content: <CompareVersions valId={id} />,
      },
    ],
    related: {
      runs: tableOf('runs', { valId: id }),
      likes: tableOf('likes', { valId: id }),
      comments: tableOf('comments', { valId: id }),
      imports: undefined,
      importers: undefined,
    },
  };
}

export const vals: View = {
  name: (row) => `${textOf(row.author)}/${textOf(row.name)}`,
  columns: [
    { title: 'Name', sort: 'name', render: main('vals', (row) => textOf(row.name)) },
    { title: 'Author', sort: 'author', width: 110, render: (row) => <UserLink row={row} field="author" /> },
    { title: 'Type', sort: 'type', width: 110, isWide: true, render: (row) => <Badge>{textOf(row.type)}</Badge> },
    { title: 'Privacy', sort: 'privacy', width: 100, render: (row) => <PrivacyBadge value={row.privacy} /> },
    { title: 'Version', sort: 'version', width: 90, isWide: true, render: (row) => textOf(row.version) },
    { ...created, isWide: true },
    {
      title: 'Updated',
      sort: 'versionCreatedAt',
      width: 110,
      isWide: true,
      render: (row) => <Time value={row.versionCreatedAt} />,
    },
  ],
  form: [
    AUTHOR,
    { name: 'name', label: 'Name', required: true },
    { name: 'type', label: 'Type', kind: ['script', 'http', 'interval', 'email', 'express', 'rpc', 'httpnext'] },
    { name: 'privacy', label: 'Privacy', kind: ['public', 'unlisted', 'private'] },
    { name: 'code', label: 'Code', required: true, kind: 'code' },
    { name: 'readme', label: 'Readme', kind: 'lines', hint: 'Markdown' },
  ],
  added: ['runs', 'likes', 'comments', 'versions'],
  note: 'Vals that import it keep their code; the import then leads to nothing.',
  describe: describeVal,
};
