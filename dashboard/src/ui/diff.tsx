import { diffLines } from 'diff';
import { useMemo } from 'preact/hooks';
import { singularOf } from '../lib/collections.js';
import { formatValue, toPrettyJson } from '../lib/format.js';
import { pathOf } from '../lib/location.js';
import type { RecordChange, Row } from '../lib/types.js';
import { Badge, Link } from './elements.js';

interface Line {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** Unchanged lines around a change that are shown. */
const CONTEXT = 3;

function listLines(before: string, after: string): Line[] {
  let [left, right] = [1, 1];
  return (
    diffLines(before, after, { timeout: 500 })?.flatMap(({ value, added, removed }) => {
      const texts = value.replace(/\n$/, '').split('\n');
      const kind = added ? 'added' : removed ? 'removed' : 'same';
      return texts.map((text) => ({
        kind,
        text,
        before: kind === 'added' ? undefined : left++,
        after: kind === 'removed' ? undefined : right++,
      }));
    }) ?? [
      { kind: 'removed', text: before, before: 1, after: undefined },
      { kind: 'added', text: after, before: undefined, after: 1 },
    ]
  );
}

/** Whether a line is near a change. */
const isNear = (lines: readonly Line[], index: number): boolean =>
  lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ kind }) => kind !== 'same');

const SIGNS = { same: ' ', added: '+', removed: '−' } as const;

