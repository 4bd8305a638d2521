import { at } from '../../../lib/location.js';
import { useResource } from '../../../lib/resource.js';
import type { EmulatorUser, Row } from '../../../lib/types.js';
import { Badge, CopyButton } from '../../../ui/elements.js';
import { Muted, main, textOf } from '../columns.js';
import { type Content, Id, tableOf } from '../content.js';
import type { View } from '../view.js';

/** A picture that is in the record itself; a link to any other, since the page loads nothing from another host. */
const Picture = ({ value }: { readonly value: string }) =>
  value.startsWith('data:image/') ? <img class="picture" src={value} alt="" /> : <Url value={value} />;

/** A link, if it is one of the web. */
const Url = ({ value }: { readonly value: string }) =>
  /^https?:\/\//i.test(value) ? (
    <a href={value} target="_blank" rel="noreferrer noopener">
      {value}
    </a>
  ) : (
    <code class="clamp">{value}</code>
  );

/** The token of a user, which records do not have. */
function Token({ id }: { readonly id: string }) {
  const { data } = useResource<readonly EmulatorUser[]>('/users');
  const token = data?.find((user) => user.id === id)?.token;
  if (token === undefined) return <>–</>;
  return (
    <span class="copied">
      <code>{token}</code>
      <CopyButton text={token} label="Copy the token" />
    </span>
  );
}

function describeUser(user: Row): Content {
  const { id } = user;
  return {
    properties: {
      Id: <Id id={id} />,
      ...(at.value === undefined && { Token: <Token id={id} /> }),
      Email: textOf(user.email),
      Tier: user.tier === null ? '–' : <Badge>{textOf(user.tier)}</Badge>,
      Bio: user.bio === null ? '–' : textOf(user.bio),
      Picture: user.profileImageUrl === null ? '–' : <Picture value={textOf(user.profileImageUrl)} />,
    },
    related: {
      vals: tableOf('vals', { userId: id }),
      runs: tableOf('runs', { userId: id }),
      likes: tableOf('likes', { userId: id }),
      comments: tableOf('comments', { userId: id }),
      blobs: tableOf('blobs', { userId: id }),
      sqlite: tableOf('sqlite', { userId: id }),
    },
  };
}

export const users: View = {
  name: (row) => textOf(row.username) || row.id,
  columns: [
    {
      title: 'Username',
      sort: 'username',
      render: main('users', (row) => textOf(row.username) || 'No username'),
    },
    { title: 'Email', sort: 'email', render: (row) => textOf(row.email) },
    {
      title: 'Tier',
      sort: 'tier',
      width: 90,
      isWide: true,
      render: (row) => row.tier !== null && <Badge>{textOf(row.tier)}</Badge>,
    },
    { title: 'Bio', sort: 'bio', isWide: true, render: (row) => row.bio !== null && <Muted value={row.bio} /> },
  ],
  form: [
    { name: 'username', label: 'Username', required: true },
    { name: 'email', label: 'Email', hint: 'Default: username@example.com' },
    { name: 'token', label: 'Token', hint: 'Default: username-token' },
    { name: 'tier', label: 'Tier', kind: ['free', 'pro'] },
    { name: 'bio', label: 'Bio', kind: 'lines' },
  ],
  added: ['vals'],
  note: 'What others have on these vals goes with them: likes and comments.',
  describe: describeUser,
};
