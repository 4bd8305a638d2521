import type { ComponentChildren } from 'preact';
import { formatBytes, formatNumber } from '../../lib/format.js';
import { at, pathOf, type Query } from '../../lib/location.js';
import { useResource } from '../../lib/resource.js';
import type { CollectionName, EmulatorUser, RecordDetail, Row } from '../../lib/types.js';
import { Code, Json } from '../../ui/code.js';
import { Badge, CopyButton, Empty, Link, Properties } from '../../ui/elements.js';
import { BlobView } from './blob.js';
import {
  durationOf,
  errorText,
  exactTime,
  isFailed,
  OutcomeBadge,
  PrivacyBadge,
  RecordLink,
  textOf,
  UserLink,
  ValLink,
} from './columns.js';
import { DatabaseView } from './database.js';
import { CompareVersions } from './versions.js';

/** What the page of a record shows. */
export interface Content {
  readonly properties: ComponentChildren;
  readonly parts: readonly {
    readonly id: string;
    readonly title: ComponentChildren;
    readonly content: ComponentChildren;
  }[];
  /** The related records to show, each with the page that has all of them. */
  readonly related: Readonly<Record<string, { readonly path: string; readonly query: Query } | undefined>>;
}

const Id = ({ id }: { readonly id: unknown }) => (
  <span class="copied">
    <code>{textOf(id)}</code>
    <CopyButton text={textOf(id)} label="Copy the id" />
  </span>
);

const tableOf = (collection: CollectionName, query: Query) => ({ path: pathOf('data', collection), query });

export function describeRecord(collection: CollectionName, detail: RecordDetail): Content {
  return DESCRIPTIONS[collection](detail.record, detail);
}

const DESCRIPTIONS: Readonly<Record<CollectionName, (record: Row, detail: RecordDetail) => Content>> = {
  users: describeUser,
  vals: describeVal,
  versions: describeVersion,
  runs: describeRun,
  likes: describeLike,
  comments: describeComment,
  blobs: describeBlob,
  sqlite: describeDatabase,
};

