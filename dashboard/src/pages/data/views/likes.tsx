import type { Row } from '../../../lib/types.js';
import { created, exactTime, main, Time, textOf, UserLink, ValLink, val } from '../columns.js';
import type { Content } from '../content.js';
import { CREATED, VAL, type View } from '../view.js';

function describeLike(like: Row): Content {
  return {
    properties: {
      User: <UserLink row={like} field="user" />,
      Val: <ValLink row={like} />,
      Created: exactTime(like.createdAt),
    },
  };
}

export const likes: View = {
  name: (row) => `${textOf(row.user)} likes ${textOf(row.val)}`,
  columns: [
    {
      ...created,
      title: 'Liked',
      render: main(
        'likes',
        (row) => <Time value={row.createdAt} />,
        (row) => `${textOf(row.user)} likes ${textOf(row.val)}`,
      ),
    },
    { title: 'User', sort: 'user', render: (row) => <UserLink row={row} field="user" /> },
    val,
  ],
  form: [{ name: 'user', label: 'User', required: true, kind: 'users' }, VAL, CREATED],
  describe: describeLike,
};
