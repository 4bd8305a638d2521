import { type Difference, findDifferences, takeFirst } from '../lib/matching.js';
import { formatValue } from '../lib/messages.js';
import { isObject } from '../lib/objects.js';
import { isError } from '../lib/reasons.js';
import { inSteps, type Steps } from '../lib/steps.js';
import { type Exchange, exchangeId } from './exchange.js';
import { findHeader, RequestContent } from './request-content.js';

/** Whether the API did what a request asked for. */
export const isAccepted = (exchange: Exchange): boolean => exchange.fault === null && !isError(exchange);

/** Differences by which requests are compared. */
const MAX_COMPARED = 20;

interface Nearest {
  readonly exchange: Exchange;
  /** What it sent (wanted), and what the other request sent (found). */
  readonly differences: readonly Difference[];
}

/** Reads what decides whether a route accepts a request. */
const readSent = (exchange: Exchange) => {
  const { headers, params, query, body } = new RequestContent(exchange);
  const { message, sent } = splitMessage(body);
  return {
    message,
    parts: { user: exchange.user, params, query, headers: { 'content-type': headers['content-type'] }, body: sent },
  };
};

/** Splits a message of JSON-RPC into what it is for, its method and tool, and what it sends apart from its id. Empty for another body. */
function splitMessage(body: unknown): { readonly message: string; readonly sent: unknown } {
  if (!isObject(body) || body.jsonrpc === undefined) return { message: '', sent: body };
  const { id: _, ...sent } = body;
  const { name } = isObject(body.params) ? body.params : {};
  return { message: JSON.stringify([body.method, name]), sent };
}

/** Finds the accepted request of the same route and token that differs the least from another one, and of those the next to it. */
export function* findNearestAccepted(exchanges: readonly Exchange[], refused: Exchange): Steps<Nearest | undefined> {
  const sent = readSent(refused);
  let nearest: Nearest | undefined;
  const distance = ({ number }: Exchange) => Math.abs(number - refused.number);
  const token = findHeader(refused.headers, 'authorization');
  // What another token may do says nothing about this one.
  const candidates = exchanges.filter(
    (each) =>
      refused.route !== null &&
      each.route === refused.route &&
      isAccepted(each) &&
      findHeader(each.headers, 'authorization') === token,
  );
  candidates.sort((a, b) => distance(a) - distance(b));
  yield* inSteps(candidates, (exchange) => {
    if (nearest?.differences.length === 0) return;
    const accepted = readSent(exchange);
    // One endpoint has all methods and tools.
    if (accepted.message !== sent.message) return;
    const all = findDifferences(accepted.parts, sent.parts, '', { isExact: true });
    const differences = takeFirst(all, MAX_COMPARED);
    if (!nearest || differences.length < nearest.differences.length) nearest = { exchange, differences };
  });
  return nearest;
}

const formatSent = (value: unknown): string => (value === undefined || value === null ? 'nothing' : formatValue(value));

/** Describes what two requests sent at one path: `body.code: r1 sent "1", r3 nothing`. */
export const formatSentDifference = ({ path, wanted, found }: Difference, accepted: Exchange, refused: Exchange) =>
  `${path}: ${exchangeId(accepted)} sent ${formatSent(wanted)}, ${exchangeId(refused)} ${formatSent(found)}`;
