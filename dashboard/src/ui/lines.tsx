import { diffLines } from 'diff';
import { useMemo, useState } from 'preact/hooks';
import { formatNumber } from '../lib/format.js';
import { Badge, Button } from './elements.js';
import { visible } from './invisible.js';

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

type DiffRow = Omit<Line, 'kind'> & { readonly kind: Line['kind'] | 'gap' };

/** Puts a gap in place of the items that are far from a change. */
const fold = <T,>(items: readonly T[], isShown: (index: number) => boolean, gap: T): T[] =>
  items.flatMap((item, index) => (isShown(index) ? [item] : index === 0 || isShown(index - 1) ? [gap] : []));

/** Rows of a difference that are in the document at first, and that are added by a click. */
const SHOWN_ROWS = 200;

/** Shows the first rows, and adds more when it is asked to. */
function useShown<T>(rows: readonly T[]) {
  const [count, setCount] = useState(SHOWN_ROWS);
  const hidden = rows.length - count;
  const more = hidden > 0 && (
    <p class="diff-more">
      <Button onClick={() => setCount(count + SHOWN_ROWS)}>
        Show {formatNumber(Math.min(hidden, SHOWN_ROWS))} more of {formatNumber(rows.length)} lines
      </Button>
    </p>
  );
  return { shown: rows.slice(0, count), more };
}

function DiffTable({ rows }: { readonly rows: readonly DiffRow[] }) {
  const { shown, more } = useShown(rows);
  return (
    <div class="diff">
      <table aria-label="Changed lines">
        {/* A fixed layout takes the widths of the first row, which may be a gap. */}
        <colgroup>
          <col class="number" />
          <col class="number" />
          <col class="sign" />
          <col />
        </colgroup>
        <tbody>
          {shown.map(({ kind, text, before, after }, index) =>
            kind === 'gap' ? (
              <tr key={index} class="gap">
                <td colSpan={4}>{text}</td>
              </tr>
            ) : (
              <tr key={index} class={kind}>
                <td class="number">{before}</td>
                <td class="number">{after}</td>
                <td class="sign">{SIGNS[kind]}</td>
                <td>
                  <code>{visible(text)}</code>
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
      {more}
    </div>
  );
}

const GAP: DiffRow = { kind: 'gap', text: '⋯', before: undefined, after: undefined };

/** The lines that two texts differ in, one below the other. */
export function LinesDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const rows = useMemo(() => {
    const lines = listLines(before, after);
    return fold<DiffRow>(lines, (index) => isNear(lines, index), GAP);
  }, [before, after]);
  return <DiffTable rows={rows} />;
}

/** Two texts side by side, with the lines that differ. */
export function SideBySide({ before, after }: { readonly before: string; readonly after: string }) {
  const pairs = useMemo(() => {
    const all = pairLines(listLines(before, after));
    if (all.length <= SHOWN_ROWS) return all;
    const left = all.map(([line, other]) => (line?.kind === 'same' ? line : (other ?? line)));
    const lines = left.flatMap((line) => (line ? [line] : []));
    return fold(all, (index) => isNear(lines, index), GAP_PAIR);
  }, [before, after]);
  const { shown, more } = useShown(pairs);
  return (
    <div class="side-by-side">
      <table aria-label="Two versions side by side">
        <tbody>
          {shown.map(([left, right], index) => (
            <tr key={index}>
              <td class="number">{left?.before}</td>
              <td class={left?.kind ?? 'none'}>
                <code>{left && visible(left.text)}</code>
              </td>
              <td class="number">{right?.after}</td>
              <td class={right?.kind ?? 'none'}>
                <code>{right && visible(right.text)}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </div>
  );
}

type Pair = readonly [Line | undefined, Line | undefined];
const GAP_LINE: Line = { kind: 'same', text: '⋯', before: undefined, after: undefined };
const GAP_PAIR: Pair = [GAP_LINE, GAP_LINE];

/** Puts removed lines beside the lines that were added in their place. */
function pairLines(lines: readonly Line[]): Pair[] {
  const pairs: Pair[] = [];
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
function listRows(text: string): DiffRow[] {
  let [left, right] = [1, 1];
  return text
    .split('\n')
    .slice(2)
    .flatMap((line) => {
      const [, first, second] = /^@@ -(\d+),\d+ \+(\d+),/.exec(line) ?? [];
      if (first !== undefined) {
        const isHiding = Number(first) > left || Number(second) > right;
        [left, right] = [Number(first), Number(second)];
        if (!isHiding) return [];
      }
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
  return rows.length === 0 ? null : <DiffTable rows={rows} />;
}
