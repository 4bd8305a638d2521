import type { Route } from '../../api/route.js';
import { isObject } from '../../lib/objects.js';
import { omitBase, parseTarget } from '../../lib/target.js';
import { compareBodies, compareLinks, type Difference, findDisorder, isList } from '../compare.js';
import { showBytes } from '../report.js';
import type { Reply } from '../service.js';
import { type ResponseDocument, typeName } from './document.js';

export interface Comparison {
  readonly route: Route;
  readonly target: string;
  readonly upstream: Reply;
  readonly emulator: Reply;
  /** Whether both sides have the records of the request, so that values can be equal. */
  readonly hasSameData: boolean;
  /** Whether the service has changed a record, so that it may differ. */
  readonly isDiverged: (id: string) => boolean;
}

/** Lists the differences between two responses, each path once. */
export function compareResponses(comparison: Comparison, document: ResponseDocument): Difference[] {
  const { route, upstream, emulator } = comparison;
  const isSameStatus = upstream.status === emulator.status;
  if (!isSameStatus && (comparison.hasSameData || decidesWithoutData(comparison))) {
    return [{ kind: 'status', path: 'status', theirs: upstream.status, ours: emulator.status }];
  }
  if (!isSameStatus && !document.hasStatus(route, upstream.status)) {
    const expected = upstream.status < 300 ? route.status : emulator.status;
    return [{ kind: 'status', path: 'status', theirs: upstream.status, ours: expected }];
  }
  const differences = [...compareContent(comparison, document)];
  // A response without a body has other headers, and so has an error in place of bytes.
  const isSameKind =
    (upstream.text === '') === (emulator.text === '') &&
    (!isBlob(route) || upstream.status < 400 === emulator.status < 400);
  if (isSameKind || isSameStatus) differences.unshift(...compareHeaders(upstream, emulator));
  const paths = new Map(differences.map((difference) => [`${difference.kind} ${difference.path}`, difference]));
  return [...paths.values()];
}

/** Whether a route responds with bytes, which are compared as they are. */
const isBlob = ({ mediaType }: Route): boolean => mediaType !== undefined;

/** Whether the status does not depend on records, since the request is refused before any look-up. */
function decidesWithoutData({ route, upstream, emulator }: Comparison): boolean {
  const isRefused = emulator.status === 401 || (isObject(emulator.json) && emulator.json.code !== undefined);
  return isRefused || !route.path.includes('{') || upstream.status === 401;
}

/** Headers of connections, servers, caches and intermediaries, not of the API. docs/proxy.md lists them. */
const IGNORED =
  /^(?:connection|keep-alive|transfer-encoding|content-length|content-encoding|date|server|via|age|vary|etag|last-modified|cache-control|expires|pragma|alt-svc|nel|report-to|reporting-endpoints|server-timing|set-cookie|strict-transport-security|referrer-policy|permissions-policy|content-security-policy|cross-origin-[\w-]+|x-(?:powered-by|request-id|response-time|content-type-options|frame-options|xss-protection|dns-prefetch-control|download-options|permitted-cross-domain-policies|served-by|cache|cache-hits|timer|runtime|amz-[\w-]+|amzn-[\w-]+|render-[\w-]+|railway-[\w-]+|vercel-[\w-]+|envoy-[\w-]+|cloud-trace-context)|cf-[\w-]+|fly-[\w-]+|origin-agent-cluster|traceparent|rndr-id)$/;

/** Compares the names of headers, and the media type without parameters. */
function* compareHeaders(upstream: Reply, emulator: Reply): Generator<Difference> {
  for (const name of new Set([...upstream.headers.keys(), ...emulator.headers.keys()])) {
    if (IGNORED.test(name)) continue;
    const [theirs, ours] = [upstream, emulator].map(({ headers }) => headers.get(name) ?? undefined);
    const isOnOneSide = theirs === undefined || ours === undefined;
    if (isOnOneSide || (name === 'content-type' && toMediaType(theirs) !== toMediaType(ours))) {
      yield { kind: 'header', path: name, theirs, ours };
    }
  }
}

