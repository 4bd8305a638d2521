import { isObject } from '../lib/objects.js';
import { parseTarget } from '../lib/target.js';
import type { Comparison, Difference } from './difference.js';
import { type ResponseDocument, typeName } from './document.js';
import { compareHeaders } from './headers.js';
import { checkOrder, compareItems, compareLinks, isList } from './lists.js';
import { compareValues } from './values.js';

/** Lists what differs between two responses, each path once. */
export function compareResponses(comparison: Comparison, document: ResponseDocument): Difference[] {
  const { route, upstream, emulator } = comparison;
  const isSameStatus = upstream.status === emulator.status;
  if (!isSameStatus && (comparison.hasSameData || decidesWithoutData(comparison))) {
    return [{ symptom: 'status', at: 'status', upstream: upstream.status, emulator: emulator.status }];
  }
  if (!isSameStatus && !document.hasStatus(route, upstream.status)) {
    const expected = upstream.status < 300 ? route.status : emulator.status;
    return [{ symptom: 'status', at: 'status', upstream: upstream.status, emulator: expected }];
  }
  const differences = [...compareBodies(comparison, document)];
  // A response without a body has other headers.
  const isSameKind = (upstream.text === '') === (emulator.text === '');
  if (isSameKind || isSameStatus) differences.unshift(...compareHeaders(upstream, emulator));
  const paths = new Map(differences.map((difference) => [`${difference.symptom} ${difference.at}`, difference]));
  return [...paths.values()];
}

/** Whether the status is the same for all data: a request that is refused before any record is looked up. */
function decidesWithoutData({ route, upstream, emulator }: Comparison): boolean {
  const isRefused = emulator.status === 401 || (isObject(emulator.json) && emulator.json.code !== undefined);
  const isFixed = route.method === 'GET' && !route.path.includes('{');
  return isRefused || isFixed || upstream.status === 401;
}

function* compareBodies(comparison: Comparison, document: ResponseDocument): Generator<Difference> {
  const { route, upstream, emulator, hasSameData, startedAt, isDiverged } = comparison;
  const isSameStatus = upstream.status === emulator.status;
  const [theirs, ours] = [upstream, emulator].map(({ json, text }) => (json === undefined ? text : json));
  if (upstream.method === 'HEAD') return;
  if (upstream.text === '' || emulator.text === '') {
    if (!isSameStatus || upstream.text === emulator.text) return;
    const describe = (text: string, json: unknown) => (text === '' ? 'nothing' : typeName(json));
    const both = { upstream: describe(upstream.text, theirs), emulator: describe(emulator.text, ours) };
    return yield { symptom: 'type', at: '$', ...both };
  }
  const theirViolations = document.check(route, upstream.status, theirs);
  const ownViolations = document.check(route, emulator.status, ours);
  for (const { symptom, at, found, allowed } of theirViolations) {
    if (ownViolations.some((own) => own.at === at)) continue;
    yield { symptom, at, upstream: found, emulator: allowed, departs: 'upstream' };
  }
  for (const { symptom, at, found, allowed } of isSameStatus ? ownViolations : []) {
    if (theirViolations.some((other) => other.at === at)) continue;
    yield { symptom, at, upstream: allowed, emulator: found, departs: 'emulator' };
  }
  if (upstream.status >= 400) {
    if (isSameStatus && isObject(theirs) && isObject(ours)) yield* compareMessages(theirs, ours);
    return;
  }
  const skipped = new Set([...theirViolations, ...ownViolations].map(({ at }) => at));
  if (isList(theirs)) {
    const items = hasSameData && isSameStatus && isList(ours) ? [...compareItems(theirs, ours, comparison)] : undefined;
    yield* items ?? checkOrder(theirs, parseTarget(upstream.target).path);
    const isSameWindow = items?.every(({ symptom }) => symptom !== 'items') ?? false;
    if (isList(ours)) yield* compareLinks(theirs, ours, isSameWindow);
  }
  if (hasSameData && isSameStatus) yield* compareValues(theirs, ours, { skipped, startedAt, isDiverged });
}

function* compareMessages(theirs: Record<string, unknown>, ours: Record<string, unknown>): Generator<Difference> {
  if (typeof theirs.message !== 'string' || theirs.message === ours.message) return;
  yield { symptom: 'message', at: '$.message', upstream: theirs.message, emulator: ours.message };
}
