import { singularOf } from '../lib/collections.js';
import { formatValue, toPrettyJson } from '../lib/format.js';
import { pathOf } from '../lib/location.js';
import type { Change } from '../lib/types.js';
import { Badge, Link } from './elements.js';
import { visible } from './invisible.js';
import { FileDiffs, LinesDiff } from './lines.js';

type Fields = Readonly<Record<string, unknown>>;

/** The fields that differ between two records. */
export function FieldsDiff({
  before,
  after,
  empty = 'Its content changed; its fields are the same.',
  sameAs,
}: {
  readonly before: Fields | null;
  readonly after: Fields | null;
  /** What is said if no field differs. Empty for nothing. */
  readonly empty?: string;
  /** Names what else shows a text that is long. */
  readonly sameAs?: (text: string) => string | undefined;
}) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]));
  if (changed.length === 0) return empty === '' ? null : <p class="panel-body muted">{empty}</p>;
  const repeated = (name: string) => {
    const value = after?.[name] ?? before?.[name];
    return typeof value === 'string' && value.includes('\n') ? sameAs?.(value) : undefined;
  };
  return (
    <dl class="fields-diff">
      {changed.map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {repeated(name) === undefined ? (
              <FieldDiff before={before?.[name]} after={after?.[name]} />
            ) : (
              <span class="muted">The same text as of {repeated(name)}.</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : toPrettyJson(value));

export function FieldDiff({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const isLong = [before, after].some((value) => value !== undefined && toText(value).includes('\n'));
  if (isLong)
    return (
      <LinesDiff before={before === undefined ? '' : toText(before)} after={after === undefined ? '' : toText(after)} />
    );
  return (
    <>
      {before !== undefined && <del>{visible(formatValue(before, 2_000))}</del>}
      {after !== undefined && <ins>{visible(formatValue(after, 2_000))}</ins>}
    </>
  );
}

type Identity = Pick<Change, 'collection' | 'id'>;

/** Names the change before one of the same commit that shows a text as well. */
function findText(changes: readonly Change[], { collection, id }: Identity, text: string): string | undefined {
  const index = changes.findIndex((each) => each.collection === collection && each.id === id);
  const first = changes
    .slice(0, Math.max(0, index))
    .find(({ before, after }) => Object.values(after ?? before ?? {}).includes(text));
  return first && `${singularOf(first.collection)} ${first.name}`;
}

/** What a commit did to one record. */
export function ChangeView({
  change,
  before: at,
  others = [],
}: {
  readonly change: Change;
  /** The state before the commit: a removed record is shown as of then. */
  readonly before?: string | undefined;
  /** All changes of the commit: a text that several of them have is shown once. */
  readonly others?: readonly Change[];
}) {
  const { collection, id, name, type, before = null, after = null, lines = {} } = change;
  const files = Object.entries(lines).flatMap(([name, text]) => (name.startsWith('files/') ? [text] : []));
  return (
    <article class="change">
      <header>
        <Badge kind={type}>{type}</Badge>
        <span>{singularOf(collection)}</span>
        <Link to={pathOf('data', collection, id)} query={after === null && at !== undefined ? { at } : {}}>
          {formatValue(name, 80)}
        </Link>
      </header>
      <FieldsDiff
        before={before}
        after={after}
        sameAs={(text) => findText(others, { collection, id }, text)}
        {...(files.length > 0 && { empty: '' })}
      />
      {files.length > 0 && <FileDiffs texts={files} />}
    </article>
  );
}
