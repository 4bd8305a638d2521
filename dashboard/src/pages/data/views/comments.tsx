import { formatValue } from '../../../lib/format.js';
import type { Row } from '../../../lib/types.js';
import { visible } from '../../../ui/invisible.js';
import { created, exactTime, main, textOf, UserLink, ValLink, val } from '../columns.js';
import { type Content, Id } from '../content.js';
import { AUTHOR, CREATED, VAL, type View } from '../view.js';

function describeComment(comment: Row): Content {
  return {
    properties: {
      Author: <UserLink row={comment} field="author" />,
      Val: <ValLink row={comment} />,
      Created: exactTime(comment.createdAt),
      Id: <Id id={comment.id} />,
    },
    parts: [{ id: 'comment', title: 'Comment', content: <p class="text">{visible(textOf(comment.comment))}</p> }],
  };
}

export const comments: View = {
  name: (row) => formatValue(row.comment, 80),
  columns: [
    { title: 'Comment', sort: 'comment', render: main('comments', (row) => formatValue(row.comment, 160)) },
    { title: 'Author', sort: 'author', width: 110, render: (row) => <UserLink row={row} field="author" /> },
    { ...val, width: 220, isWide: true },
    created,
  ],
  form: [AUTHOR, VAL, { name: 'comment', label: 'Comment', required: true, kind: 'lines', hint: 'Markdown' }, CREATED],
  describe: describeComment,
};
