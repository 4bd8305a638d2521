import { packageVersion } from '../lib/package.js';
import { escapeControls, escapeMarkup } from '../lib/text.js';

/** `different` is a failure of a rule that no source has, so the service may be right. */
export const OUTCOMES = ['failed', 'different', 'skipped', 'passed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A request and its response, as text without secrets. */
export interface ShownExchange {
  readonly request: string;
  readonly response: string;
}

/** What came of one check. */
export interface ReportEntry {
  /** Stable, so that a later report can be compared with this one. */
  readonly id: string;
  /** What must hold, in words. */
  readonly rule: string;
  /** The sentence of docs/fidelity.md that it comes from. */
  readonly basis?: string | undefined;
  /** Heading that it stands under, such as the source of the rule. */
  readonly group: string;
  readonly outcome: Outcome;
  /** Why it failed or was skipped. */
  readonly reason?: string | undefined;
  /** How often it was seen. Default: once */
  readonly count?: number | undefined;
  readonly exchanges?: readonly ShownExchange[] | undefined;
}

export interface Report {
  /** As in `val-emulator conformance`. */
  readonly title: string;
  readonly version: string;
  /** URL of the service. */
  readonly service: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly totals: Readonly<Record<Outcome, number>>;
  readonly entries: readonly ReportEntry[];
  /** Remarks on the whole, such as what could not be removed again. */
  readonly remarks: readonly string[];
}

type Facts = Pick<Report, 'title' | 'service' | 'entries'> & {
  readonly startedAt: Date;
  readonly remarks?: readonly string[];
};

/** Completes a report: it ends now. */
export const makeReport = ({ title, service, startedAt, entries, remarks = [] }: Facts): Report => ({
  ...{ title, version: packageVersion(), service },
  startedAt: startedAt.toISOString(),
  seconds: Math.round((Date.now() - startedAt.getTime()) / 100) / 10,
  totals: countOutcomes(entries),
  ...{ entries, remarks },
});

function countOutcomes(entries: readonly ReportEntry[]): Record<Outcome, number> {
  const totals = { failed: 0, different: 0, skipped: 0, passed: 0 };
  for (const { outcome } of entries) totals[outcome]++;
  return totals;
}

/** The formats of a report, by the ending of its file. */
export const REPORT_FORMATS: Readonly<Record<string, (report: Report) => string>> = {
  json: (report) => escapeControls(`${JSON.stringify(report, null, 2)}\n`),
  xml: formatJUnit,
  html: formatHtml,
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

const STYLE = [
  'body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }',
  ':root { color-scheme: light dark }',
  'pre { background: #8882; padding: .6rem .8rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px }',
  '.entry, details { border-top: 1px solid #8884; padding: .4rem 0 }',
  'summary { cursor: pointer }',
  'b { color: light-dark(#1c6b1c, #8bd48b); margin-right: .3rem }',
  '.failed b { color: light-dark(#a40000, #ff8a80) }',
  '.different b { color: light-dark(#7a5200, #ffcc66) }',
  '.skipped b { color: light-dark(#555, #aaa) }',
  '.totals span { margin-right: 1.2rem }',
].join('\n');

/** Formats a report as one page that loads nothing else. */
function formatHtml({ title, version, service, startedAt, seconds, totals, entries, remarks }: Report): string {
  const counts = OUTCOMES.map((outcome) => `<span class="${outcome}"><b>${totals[outcome]}</b>${outcome}</span>`);
  const ordered = OUTCOMES.flatMap((outcome) => entries.filter((entry) => entry.outcome === outcome));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeMarkup(`${title}: ${service}`)}</title>
<style>
${STYLE}
</style>
<h1>${escapeMarkup(title)}</h1>
<p>${escapeMarkup(service)} · ${startedAt.slice(0, 19).replace('T', ' ')} UTC · ${seconds} s · val-emulator ${version}</p>
<p class="totals">${counts.join('')}</p>
${remarks.map((remark) => `<p>${escapeMarkup(remark)}</p>\n`).join('')}${ordered.map(formatEntry).join('\n')}
</html>
`;
}

function formatEntry({ id, rule, basis, group, outcome, reason, count = 1, exchanges = [] }: ReportEntry): string {
  const times = count > 1 ? ` · ${count} times` : '';
  const head = `<b>${outcome}</b> ${escapeMarkup(rule)} <small><code>${escapeMarkup(id)}</code> · ${escapeMarkup(group)}${times}</small>`;
  if (reason === undefined && exchanges.length === 0) return `<div class="entry ${outcome}">${head}</div>`;
  const parts = [
    ...(reason === undefined ? [] : [`<p>${escapeMarkup(reason)}</p>`]),
    ...(basis === undefined ? [] : [`<p>Rule: ${escapeMarkup(basis)}</p>`]),
    ...exchanges.flatMap(({ request, response }) =>
      [request, response].map((text) => `<pre>${escapeMarkup(text)}</pre>`),
    ),
  ];
  const isOpen = outcome === 'failed' ? ' open' : '';
  return `<details class="${outcome}"${isOpen}><summary>${head}</summary>${parts.join('\n')}</details>`;
}
