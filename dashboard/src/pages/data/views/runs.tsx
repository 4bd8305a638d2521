import type { ComponentChildren } from 'preact';
import { formatDuration, formatNumber, formatValue } from '../../../lib/format.js';
import type { Row } from '../../../lib/types.js';
import { Code, Json } from '../../../ui/code.js';
import { Badge, Empty } from '../../../ui/elements.js';
import { exactTime, main, RecordLink, Time, textOf, ValLink, val } from '../columns.js';
import { type Content, Id, tableOf } from '../content.js';
import { VAL, type View } from '../view.js';

const isFailed = (run: Row): boolean => run.error !== null && run.error !== undefined;

const OutcomeBadge = ({ run }: { readonly run: Row }) => {
  if (isFailed(run)) return <Badge kind="removed">failed</Badge>;
  return run.runEndAt === null ? <Badge kind="changed">running</Badge> : <Badge kind="added">succeeded</Badge>;
};

/** The sentence of the error of a run, which may be an object with a message. */
function errorText({ error }: Row): string {
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string') {
    return error.message;
  }
  return formatValue(error, 300);
}

/** The duration of a run; undefined while it is running. */
function durationOf({ runStartAt, runEndAt }: Row): string | undefined {
  if (typeof runStartAt !== 'string' || typeof runEndAt !== 'string') return undefined;
  return formatDuration(Date.parse(runEndAt) - Date.parse(runStartAt));
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
    properties: {
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
    },
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

export const runs: View = {
  name: (row) => `Run of ${textOf(row.val)}`,
  columns: [
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
  form: [
    VAL,
    { name: 'source', label: 'Source', kind: ['ui', 'api', 'interval', 'email'] },
    { name: 'runStartAt', label: 'Started', hint: 'A timestamp, or a time before now such as -10m. Default: now' },
    { name: 'duration', label: 'Duration', hint: 'Such as 2s. Default: 100ms' },
    { name: 'error', label: 'Error', hint: 'A sentence. Empty for a run that succeeds' },
    { name: 'returnValue', label: 'Return value', kind: 'json', hint: 'JSON' },
    { name: 'args', label: 'Arguments', kind: 'json', hint: 'A JSON array, such as ["ada", 3]' },
    { name: 'logs', label: 'Logs', kind: 'json', hint: 'A JSON array, such as ["10.6 °C"]' },
  ],
  note: 'Runs that it started stay.',
  choices: { outcome: { failed: { error: { not: null } }, succeeded: { error: null } } },
  describe: describeRun,
};
