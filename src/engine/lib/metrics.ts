/** The media type of metrics as text. Source: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export interface Sample {
  /** The end of the name: `_bucket`, `_sum` or `_count` of a histogram. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** A number that is measured, or several that differ in their labels. */
export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** A sentence for people. */
  readonly help: string;
  readonly samples: Iterable<Sample>;
}

export const oneValue = (
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  value: number,
  labels: Sample['labels'] = {},
): Metric => ({ name, type, help, samples: [{ value, labels }] });

/** Formats metrics in the text format of Prometheus. */
export function formatMetrics(metrics: Iterable<Metric>): string {
  const lines: string[] = [];
  for (const { name, type, help, samples } of metrics) {
    lines.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`);
    for (const { suffix = '', labels = {}, value } of samples) {
      lines.push(`${name}${suffix}${formatLabels(labels)} ${formatNumber(value)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function formatLabels(labels: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** Writes a number as Prometheus does: `+Inf`, `-Inf` and `NaN` are numbers, too. */
const formatNumber = (value: number): string =>
  String(value).replace(/^(-?)Infinity$/, (_, sign) => `${sign || '+'}Inf`);

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');
