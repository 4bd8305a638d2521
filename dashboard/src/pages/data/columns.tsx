import type { ComponentChildren } from 'preact';
import { formatBytes, formatDuration, formatTime, formatValue } from '../../lib/format.js';
import { pathOf } from '../../lib/location.js';
import type { CollectionName, Row } from '../../lib/types.js';
import { Age, Badge, Link } from '../../ui/elements.js';

/** A column of the table of a collection. */
export interface Column {
  readonly title: string;
  /** The field to sort by, if any. */
  readonly sort?: string;
  /** Pixels. Default: a share of what the others leave */
  readonly width?: number;
  /** Whether it is left out on a phone. */
  readonly isWide?: boolean;
  readonly render: (row: Row) => ComponentChildren;
}

export const SINGULAR: Readonly<Record<CollectionName, string>> = {
  users: 'user',
  vals: 'val',
  versions: 'version',
  runs: 'run',
  likes: 'like',
  comments: 'comment',
  blobs: 'blob',
  sqlite: 'SQLite database',
};

export const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** How a record is called: as its fixture refers to it, or by its text. */
export function nameOf(collection: CollectionName, row: Row): string {
  if (collection === 'users') return textOf(row.username) || row.id;
  if (collection === 'vals') return `${textOf(row.author)}/${textOf(row.name)}`;
  if (collection === 'versions') return `${textOf(row.val)} version ${textOf(row.version)}`;
  if (collection === 'runs') return `Run of ${textOf(row.val)}`;
  if (collection === 'likes') return `${textOf(row.user)} likes ${textOf(row.val)}`;
  if (collection === 'blobs') return textOf(row.key);
  if (collection === 'sqlite') return `SQLite database of ${textOf(row.user)}`;
  return formatValue(row.comment, 80);
}

export const RecordLink = ({
  collection,
  id,
  children,
}: {
  readonly collection: CollectionName;
  readonly id: unknown;
  readonly children: ComponentChildren;
}) => (typeof id === 'string' ? <Link to={pathOf('data', collection, id)}>{children}</Link> : <span>{children}</span>);

export const ValLink = ({ row }: { readonly row: Row }) => (
  <RecordLink collection="vals" id={row.valId}>
    {textOf(row.val)}
  </RecordLink>
);

/** The author of a val or comment, or the user of a like. */
export const UserLink = ({ row, field }: { readonly row: Row; readonly field: 'author' | 'user' }) => (
  <RecordLink collection="users" id={row.userId}>
    {textOf(row[field])}
  </RecordLink>
);

const Time = ({ value }: { readonly value: unknown }) => (typeof value === 'string' ? <Age time={value} /> : null);

const Muted = ({ value }: { readonly value: unknown }) => <span class="muted">{formatValue(value, 200)}</span>;

export const PrivacyBadge = ({ value }: { readonly value: unknown }) => (
  <Badge kind={value === 'private' ? 'changed' : value === 'unlisted' ? 'warn' : ''}>{textOf(value)}</Badge>
);

export const isFailed = (run: Row): boolean => run.error !== null && run.error !== undefined;

export const OutcomeBadge = ({ run }: { readonly run: Row }) => {
  if (isFailed(run)) return <Badge kind="removed">failed</Badge>;
  return run.runEndAt === null ? <Badge kind="changed">running</Badge> : <Badge kind="added">succeeded</Badge>;
};

/** The sentence of the error of a run, which may be an object with a message. */
export function errorText({ error }: Row): string {
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string') {
    return error.message;
  }
  return formatValue(error, 300);
}

/** How long a run took; undefined while it goes on. */
export function durationOf({ runStartAt, runEndAt }: Row): string | undefined {
  if (typeof runStartAt !== 'string' || typeof runEndAt !== 'string') return undefined;
  return formatDuration(Date.parse(runEndAt) - Date.parse(runStartAt));
}

/** The link of a row to its record, whose click area is the row. @param about what its text does not say, for screen readers */
const main =
  (collection: CollectionName, render: (row: Row) => ComponentChildren, about?: (row: Row) => string) => (row: Row) => (
    <Link to={pathOf('data', collection, row.id)} class="row-link">
      {render(row)}
      {about && <span class="visually-hidden"> {about(row)}</span>}
    </Link>
  );

const created: Column = {
  title: 'Created',
  sort: 'createdAt',
  width: 110,
  render: (row) => <Time value={row.createdAt} />,
};

const val: Column = { title: 'Val', sort: 'val', render: (row) => <ValLink row={row} /> };

export const COLUMNS: Readonly<Record<CollectionName, readonly Column[]>> = {
  users: [
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
  vals: [
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
  versions: [
    {
      title: 'Version',
      sort: 'version',
      width: 90,
      render: main(
        'versions',
        (row) => textOf(row.version),
        (row) => `version of ${textOf(row.val)}`,
      ),
    },
    val,
    {
      title: 'Code',
      isWide: true,
      render: (row) => <code class="muted">{formatValue(row.code, 160)}</code>,
    },
    created,
  ],
  runs: [
    {
      title: 'Started',
      sort: 'runStartAt',
      width: 110,
      render: main(
        'runs',
        (row) => <Time value={row.runStartAt} />,
        (row) => `run of ${textOf(row.val)}`,
      ),
    },
    { title: 'Outcome', sort: 'error', width: 110, render: (row) => <OutcomeBadge run={row} /> },
    val,
    { title: 'Duration', width: 90, isWide: true, render: (row) => durationOf(row) ?? '–' },
    { title: 'Source', sort: 'source', width: 90, isWide: true, render: (row) => <Badge>{textOf(row.source)}</Badge> },
    { title: 'Version', sort: 'version', width: 90, isWide: true, render: (row) => textOf(row.version) },
    {
      title: 'Result',
      isWide: true,
      render: (row) =>
        isFailed(row) ? (
          <span class="failed-text">{errorText(row)}</span>
        ) : (
          row.returnValue !== null && <code class="muted">{formatValue(row.returnValue)}</code>
        ),
    },
  ],
  likes: [
    {
      ...created,
      title: 'Liked',
      render: main(
        'likes',
        (row) => <Time value={row.createdAt} />,
        (row) => nameOf('likes', row),
      ),
    },
    { title: 'User', sort: 'user', render: (row) => <UserLink row={row} field="user" /> },
    val,
  ],
  comments: [
    { title: 'Comment', sort: 'comment', render: main('comments', (row) => formatValue(row.comment, 160)) },
    { title: 'Author', sort: 'author', width: 110, render: (row) => <UserLink row={row} field="author" /> },
    { ...val, width: 220, isWide: true },
    created,
  ],
  blobs: [
    { title: 'Key', sort: 'key', render: main('blobs', (row) => textOf(row.key)) },
    { title: 'User', sort: 'user', width: 110, render: (row) => <UserLink row={row} field="user" /> },
    { title: 'Size', width: 110, render: (row) => formatBytes(Number(row.size)) },
    { ...created, title: 'Stored' },
  ],
  sqlite: [
    { title: 'User', sort: 'user', render: main('sqlite', (row) => textOf(row.user)) },
    { title: 'Size', width: 110, render: (row) => formatBytes(Number(row.size)) },
    { title: 'Updated', sort: 'updatedAt', width: 110, render: (row) => <Time value={row.updatedAt} /> },
  ],
};

/** A timestamp with its age, for the properties of a record. */
export const exactTime = (value: unknown): ComponentChildren =>
  typeof value === 'string' ? (
    <>
      {formatTime(value)}{' '}
      <span class="muted">
        (<Age time={value} />)
      </span>
    </>
  ) : (
    '–'
  );