function describeUser(user: Row): Content {
  const { id } = user;
  return {
    properties: (
      <Properties
        items={{
          Id: <Id id={id} />,
          ...(at.value === undefined && { Token: <Token id={id} /> }),
          Email: textOf(user.email),
          Tier: user.tier === null ? '–' : <Badge>{textOf(user.tier)}</Badge>,
          Bio: user.bio === null ? '–' : textOf(user.bio),
          Picture: user.profileImageUrl === null ? '–' : <Picture value={textOf(user.profileImageUrl)} />,
          Imports: (
            <Link to="/data/imports" query={{ user: textOf(user.username) || id }}>
              Show the graph
            </Link>
          ),
        }}
      />
    ),
    parts: [],
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

function describeVal(val: Row, { related }: RecordDetail): Content {
  const { id } = val;
  const graph = { path: '/data/imports', query: { user: textOf(val.author) } };
  return {
    properties: (
      <Properties
        items={{
          Author: <UserLink row={val} field="author" />,
          Type: <Badge>{textOf(val.type)}</Badge>,
          Privacy: <PrivacyBadge value={val.privacy} />,
          Version: textOf(val.version),
          Created: exactTime(val.createdAt),
          Updated: exactTime(val.versionCreatedAt),
          Id: <Id id={id} />,
        }}
      />
    ),
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
      imports: graph,
      importers: graph,
    },
  };
}

function describeVersion(version: Row): Content {
  return {
    properties: (
      <Properties
        items={{
          Val: <ValLink row={version} />,
          Version: textOf(version.version),
          Created: exactTime(version.createdAt),
          Compare: (
            <Link
              to={pathOf('data', 'vals', textOf(version.valId))}
              query={{ tab: 'versions', to: textOf(version.version) }}
            >
              With the version before
            </Link>
          ),
        }}
      />
    ),
    parts: [{ id: 'code', title: 'Code', content: <Code text={textOf(version.code)} /> }],
    related: {},
  };
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A list of values, or a word in its place if it is empty. */
const Values = ({ values, none }: { readonly values: unknown; readonly none: string }) =>
  isList(values) && values.length > 0 ? (
    <ol class="values">
      {values.map((value, index) => (
        <li key={index}>
          <Json value={value} />
        </li>
      ))}
    </ol>
  ) : (
    <Empty title={none} />
  );

const countOf = (value: unknown): ComponentChildren =>
  isList(value) && value.length > 0 ? <span class="count">{formatNumber(value.length)}</span> : null;

function describeRun(run: Row): Content {
  const { id } = run;
  const isOwnParent = run.parentId === id;
  const { error } = run;
  return {
    properties: (
      <>
        <Properties
          items={{
            Val: <ValLink row={run} />,
            Version: (
              <RecordLink collection="versions" id={`${textOf(run.valId)}:${textOf(run.version)}`}>
                {textOf(run.version)}
              </RecordLink>
            ),
            Outcome: (
              <>
                <OutcomeBadge run={run} /> {isFailed(run) && <span class="failed-text">{errorText(run)}</span>}
              </>
            ),
            Source: <Badge>{textOf(run.source)}</Badge>,
            Started: exactTime(run.runStartAt),
            Ended: exactTime(run.runEndAt),
            Duration: durationOf(run) ?? '–',
            Parent: isOwnParent ? (
              'None'
            ) : (
              <RecordLink collection="runs" id={run.parentId}>
                {textOf(run.parentId)}
              </RecordLink>
            ),
            Id: <Id id={id} />,
          }}
        />
      </>
    ),
    parts: [
      ...(isFailed(run) ? [{ id: 'error', title: 'Error', content: <Json value={error} /> }] : []),
      { id: 'logs', title: <>Logs {countOf(run.logs)}</>, content: <Values values={run.logs} none="No logs" /> },
      {
        id: 'result',
        title: 'Return value',
        content: <Code text={JSON.stringify(run.returnValue, undefined, 2)} language="json" />,
      },
      {
        id: 'args',
        title: <>Arguments {countOf(run.args)}</>,
        content: <Values values={run.args} none="No arguments" />,
      },
      {
        id: 'emails',
        title: <>Emails {countOf(run.emails)}</>,
        content: <Values values={run.emails} none="No emails" />,
      },
    ],
    related: { children: tableOf('runs', { parentId: id }) },
  };
}

function describeLike(like: Row): Content {
  return {
    properties: (
      <Properties
        items={{
          User: <UserLink row={like} field="user" />,
          Val: <ValLink row={like} />,
          Created: exactTime(like.createdAt),
        }}
      />
    ),
    parts: [],
    related: {},
  };
}

function describeComment(comment: Row): Content {
  return {
    properties: (
      <Properties
        items={{
          Author: <UserLink row={comment} field="author" />,
          Val: <ValLink row={comment} />,
          Created: exactTime(comment.createdAt),
          Id: <Id id={comment.id} />,
        }}
      />
    ),
    parts: [{ id: 'comment', title: 'Comment', content: <p class="text">{textOf(comment.comment)}</p> }],
    related: {},
  };
}

function describeBlob(blob: Row): Content {
  return {
    properties: (
      <Properties
        items={{
          User: <UserLink row={blob} field="user" />,
          Size: formatBytes(Number(blob.size)),
          Stored: exactTime(blob.createdAt),
        }}
      />
    ),
    parts: [{ id: 'content', title: 'Content', content: <BlobView id={textOf(blob.id)} /> }],
    related: {},
  };
}

function describeDatabase(database: Row): Content {
  return {
    properties: (
      <Properties
        items={{
          User: <UserLink row={database} field="user" />,
          Size: formatBytes(Number(database.size)),
          Updated: exactTime(database.updatedAt),
        }}
      />
    ),
    parts: [{ id: 'tables', title: 'Tables', content: <DatabaseView id={database.id} /> }],
    related: {},
  };
}