const toMediaType = (value: string): string => value.replace(/;.*/s, '').trim().toLowerCase();

/** Keys whose values `pull` replaces. */
const REPLACED = /\.(?:email|profileImageUrl)$/;

function* compareContent(comparison: Comparison, document: ResponseDocument): Generator<Difference> {
  const { route, upstream, emulator, hasSameData, isDiverged } = comparison;
  const isSameStatus = upstream.status === emulator.status;
  const [theirs, ours] = [upstream, emulator].map(({ json, text, status }) =>
    json === undefined || (isBlob(route) && status < 400) ? text : json,
  );
  if (upstream.method === 'HEAD') return;
  if (upstream.text === '' || emulator.text === '') {
    if (!isSameStatus || upstream.text === emulator.text) return;
    const describe = (text: string, json: unknown) => (text === '' ? 'nothing' : typeName(json));
    const both = { theirs: describe(upstream.text, theirs), ours: describe(emulator.text, ours) };
    return yield { kind: 'type', path: '$', ...both };
  }
  const violations = document.check(route, upstream.status, theirs);
  const ownViolations = document.check(route, emulator.status, ours);
  for (const { kind, path, found, allowed } of violations) {
    if (ownViolations.some((own) => own.path === path)) continue;
    yield { kind, path, theirs: found, ours: allowed, deviates: 'theirs' };
  }
  for (const { kind, path, found, allowed } of isSameStatus ? ownViolations : []) {
    if (violations.some((other) => other.path === path)) continue;
    yield { kind, path, theirs: allowed, ours: found, deviates: 'ours' };
  }
  if (upstream.status >= 400) {
    if (!isSameStatus || !isObject(theirs) || !isObject(ours)) return;
    if (typeof theirs.message !== 'string' || theirs.message === ours.message) return;
    return yield { kind: 'message', path: '$.message', theirs: theirs.message, ours: ours.message };
  }
  if (isBlob(route)) {
    if (!hasSameData || !isSameStatus || Buffer.compare(upstream.bytes, emulator.bytes) === 0) return;
    return yield { kind: 'value', path: '$', theirs: showBytes(upstream.bytes), ours: showBytes(emulator.bytes) };
  }
  const skipped = new Set([...violations, ...ownViolations].map(({ path }) => path));
  if (isList(theirs) && !(hasSameData && isSameStatus && isList(ours))) {
    yield* checkOrder(theirs.data, parseTarget(upstream.target).path);
    if (isList(ours)) yield* compareLinks(theirs, ours, false);
  }
  if (!hasSameData || !isSameStatus) return;
  yield* compareBodies(theirs, ours, {
    isIgnored: isDiverged,
    isSame: (their, our, path) => skipped.has(path) || REPLACED.test(path) || isSameText(their, our),
  });
}

const isSameText = (theirs: unknown, ours: unknown): boolean =>
  typeof theirs === 'string' && typeof ours === 'string' && toComparedText(theirs) === toComparedText(ours);

/** Removes the base of a link, and the version of a module, which is compared on its own. */
const toComparedText = (text: string): string => omitBase(text).replace(/^(https:\/\/esm\.town\/\S+)\?v=\d+$/, '$1');

/** The keys of items by which lists are sorted, the latest first. */
const TIME_KEYS = ['runStartAt', 'referencedAt', 'createdAt'];
/** Lists whose items do not show their order. */
const SORTED_OTHERWISE = /^\/v1\/(?:me\/likes|search\/vals)$/;

function readTime(item: unknown): string | undefined {
  const value = isObject(item) ? TIME_KEYS.map((key) => item[key]).find((time) => time !== undefined) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Checks the order of a list by its times, since the emulator has other items. */
function* checkOrder(items: readonly unknown[], path: string): Generator<Difference> {
  const times = items.map(readTime);
  const i = SORTED_OTHERWISE.test(path) ? -1 : findDisorder(times);
  if (i < 0) return;
  yield { kind: 'order', path: '$.data', theirs: `${times[i - 1]}, ${times[i]}`, ours: 'the latest first' };
}
