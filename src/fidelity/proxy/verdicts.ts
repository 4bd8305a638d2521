import { isObject } from '../../lib/objects.js';
import { parseTarget } from '../../lib/target.js';
import { parseInstant } from '../../lib/time.js';
import { type Difference, nameItem, type Symptom, VERDICTS, type Verdict } from '../compare.js';
import type { Case } from '../conformance/case.js';
import { CASES } from '../conformance/cases/index.js';
import { type Comparison, readTime } from './compare.js';

interface Judgement {
  readonly verdict: Verdict;
  /** The check of conformance that holds the rule at stake. */
  readonly rule?: Case | undefined;
}

/** What a row of the table may ask about a difference. */
interface Facts extends Difference {
  readonly comparison: Comparison;
}

/** A row of the table: a difference of this kind is about this rule. */
interface Row {
  readonly symptom: Symptom;
  /** Default: any */
  readonly emulator?: number;
  readonly upstream?: number;
  readonly at?: RegExp;
  readonly when?: (facts: Facts) => boolean;
  /** Id of a check in src/fidelity/conformance/cases: the whole one, or what follows the operation. Or the verdict itself. */
  readonly rule: string;
}

const isError = ({ comparison }: Facts): boolean => comparison.upstream.status >= 400;
const isSuccess = (status: unknown): boolean => typeof status === 'number' && status < 300;
const hasNoToken = ({ comparison }: Facts): boolean => !comparison.hasToken;
/** Whether the message of the emulator is about a part of the request. */
const isAbout =
  (part: string) =>
  ({ comparison: { emulator } }: Facts): boolean =>
    isObject(emulator.json) && String(emulator.json.message).startsWith(part);
/** Whether the emulator has the record that the upstream responds with. */
const isHidden = ({ comparison: { upstream, hasId } }: Facts): boolean =>
  isObject(upstream.json) && typeof upstream.json.id === 'string' && hasId(upstream.json.id);
/** Whether a path has a name in another case than the record. */
const hasOtherCase = ({ comparison: { target, emulator } }: Facts): boolean =>
  isObject(emulator.json) && !target.split(/[/?]/).includes(String(emulator.json.name ?? emulator.json.username));
/** Whether one of the items that only one side has lies on a bound of the window. */
const isOnBound =
  (bound: 'since' | 'until') =>
  ({ items = [], comparison }: Facts): boolean => {
    const instant = parseInstant(parseTarget(comparison.target).query?.get(bound) ?? '');
    return instant !== undefined && items.some((item) => parseInstant(readTime(item) ?? '') === instant);
  };
/** Whether the emulator has a record of the service that it does not list. */
const isUnlisted = ({ items = [], theirs, comparison }: Facts): boolean =>
  typeof theirs === 'string' &&
  items.map(nameItem).some((name) => theirs.includes(name) && name.split(' ').every(comparison.hasId));

