import { formatValue } from '../lib/messages.js';
import { showExchange } from '../remote/exchanges.js';
import type { ReportEntry } from '../remote/report.js';
import type { Secrets } from '../remote/secrets.js';
import { type Comparison, type Difference, VERDICTS, type Verdict } from './difference.js';
import { decodeBody, type Exchange } from './exchange.js';
import { judge } from './verdicts.js';

/** Different differences that a report has. A service that is no vals API would make any number. */
const MAX_FINDINGS = 1_000;

/** The heading of each verdict in a report. */
const VERDICT_NAMES: Readonly<Record<Verdict, string>> = {
  emulator: 'emulator wrong',
  document: 'document wrong',
  choice: 'a choice of ours refuted',
  data: 'data differ',
};

export type Finding = ReportEntry & { readonly verdict: Verdict };

/** The differences that were found: each once, with a count and its first example. */
export class Findings {
  readonly #secrets: Secrets;
  readonly #findings = new Map<string, Finding>();

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  add(difference: Difference, comparison: Comparison, exchange: Exchange): void {
    const { symptom, at } = difference;
    const scope = chooseScope(difference, comparison);
    const detail = symptom === 'status' ? `${difference.upstream}-not-${difference.emulator}` : at;
    const id = `${scope.id}/${symptom}/${detail}`;
    const earlier = this.#findings.get(id);
    if (earlier) return void this.#findings.set(id, { ...earlier, count: (earlier.count ?? 1) + 1 });
    if (this.#findings.size >= MAX_FINDINGS) return;
    const { verdict, rule } = judge(difference, comparison);
    this.#findings.set(id, {
      id,
      verdict,
      rule: describe(difference, scope.words),
      basis: rule && `${rule.source}: ${rule.rule} (${rule.id})`,
      group: VERDICT_NAMES[verdict],
      outcome: verdict === 'emulator' || verdict === 'document' ? 'failed' : 'different',
      reason: describeBoth(difference),
      exchanges: this.#show(comparison, exchange),
      count: 1,
    });
  }

  /** All of them, in the order of the verdicts. */
  list(): Finding[] {
    const redact = (text: string): string => this.#secrets.redact(text);
    const findings = [...this.#findings.values()].map((finding) => ({
      ...finding,
      // A secret of a later request may be in an earlier example.
      id: redact(finding.id),
      rule: redact(finding.rule),
      reason: redact(finding.reason ?? ''),
      exchanges: (finding.exchanges ?? []).map(({ request, response }) => ({
        request: this.#secrets.redactKnown(request),
        response: this.#secrets.redactKnown(response),
      })),
    }));
    return VERDICTS.flatMap((verdict) => findings.filter((finding) => finding.verdict === verdict));
  }

  #show({ upstream, emulator }: Comparison, { request }: Exchange) {
    const sent = { headers: Object.fromEntries(request.headers), body: decodeBody(request)?.toString('utf8') };
    const [theirs, ours] = [upstream, emulator].map((response) => showExchange(sent, response, this.#secrets));
    return [
      { request: theirs?.request ?? '', response: `Service: ${theirs?.response}` },
      { request: 'The same request', response: `Emulator: ${ours?.response}` },
    ];
  }
}

const WORDS: Readonly<Record<Difference['symptom'], string>> = {
  status: 'another status',
  header: 'another header',
  key: 'another set of keys',
  type: 'a value of another type',
  links: 'other links',
  order: 'another order',
  items: 'other items',
  message: 'another message',
  value: 'another value',
};

/** Headers and errors are the same in all operations: a difference there is one, not one of each operation. */
function chooseScope({ symptom }: Difference, { route, upstream }: Comparison) {
  if (symptom === 'header') return { id: 'general', words: 'All operations' };
  if (symptom === 'status' || upstream.status < 400) return { id: route.id, words: route.name };
  return { id: `error-${upstream.status}`, words: `Errors ${upstream.status}` };
}

const describe = ({ symptom, at }: Difference, scope: string): string =>
  `${scope}: ${WORDS[symptom]}${symptom === 'status' ? '' : ` (${at})`}`;

function describeBoth({ upstream, emulator, departs }: Difference): string {
  const [theirs, ours] = [upstream, emulator].map(describeValue);
  if (departs === 'upstream') return `The service has ${theirs}; the document: ${ours}.`;
  if (departs === 'emulator') return `The emulator has ${ours}; the document: ${theirs}.`;
  return `The service has ${theirs}; the emulator has ${ours}.`;
}

/** A word of ours stands without quotes. */
const describeValue = (value: unknown): string =>
  value === undefined ? 'nothing' : typeof value === 'string' && value.length < 40 ? value : formatValue(value);
