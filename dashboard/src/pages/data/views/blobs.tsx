import { formatBytes } from '../../../lib/format.js';
import { pathOf } from '../../../lib/location.js';
import type { Row } from '../../../lib/types.js';
import { BlobView } from '../blob.js';
import { created, exactTime, main, textOf, UserLink } from '../columns.js';
import type { Content } from '../content.js';
import type { View } from '../view.js';

function describeBlob(blob: Row): Content {
  return {
    properties: {
      User: <UserLink row={blob} field="user" />,
      Size: formatBytes(Number(blob.size)),
      Stored: exactTime(blob.createdAt),
    },
    parts: [{ id: 'content', title: 'Content', content: <BlobView id={textOf(blob.id)} /> }],
  };
}

export const blobs: View = {
  name: (row) => textOf(row.key),
  columns: [
    { title: 'Key', sort: 'key', render: main('blobs', (row) => textOf(row.key)) },
    { title: 'User', sort: 'user', width: 110, render: (row) => <UserLink row={row} field="user" /> },
    { title: 'Size', width: 110, render: (row) => formatBytes(Number(row.size)) },
    { ...created, title: 'Stored' },
  ],
  form: [
    { name: 'user', label: 'User', required: true, kind: 'users' },
    { name: 'key', label: 'Key', required: true },
    { name: 'text', label: 'Content', kind: 'lines', hint: 'Text' },
  ],
  content: ({ id }) => pathOf('blobs', id),
  describe: describeBlob,
};
