import { decodeText } from '#engine/lib/base64.js';
import type { Redactor } from '#engine/lib/redactor.js';
import { escapeControls, escapeMarkup, formatCount } from '#engine/lib/text.js';
import { packageVersion } from '#engine/platform/package.js';
import type { Reply } from './remote-service.js';

/** `different` is a failure of a rule without a source, so the service may be right. */
export const OUTCOMES = ['failed', 'different', 'skipped', 'passed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A request and its response, as text without secrets. */
export interface ShownExchange {
  readonly request: string;
  readonly response: string;
}

/** Characters of a body that a report shows. */
const MAX_BODY_LENGTH = 4_000;

/** Shows a response and its request without secrets. */
export function showExchange(
  { method, target, sent, status, headers, bytes }: Reply,
  redactor: Redactor,
): ShownExchange {
  return {
    request: showMessage(`${method} ${target}`, sent.headers, showBody(sent.body), redactor),
    response: showMessage(String(status), headers, showBody(bytes), redactor),
  };
}

/** Shows a body: as text, or the number of its bytes. */
const showBody = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : (decodeText(body) ?? `${formatCount(body.length, 'byte')} of binary data`);

function showMessage(line: string, headers: Headers, body: string, redactor: Redactor): string {
  const lines = [...headers].map(([name, value]) => `${name}: ${redactor.redactHeader(name, value)}`);
  const head = [redactor.redact(line), ...lines].join('\n');
  if (body === '') return head;
  // Before it is cut: a part of a secret cannot be recognized.
  const clean = redactor.redactBody(body, headers.get('content-type') ?? undefined);
  const rest = clean.length > MAX_BODY_LENGTH ? `… (${clean.length - MAX_BODY_LENGTH} more characters)` : '';
  // A part of a text would retain the whole.
  return Buffer.from(`${head}\n\n${clean.slice(0, MAX_BODY_LENGTH)}${rest}`).toString();
}

/** The result of one check. */
export interface ReportEntry {
  /** Stable, so that a later report can be compared with this one. */
  readonly id: string;
  /** The rule in words. */
  readonly rule: string;
  /** The sentence of the rule that the check is for, from the OpenAPI document. */
  readonly basis?: string | undefined;
  /** Heading in a report, such as the source of the rule. */
  readonly group: string;
  readonly outcome: Outcome;
  /** Why it failed or was skipped. */
  readonly reason?: string | undefined;
  readonly exchanges?: readonly ShownExchange[] | undefined;
}

export interface Report {
  readonly title: string;
  readonly version: string;
  readonly service: string;
  readonly startedAt: string;
  readonly seconds: number;
  /** Size of the check: `579 cases`. */
  readonly checked: string;
  readonly totals: Readonly<Record<Outcome, number>>;
  readonly entries: readonly ReportEntry[];
  /** General remarks, such as vals that could not be deleted. */
  readonly remarks: readonly string[];
}

type Facts = Pick<Report, 'title' | 'service' | 'checked' | 'entries'> & {
  readonly startedAt: Date;
  readonly remarks?: readonly string[];
};

/** Completes a report: it ends now. */
export const makeReport = ({ title, service, startedAt, checked, entries, remarks = [] }: Facts): Report => ({
  ...{ title, version: packageVersion(), service },
  startedAt: startedAt.toISOString(),
  seconds: Math.round((Date.now() - startedAt.getTime()) / 100) / 10,
  ...{ checked, totals: countOutcomes(entries), entries, remarks },
});

function countOutcomes(entries: readonly ReportEntry[]): Record<Outcome, number> {
  const totals = { failed: 0, different: 0, skipped: 0, passed: 0 };
  for (const { outcome } of entries) totals[outcome]++;
  return totals;
}

type Paint = Readonly<Record<'red' | 'yellow' | 'dim' | 'bold', (text: string) => string>>;

/**
 * Formats a report for a terminal: failures and differences, each cause once; skipped cases; remarks and totals.
 * @param known ids of earlier failures, which do not count
 */
export function* formatReportLines(
  { entries, totals, service, checked, seconds, remarks }: Report,
  { red, yellow, dim, bold }: Paint,
  known: ReadonlySet<string> = new Set(),
): Generator<string> {
  const isKnown = ({ id, outcome }: ReportEntry) => outcome === 'failed' && known.has(id);
  const knownEntries = entries.filter(isKnown);
  for (const { rule, id } of knownEntries) yield dim(`failed as before ${rule} ${id}`);
  const causes = groupBy(
    entries.filter((entry) => /failed|different/.test(entry.outcome) && !isKnown(entry)),
    ({ outcome, basis, reason, id }) => JSON.stringify([outcome, basis ?? id, reason]),
  );
  for (const [{ id, rule, basis, group, outcome, reason, exchanges = [] }, ...others] of causes) {
    yield `${outcome === 'failed' ? red(outcome) : yellow(outcome)} ${bold(rule)} ${dim(id)}`;
    if (reason !== undefined) yield `  ${reason}`;
    const request = exchanges.at(-1)?.request;
    const responses = exchanges.filter((exchange) => exchange.request === request).map(({ response }) => response);
    if (request !== undefined) yield dim(`  ${firstLine(request)} -> ${responses.map(firstLine).join(', ')}`);
    if (basis !== undefined) yield dim(`  ${group}: ${basis}`);
    if (others.length > 0) yield `  the same in ${others.map((other) => other.id).join(', ')}`;
  }
  const skipped = entries.filter(({ outcome }) => outcome === 'skipped');
  for (const [first, ...others] of groupBy(skipped, ({ reason = '' }) => reason)) {
    yield dim(`skipped ${others.length + 1}: ${first.reason}`);
  }
  for (const remark of remarks) yield dim(remark);
  const counts = OUTCOMES.filter((outcome) => totals[outcome] > 0).map((outcome) => `${totals[outcome]} ${outcome}`);
  yield `${service}: ${counts.join(', ') || 'no differences'} (${checked}, ${seconds} s)`;
  if (knownEntries.length > 0) yield dim(`${totals.failed - knownEntries.length} of the failures are new.`);
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

function groupBy<T>(items: readonly T[], toKey: (item: T) => string): Iterable<readonly [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(toKey(item));
    if (group) group.push(item);
    else groups.set(toKey(item), [item]);
  }
  return groups.values();
}

/** The formats of a report, by the ending of its file. */
export const REPORT_FORMATS: Readonly<Record<string, (report: Report) => string>> = {
  json: (report) => escapeControls(`${JSON.stringify(report, null, 2)}\n`),
  xml: formatJUnit,
};

/** Formats a report as CI servers read it. */
function formatJUnit({ title, seconds, startedAt, totals, entries }: Report): string {
  const attributes = (values: object) =>
    Object.entries(values)
      .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
      .join('');
  const cases = entries.map(({ id, rule, basis = '', group, outcome, reason = '', exchanges = [] }) => {
    const open = `  <testcase${attributes({ classname: group, name: `${id}: ${rule}` })}`;
    const details = [basis, ...exchanges.flatMap(({ request, response }) => [request, response])].join('\n\n');
    if (outcome === 'failed')
      return `${open}>\n    <failure${attributes({ message: reason })}>${escapeXml(details)}</failure>\n  </testcase>`;
    if (outcome === 'skipped') return `${open}>\n    <skipped${attributes({ message: reason })}/>\n  </testcase>`;
    if (outcome === 'different')
      return `${open}>\n    <system-out>${escapeXml(`${reason}\n\n${details}`)}</system-out>\n  </testcase>`;
    return `${open}/>`;
  });
  const { failed, skipped } = totals;
  const counts = { tests: entries.length, failures: failed, skipped, errors: 0, time: seconds };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite${attributes({ name: title, ...counts, timestamp: startedAt.slice(0, 19) })}>`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n');
}

/** XML cannot contain these two. */
const escapeXml = (text: string): string => escapeMarkup(text.replace(/[\ufffe\uffff]/g, '\ufffd'));
