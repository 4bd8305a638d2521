import type { Redactor } from '../../lib/redactor.js';
import { type Difference, describeDifference, nameDifference } from '../compare.js';
import { type ReportEntry, showExchange } from '../report.js';
import type { Comparison } from './compare.js';

/** Different differences in a report. A service that is not the vals API would make any number. */
const MAX_FINDINGS = 1_000;

/** Collects differences: each once, with a count and its first example. */
export class Findings {
  readonly #redactor: Redactor;
  readonly #findings = new Map<string, ReportEntry>();

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  add(difference: Difference, comparison: Comparison): void {
    const { kind, path } = difference;
    const scope = chooseScope(difference, comparison);
    const detail = kind === 'status' ? `${difference.theirs}-not-${difference.ours}` : path;
    const id = `${scope.id}/${kind}/${detail}`;
    const earlier = this.#findings.get(id);
    if (earlier) return void this.#findings.set(id, { ...earlier, count: (earlier.count ?? 1) + 1 });
    if (this.#findings.size >= MAX_FINDINGS) return;
    const isOurs = isOurFault(difference, comparison);
    this.#findings.set(id, {
      id,
      rule: nameDifference(difference, scope.words),
      group: isOurs ? 'emulator wrong' : 'service differs',
      outcome: isOurs ? 'failed' : 'different',
      reason: describeDifference(difference),
      exchanges: this.#show(comparison),
      count: 1,
    });
  }

  /** Lists all of them, errors of the emulator first. */
  list(): ReportEntry[] {
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
    return findings.sort((a, b) => Number(b.outcome === 'failed') - Number(a.outcome === 'failed'));
  }

  #show({ upstream, emulator }: Comparison) {
    return Object.entries({ Service: upstream, Emulator: emulator }).map(([name, reply]) => {
      const { request, response } = showExchange({ ...reply, sent: upstream.sent }, this.#redactor);
      return { request, response: `${name}: ${response}` };
    });
  }
}

/** Whether the emulator contradicts its own document, fails, or sends another media type than the service. */
const isOurFault = ({ deviates, kind, path, ours }: Difference, { upstream }: Comparison): boolean =>
  deviates === 'ours' ||
  (kind === 'status' && ours === 500) ||
  (kind === 'header' && path === 'content-type' && upstream.status < 400);

/** Headers and errors are the same in all operations: a difference there is one, not one of each operation. */
function chooseScope({ kind }: Difference, { route, upstream }: Comparison) {
  if (kind === 'header') return { id: 'general', words: 'All operations' };
  if (kind === 'status' || upstream.status < 400) return { id: route.id, words: route.name };
  return { id: `error-${upstream.status}`, words: `Errors ${upstream.status}` };
}