/** The lines that two texts differ in, one below the other. */
export function LinesDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const lines = useMemo(() => listLines(before, after), [before, after]);
  const shown = lines.map((line, index) => ({ line, isShown: isNear(lines, index) }));
  return (
    <div class="diff">
      <table aria-label="Changed lines">
        <tbody>
          {shown.map(({ line: { kind, text, before: left, after: right }, isShown }, index) => {
            const key = `${left}:${right}`;
            if (isShown) {
              return (
                <tr key={key} class={kind}>
                  <td class="number">{left}</td>
                  <td class="number">{right}</td>
                  <td class="sign">{SIGNS[kind]}</td>
                  <td>
                    <code>{text}</code>
                  </td>
                </tr>
              );
            }
            const isGap = index === 0 || shown[index - 1]?.isShown === true;
            return isGap ? (
              <tr key={key} class="gap">
                <td colSpan={4}>⋯</td>
              </tr>
            ) : null;
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Two texts side by side, with the lines that differ. */
export function SideBySide({ before, after }: { readonly before: string; readonly after: string }) {
  const pairs = useMemo(() => pairLines(listLines(before, after)), [before, after]);
  return (
    <div class="side-by-side">
      <table aria-label="Two versions side by side">
        <tbody>
          {pairs.map(([left, right]) => (
            <tr key={`${left?.before}:${right?.after}`}>
              <td class="number">{left?.before}</td>
              <td class={left?.kind ?? 'none'}>
                <code>{left?.text}</code>
              </td>
              <td class="number">{right?.after}</td>
              <td class={right?.kind ?? 'none'}>
                <code>{right?.text}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Puts removed lines beside the lines that were added in their place. */
function pairLines(lines: readonly Line[]): (readonly [Line | undefined, Line | undefined])[] {
  const pairs: (readonly [Line | undefined, Line | undefined])[] = [];
  let removed: Line[] = [];
  let added: Line[] = [];
  const flush = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++) pairs.push([removed[i], added[i]]);
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === 'removed') removed.push(line);
    else if (line.kind === 'added') added.push(line);
    else {
      flush();
      pairs.push([line, line]);
    }
  }
  flush();
  return pairs;
}

/** Lists the rows of a difference as `diff -u` writes it. */
function listRows(text: string): (Omit<Line, 'kind'> & { readonly kind: Line['kind'] | 'gap' })[] {
  let [left, right] = [0, 0];
  return text
    .split('\n')
    .slice(2)
    .map((line) => {
      const [, first, second] = /^@@ -(\d+),\d+ \+(\d+),/.exec(line) ?? [];
      if (first !== undefined) [left, right] = [Number(first), Number(second)];
      const kind = /^[@\\]/.test(line)
        ? 'gap'
        : line.startsWith('+')
          ? 'added'
          : line.startsWith('-')
            ? 'removed'
            : 'same';
      const isOld = kind === 'same' || kind === 'removed';
      const isNew = kind === 'same' || kind === 'added';
      const shown = line.startsWith('@') ? '⋯' : line.slice(1);
      return { kind, text: shown, before: isOld ? left++ : undefined, after: isNew ? right++ : undefined };
    });
}

const NO_FILE = '/dev/null';

/** Changed files, each with its lines. @param texts differences as `diff -u` writes them */
export function FileDiffs({ texts }: { readonly texts: readonly string[] }) {
  return (
    <div class="stack">
      {texts.map((text) => {
        const [before = '', after = ''] = text.split('\n').map((line) => line.slice(4));
        const kind = before === NO_FILE ? 'added' : after === NO_FILE ? 'removed' : 'changed';
        const names = [...new Set([before, after])].filter((name) => name !== NO_FILE);
        return (
          <section key={names.join(' ')} aria-label={names.join(' → ')}>
            <p>
              <Badge kind={kind}>{kind}</Badge> <code>{names.join(' → ')}</code>
            </p>
            <FileDiff text={text} />
          </section>
        );
      })}
    </div>
  );
}

function FileDiff({ text }: { readonly text: string }) {
  const rows = useMemo(() => listRows(text), [text]);
  if (rows.length === 0) return null;
  return (
    <div class="diff">
      <table aria-label="Changed lines">
        <tbody>
          {rows.map(({ kind, text: line, before, after }, index) =>
            kind === 'gap' ? (
              <tr key={index} class="gap">
                <td colSpan={4}>{line}</td>
              </tr>
            ) : (
              <tr key={index} class={kind}>
                <td class="number">{before}</td>
                <td class="number">{after}</td>
                <td class="sign">{SIGNS[kind]}</td>
                <td>
                  <code>{line}</code>
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

/** The fields that differ between two records. */
export function FieldsDiff({
  before,
  after,
  hasFiles = false,
}: {
  readonly before: Row | null;
  readonly after: Row | null;
  /** Whether changed files are shown with them. */
  readonly hasFiles?: boolean;
}) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]));
  if (changed.length === 0 && hasFiles) return null;
  if (changed.length === 0) return <p class="panel-body muted">Its content changed; its fields are the same.</p>;
  return (
    <dl class="fields-diff">
      {changed.map((name) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <FieldDiff before={before?.[name]} after={after?.[name]} />
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
      {before !== undefined && <del>{formatValue(before, 2_000)}</del>}
      {after !== undefined && <ins>{formatValue(after, 2_000)}</ins>}
    </>
  );
}

/** A few words for a record. */
function describe({ id, name, username, comment, key, user, val, version }: Row): string {
  const text =
    name ?? username ?? comment ?? key ?? (version !== undefined ? `${val}, version ${version}` : (user ?? id));
  return formatValue(text, 80);
}

/** What a commit did to one record. */
export function ChangeView({
  change: { collection, id, before, after, lines = {} },
  before: at,
}: {
  readonly change: RecordChange;
  /** The state before the commit: a removed record is shown as of then. */
  readonly before?: string | undefined;
}) {
  const kind = before === null ? 'added' : after === null ? 'removed' : 'changed';
  const files = Object.entries(lines).flatMap(([name, text]) => (name.startsWith('files/') ? [text] : []));
  return (
    <article class="change">
      <header>
        <Badge kind={kind}>{kind}</Badge>
        <span>{singularOf(collection)}</span>
        <Link to={pathOf('data', collection, id)} query={after === null && at !== undefined ? { at } : {}}>
          {describe(after ?? before ?? { id })}
        </Link>
      </header>
      <FieldsDiff before={before} after={after} hasFiles={files.length > 0} />
      {files.length > 0 && <FileDiffs texts={files} />}
    </article>
  );
}