/** The first row that fits a difference decides. A row whose rule the operation lacks does not fit. */
export const ROWS: readonly Row[] = [
  { symptom: 'status', emulator: 401, when: hasNoToken, rule: 'no-token' },
  { symptom: 'status', emulator: 401, rule: 'unknown-token' },
  { symptom: 'status', upstream: 401, when: hasNoToken, rule: 'public-anonymous' },
  { symptom: 'status', upstream: 401, rule: 'general/basic' },
  { symptom: 'status', emulator: 400, when: isAbout('querystring/limit'), rule: 'limit-101' },
  { symptom: 'status', emulator: 400, when: isAbout('querystring/offset'), rule: 'offset-negative' },
  { symptom: 'status', emulator: 400, when: isAbout('querystring/since'), rule: 'since-text' },
  { symptom: 'status', emulator: 400, when: isAbout('querystring/until'), rule: 'until-text' },
  { symptom: 'status', emulator: 400, when: isAbout('Cannot delete the only version'), rule: 'only' },
  { symptom: 'status', emulator: 400, rule: 'general/validation-message' },
  { symptom: 'status', upstream: 400, rule: 'general/validation-message' },
  { symptom: 'status', emulator: 409, rule: 'conflict' },
  { symptom: 'status', emulator: 413, rule: 'general/too-large' },
  { symptom: 'status', emulator: 415, rule: 'general/media-type' },
  { symptom: 'status', emulator: 404, upstream: 403, rule: 'getVal/private-second-like-unknown' },
  { symptom: 'status', emulator: 404, when: isHidden, rule: 'private-anonymous' },
  { symptom: 'status', emulator: 404, rule: 'data' },
  { symptom: 'status', upstream: 404, when: hasOtherCase, rule: 'case' },
  { symptom: 'status', upstream: 404, rule: 'data' },
  { symptom: 'status', emulator: 500, rule: 'emulator' },
  { symptom: 'status', when: ({ theirs }) => isSuccess(theirs), rule: 'status' },
  { symptom: 'status', rule: 'document' },

  { symptom: 'header', at: /^access-control-|^x-ratelimit-|^retry-after$/, rule: 'headers' },
  { symptom: 'header', at: /^content-type$/, when: isError, rule: 'headers' },
  { symptom: 'header', at: /^content-type$/, rule: 'emulator' },
  { symptom: 'header', rule: 'document' },

  { symptom: 'key', when: isError, rule: 'error-401' },
  { symptom: 'type', when: isError, rule: 'error-401' },
  { symptom: 'key', rule: 'items' },
  { symptom: 'type', rule: 'items' },
  { symptom: 'key', rule: 'keys' },
  { symptom: 'type', rule: 'keys' },

  { symptom: 'links', rule: 'link-parameters' },
  { symptom: 'order', rule: 'rank' },
  { symptom: 'order', rule: 'order' },
  { symptom: 'items', when: isOnBound('since'), rule: 'since' },
  { symptom: 'items', when: isOnBound('until'), rule: 'until' },
  { symptom: 'items', when: isUnlisted, rule: 'private-second' },
  { symptom: 'items', when: isUnlisted, rule: 'readable' },
  { symptom: 'items', rule: 'data' },

  { symptom: 'message', emulator: 400, rule: 'general/validation-message' },
  { symptom: 'message', rule: 'data' },
  {
    symptom: 'value',
    at: /^\$\.version$/,
    when: ({ comparison }) => comparison.route.id === 'createValVersion',
    rule: 'deleteVersion/not-again',
  },
  { symptom: 'value', rule: 'data' },
  { symptom: 'order', rule: 'data' },
  { symptom: 'links', rule: 'document' },
];

const isVerdict = (rule: string): rule is Verdict => VERDICTS.some((verdict) => verdict === rule);

/** Judges a difference by the rule that it is about: a rule of ours that no source has may be wrong, others not. */
export function judge(difference: Difference, comparison: Comparison): Judgement {
  if (difference.departs === 'ours') return { verdict: 'emulator' };
  const facts = { ...difference, comparison };
  for (const row of ROWS) {
    if (!fits(row, facts)) continue;
    if (isVerdict(row.rule)) return { verdict: row.rule };
    const rule = findRule(row.rule, comparison.route.name);
    if (rule) return { verdict: rule.source === 'chosen' ? 'choice' : 'document', rule };
  }
  return { verdict: 'document' };
}

function fits({ symptom, emulator, upstream, at, when }: Row, facts: Facts): boolean {
  const { comparison } = facts;
  // Without the same data, the status of the emulator is not the one that is compared.
  const [theirs, ours] =
    symptom === 'status' ? [facts.theirs, facts.ours] : [comparison.upstream.status, comparison.emulator.status];
  return (
    symptom === facts.symptom &&
    (emulator === undefined || emulator === ours) &&
    (upstream === undefined || upstream === theirs) &&
    (at === undefined || at.test(facts.at)) &&
    (when === undefined || when(facts))
  );
}

/** Finds a check by its id, or by the part of it that follows the operation. @param route method and path */
function findRule(id: string, route: string): Case | undefined {
  if (id.includes('/')) return CASES.find((each) => each.id === id);
  const operation = CASES.find((each) => each.route === route)?.id.split('/')[0];
  return CASES.find((each) => each.id === `${operation}/${id}`);
}
