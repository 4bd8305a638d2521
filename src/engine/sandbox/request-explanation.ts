import { type Static, Type } from 'typebox';
import { nameRequest } from '../api/tool-route.js';
import { listChangedNames } from '../changes/change.js';
import { FAULT_HEADER } from '../faults/header.js';
import { type Asserted, getExchange } from '../journal/assertions.js';
import { type Exchange, exchangeId } from '../journal/exchange.js';
import { explain, explanationFields } from '../journal/explanation.js';
import { findNearestAccepted, formatSentDifference, isAccepted } from '../journal/near-misses.js';
import type { Difference } from '../lib/matching.js';
import { formatStatus } from '../lib/reasons.js';
import type { Steps } from '../lib/steps.js';
import { cutText } from '../lib/text.js';
import { Nullable } from '../schema/common.js';
import { record } from '../schema/schema.js';
import type { StateStore } from '../state/state.js';

const requestExplanation = record('RequestExplanation', {
  id: Type.String(),
  summary: Type.String({ description: 'What happened, in a sentence' }),
  ...explanationFields,
  accepted: Nullable(
    record('AcceptedRequest', {
      id: Type.String(),
      route: Nullable(Type.String()),
      method: Type.String(),
      path: Type.String(),
      status: Type.Integer(),
      differences: Type.Array(Type.String(), { description: 'What it sent, and what the refused request did' }),
    }),
  ),
  change: Nullable(Type.String({ description: 'What to change; null for an accepted request' })),
});
/** Why a request got its response, and what to change. Every text is cut, so that it has 1,200 characters at most. */
export interface RequestExplanation extends Static<typeof requestExplanation> {}
export const RequestExplanation = Type.Unsafe<RequestExplanation>(requestExplanation);

/** Characters of a text, of a path, and differences. */
const MAX_TEXT = 150;
const MAX_PATH = 80;
const MAX_DIFFERENCES = 3;

/** What to change if nothing says more. */
const ADVICE: Readonly<Record<number, string>> = {
  400: 'Correct what the message names.',
  403: 'Use a token that may do it: GET /_emulator/users lists the tokens.',
  404: 'Use the id of a record that exists, or add the record: POST /_emulator/records.',
  409: 'Send another value, or remove what has this one.',
  429: 'Wait as the header Retry-After says, or change the limit: PUT /_emulator/rate-limit.',
  500: 'Read `error` of the request: it has the stack.',
  501: 'Use another route: this one is not emulated.',
};

/** Explains a request of the journal, `r3` or `3`. @throws NotFoundError; ApiError 409 without a journal */
export function* explainRequest(
  { journal, router }: Asserted,
  store: StateStore,
  id: string,
): Steps<RequestExplanation> {
  const exchange = getExchange(journal, id);
  const { message, suggestion, reason } = explain(exchange, router);
  const texts = { message: cut(message), suggestion: cut(suggestion), reason: cut(reason) };
  const begun = { id: exchangeId(exchange), summary: summarize(exchange, store), ...texts };
  if (isAccepted(exchange)) return { ...begun, accepted: null, change: null };
  const nearest = yield* findNearestAccepted(journal.read().exchanges, exchange);
  const differences = nearest?.differences.toSorted((a, b) => rank(message, a) - rank(message, b)) ?? [];
  const advice = ADVICE[isOk(exchange.status) ? 400 : exchange.status];
  const change = findAdvice(exchange) ?? texts.suggestion ?? adviseByDifferences(differences, message) ?? advice;
  if (!nearest) return { ...begun, accepted: null, change: change ?? null };
  const { route, method, target, status } = nearest.exchange;
  const accepted = {
    ...{ id: exchangeId(nearest.exchange), route, method, path: cutText(target, MAX_PATH), status },
    differences: differences
      .slice(0, MAX_DIFFERENCES)
      .map((each) => cutText(formatSentDifference(each, nearest.exchange, exchange), MAX_TEXT)),
  };
  return { ...begun, accepted, change: change ?? null };
}

/** Whether only the message says that a call of a tool was refused. */
const isOk = (status: number): boolean => status > 0 && status < 400;

const cut = (text: string | null): string | null => text && cutText(text, MAX_TEXT);

/** Puts what the message names first. */
const isNamed = (message: string | null, { path }: Difference): boolean =>
  message?.split(/\W+/).includes(path.split(/\W/).at(-1) ?? '') === true;

const rank = (message: string | null, difference: Difference): number => (isNamed(message, difference) ? 0 : 1);

function summarize(exchange: Exchange, { history }: StateStore): string {
  const { status, fault, outcome, commit } = exchange;
  const id = exchangeId(exchange);
  const end = outcome === 'aborted' ? ', and its client ended the connection' : '';
  const start = `${id} ${nameRequest({ ...exchange, path: cutText(exchange.target, MAX_PATH) })}`;
  if (fault !== null) return `${start} got the fault ${fault}: ${status || 'a reset connection'}${end}.`;
  if (!isAccepted(exchange))
    return `${start} ${status < 500 ? 'was refused' : 'failed'} with ${formatStatus(exchange)}${end}.`;
  const own = commit === id ? history.find(id) : undefined;
  const gone = commit === id ? ' The history no longer has its commit.' : ' It changed nothing.';
  const changed = own ? ` It changed: ${cutText(listChangedNames(own.before, own.after).join('; '), MAX_TEXT)}.` : gone;
  return `${start} succeeded with ${status}${end}.${changed}`;
}

/** Says how to do without a fault, which no other request explains. */
function findAdvice({ fault, status }: Exchange): string | undefined {
  if (fault === FAULT_HEADER) return `Send it without the header ${FAULT_HEADER}.`;
  if (fault !== null) return `Disarm the fault: DELETE /_emulator/faults/${fault}.`;
  return status === 429 || status >= 500 ? ADVICE[status] : undefined;
}

/** Names where a request differs from an accepted one: what the message names, if it does. */
function adviseByDifferences(differences: readonly Difference[], message: string | null): string | undefined {
  const named = differences.filter((each) => isNamed(message, each));
  // A message names what is missing: what else was not sent is optional.
  const sent = differences.filter(({ found }) => found !== undefined);
  const paths = (named.length > 0 ? named : sent).slice(0, MAX_DIFFERENCES).map(({ path }) => path);
  return paths.length === 0
    ? undefined
    : `Send these as the accepted request did: ${cutText(paths.join(', '), MAX_TEXT)}.`;
}
