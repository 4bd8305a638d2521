import { defaultToken } from '../fixtures/defaults.js';
import { SECRET_NAME, UNKNOWN_TOKEN } from '../lib/redactor.js';
import { mapLazily, type TextSteps } from '../lib/steps.js';
import { escapeControls } from '../lib/text.js';
import type { Instant } from '../lib/time.js';
import type { State, StateStore } from '../model/state.js';
import { formatLines, type Line, type RecordedRequest, type SeedInfo } from '../storage/lines.js';
import { describeSession } from '../storage/session.js';
import { beginExchange, type Exchange, exchangeId, FAULT_HEADER } from './exchange.js';
import type { Journal } from './journal.js';
import { SessionRedactor } from './redactor.js';
import { RequestContent } from './request-content.js';

/** Headers that say what a request asks for. Others are of the connection, or of the client. */
const KEPT_HEADER = /^(?:content-type|accept|x-emulator-fault|x-(?!emulator-|forwarded-|real-ip$).+)$/;

interface SessionSource {
  readonly seed: { readonly info: SeedInfo; readonly current: State };
  readonly store: Pick<StateStore, 'contents'>;
  readonly journal: Pick<Journal, 'exchanges'>;
}

/** Formats a sandbox as a session file. Tokens are left out. */
export function* formatSession({ seed, store, journal }: SessionSource, now: Instant): TextSteps {
  const { info, current } = seed;
  // The folders of this machine do not matter elsewhere.
  const name = info.name.split(/[\\/]/).at(-1) ?? '';
  const stored = { id: '1', info: { ...info, name }, state: current };
  const { exchanges } = journal;
  const requests = exchanges.map((exchange) => toRecordedRequest(exchange, store));
  const redactor = new SessionRedactor();
  const lines: Line[] = [];
  for (const line of describeSession({ seed: stored, contents: store.contents }, requests, now)) {
    lines.push(line);
    redactor.learnLine(line);
    yield;
  }
  for (const exchange of exchanges) {
    const { target, user } = exchange;
    const sent = Object.entries(new RequestContent(exchange).headers);
    redactor.learn(sent, target, user === null ? UNKNOWN_TOKEN : defaultToken(user));
  }
  const texts = mapLazily(lines, (line) => escapeControls(redactor.format(line)));
  yield* formatLines(texts, 0, 1);
}

function toRecordedRequest(exchange: Exchange, store: SessionSource['store']): RecordedRequest {
  const stored = toStoredRequest(exchange);
  const sent = stored.headers;
  const isOpen = ([header]: [string, string]) => !SECRET_NAME.test(header);
  const kept = Object.entries(sent).filter((entry) => KEPT_HEADER.test(entry[0]) && isOpen(entry));
  return {
    ...stored,
    hasToken: sent.authorization !== undefined,
    headers: Object.fromEntries(kept),
    responseHeaders: Object.fromEntries(Object.entries(exchange.responseHeaders).filter(isOpen)),
    isInjected: isInjected(exchange, sent[FAULT_HEADER], store.contents),
    // The rest of the stack has the folders of this machine.
    error: exchange.error?.split('\n')[0] ?? null,
  };
}

/** Whether a fault responded, rather than to delay or to cut a response. */
function isInjected(
  { fault, status }: Exchange,
  header: string | undefined,
  { state, history }: StateStore['contents'],
): boolean {
  if (fault === null) return false;
  if (status === 0) return true;
  if (fault === FAULT_HEADER) return /\b[45]\d\d\b|reset/.test(header ?? '');
  const states = [state, ...history.map(({ before }) => before)];
  const armed = states.flatMap(({ faults }) => faults.find(({ id }) => id === fault) ?? [])[0];
  return !armed || armed.status !== null || armed.reset;
}

/** Makes what a data folder stores of an exchange: with all headers, the token among them. */
export function toStoredRequest(exchange: Exchange): RecordedRequest {
  const { number: _, sandbox: __, target: path, ...others } = exchange;
  const { headers } = new RequestContent(exchange);
  return { id: exchangeId(exchange), ...others, path, headers, hasToken: false, isInjected: false };
}

/** Makes the exchanges of a journal again. A token that was left out is that of the user in the file. */
export const toExchanges = (requests: readonly RecordedRequest[], sandbox: string): Exchange[] =>
  requests
    .map(({ hasToken, isInjected: _, id, path: target, headers: sent, ...others }) => {
      const token = others.user === null ? UNKNOWN_TOKEN : defaultToken(others.user);
      const headers = [...Object.entries(sent), ...(hasToken ? [['authorization', `Bearer ${token}`]] : [])].flat();
      const begun = beginExchange({ method: others.method, target, headers });
      return { ...begun, ...others, number: Number(id.slice(1)), sandbox };
    })
    .sort((a, b) => a.number - b.number);
