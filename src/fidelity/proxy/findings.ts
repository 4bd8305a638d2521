import type { Redactor } from '../../lib/redactor.js';
import { type Difference, describeDifference, nameDifference, VERDICTS, type Verdict } from '../compare.js';
import { type ReportEntry, showExchange } from '../report.js';
import type { Comparison } from './compare.js';
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
  readonly #redactor: Redactor;
  readonly #findings = new Map<string, Finding>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  add(difference: Difference, comparison: Comparison): void {
    const { symptom, at } = difference;
    const scope = chooseScope(difference, comparison);
    const detail = symptom === 'status' ? `${difference.theirs}-not-${difference.ours}` : at;
    const id = `${scope.id}/${symptom}/${detail}`;
    const earlier = this.#findings.get(id);
    if (earlier) return void this.#findings.set(id, { ...earlier, count: (earlier.count ?? 1) + 1 });
    if (this.#findings.size >= MAX_FINDINGS) return;
    const { verdict, rule } = judge(difference, comparison);
    this.#findings.set(id, {
      id,
      verdict,
      rule: nameDifference(difference, scope.words),
      basis: rule ? `${rule.source}: ${rule.rule} (${rule.id})` : 'no rule is about it',
      group: VERDICT_NAMES[verdict],
      outcome: verdict === 'emulator' || verdict === 'document' ? 'failed' : 'different',
      reason: describeDifference(difference),
      exchanges: this.#show(comparison),
      count: 1,
    });
  }

  /** All of them, in the order of the verdicts. */
  list(): Finding[] {
    const redact = (text: string): string => this.#redactor.redact(text);
    const findings = [...this.#findings.values()].map((finding) => ({
      ...finding,
      // A secret of a later request may be in an earlier example.
      id: redact(finding.id),
      rule: redact(finding.rule),
      reason: redact(finding.reason ?? ''),
      exchanges: (finding.exchanges ?? []).map(({ request, response }) => ({
        request: this.#redactor.redactKnown(request),
        response: this.#redactor.redactKnown(response),
      })),
    }));
    return VERDICTS.flatMap((verdict) => findings.filter((finding) => finding.verdict === verdict));
  }

  #show({ upstream, emulator }: Comparison) {
    return Object.entries({ Service: upstream, Emulator: emulator }).map(([name, reply]) => {
      const { request, response } = showExchange({ ...reply, sent: upstream.sent }, this.#redactor);
      return { request, response: `${name}: ${response}` };
    });
  }
}

/** Headers and errors are the same in all operations: a difference there is one, not one of each operation. */
function chooseScope({ symptom }: Difference, { route, upstream }: Comparison) {
  if (symptom === 'header') return { id: 'general', words: 'All operations' };
  if (symptom === 'status' || upstream.status < 400) return { id: route.id, words: route.name };
  return { id: `error-${upstream.status}`, words: `Errors ${upstream.status}` };
}
