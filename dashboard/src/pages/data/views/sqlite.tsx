import { formatBytes } from '../../../lib/format.js';
import type { Row } from '../../../lib/types.js';
import { exactTime, main, Time, textOf, UserLink } from '../columns.js';
import type { Content } from '../content.js';
import { DatabaseView } from '../database.js';
import type { View } from '../view.js';

function describeDatabase(database: Row): Content {
  return {
    properties: {
      User: <UserLink row={database} field="user" />,
      Size: formatBytes(Number(database.size)),
      Updated: exactTime(database.updatedAt),
    },
    parts: [{ id: 'tables', title: 'Tables', content: <DatabaseView database={database} /> }],
  };
}

export const sqlite: View = {
  name: (row) => `SQLite database of ${textOf(row.user)}`,
  columns: [
    { title: 'User', sort: 'user', render: main('sqlite', (row) => textOf(row.user)) },
    { title: 'Size', width: 110, render: (row) => formatBytes(Number(row.size)) },
    { title: 'Updated', sort: 'updatedAt', width: 110, render: (row) => <Time value={row.updatedAt} /> },
  ],
  form: [
    { name: 'user', label: 'User', required: true, kind: 'users' },
    { name: 'sql', label: 'SQL', kind: 'code', hint: 'Statements that make its tables and rows' },
  ],
  describe: describeDatabase,
};
