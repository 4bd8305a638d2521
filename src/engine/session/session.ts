import type { Exchange } from '../journal/exchange.js';
import type { Journal } from '../journal/journal.js';
import { RequestContent } from '../journal/request-content.js';
import { SECRET_NAME, UNKNOWN_TOKEN } from '../lib/redactor.js';
import { inSteps, mapInSteps, mapLazily, type Steps, type TextSteps } from '../lib/steps.js';
import { escapeControls } from '../lib/text.js';
import type { Instant } from '../lib/time.js';
import { describeSandbox, describeSeed, withoutSurplus } from '../persistence/describe.js';
import { formatLines, type Line, makeHeader, type RecordedRequest, type SeedInfo } from '../persistence/lines.js';
import type { StoredSeed } from '../persistence/replay.js';
import { toStoredRequest } from '../persistence/requests.js';
import { defaultToken, readToken } from '../state/callers.js';
import type { State, StateStore } from '../state/state.js';
import type { Contents } from '../store/store.js';
import { SessionRedactor } from './session-redactor.js';

/** What a session file has: one sandbox, and the requests of its journal. */
export interface Session {
  readonly seed: StoredSeed;
  readonly contents: Contents<State>;
  readonly requests: readonly RecordedRequest[];
}

/** Headers that say what a request asks for. Others are of the connection, or of the client. */
const KEPT_HEADER = /^(?:content-type|accept|x-emulator-fault|x-(?!emulator-|forwarded-|real-ip$).+)$/;

export interface SessionSource {
  readonly meta: { readonly seed: { readonly info: SeedInfo; readonly current: State } };
  readonly store: Pick<StateStore, 'contents'>;
  readonly journal: Pick<Journal, 'exchanges'>;
}

/** Formats a sandbox as a session file, without tokens. */
export function* formatSession(source: SessionSource, now: Instant): TextSteps {
  // Read before the first step, after which other requests change the sandbox.
  const { info, current } = source.meta.seed;
  const contents = withoutSurplus(source.store.contents);
  const { requests, redactor } = yield* recordRequests(source);
  // The folders of this machine do not matter elsewhere.
  const name = info.name.split(/[\\/]/).at(-1) ?? '';
  const seed = { id: '1', info: { ...info, name }, state: current };
  const format = (line: Line) => escapeControls(redactor.format(line));
  const lines = describeSession({ seed, contents, requests }, now);
  yield* formatLines(mapLazily(lines, format), 0, 1);
}

/** Reads the requests of a journal, with what replaces the tokens in them. */
export function* recordRequests({
  meta: { seed },
  store: { contents },
  journal: { exchanges },
}: SessionSource): Steps<{ requests: RecordedRequest[]; redactor: SessionRedactor }> {
  const { history, snapshots, state } = contents;
  const committed = history.list().flatMap(({ before, after }) => [before, after]);
  const redactor = new SessionRedactor(state);
  // The seed first, so that its tokens have the first numbers.
  const states = [seed.current, ...snapshots.map((each) => each.state), ...committed, state];
  yield* redactor.learnRecords(states);
  yield* inSteps(exchanges, (exchange) => {
    const { target, user } = exchange;
    const sent = Object.entries(new RequestContent(exchange).headers);
    redactor.learn(sent, target, user === null ? UNKNOWN_TOKEN : defaultToken(user));
  });
  const requests = yield* mapInSteps(exchanges, (exchange) => toRecordedRequest(exchange, redactor));
  return { requests, redactor };
}

function toRecordedRequest(exchange: Exchange, redactor: SessionRedactor): RecordedRequest {
  const stored = toStoredRequest(exchange);
  const sent = stored.headers;
  const token = redactor.find(readToken(sent.authorization) ?? '');
  const own = exchange.user === null ? UNKNOWN_TOKEN : defaultToken(exchange.user);
  const isOpen = ([header]: [string, string]) => !SECRET_NAME.test(header);
  const kept = Object.entries(sent).filter((entry) => KEPT_HEADER.test(entry[0]) && isOpen(entry));
  return {
    ...stored,
    hasToken: sent.authorization !== undefined,
    ...(token !== undefined && token !== own && { token }),
    headers: Object.fromEntries(kept),
    responseHeaders: Object.fromEntries(Object.entries(exchange.responseHeaders).filter(isOpen)),
    // The rest of the stack has the folders of this machine.
    error: exchange.error?.split('\n')[0] ?? null,
  };
}

/** Describes a session line by line. The sandbox becomes the default one. */
function* describeSession({ seed, contents, requests }: Session, recordedAt: Instant): Generator<Line> {
  yield makeHeader({ recordedAt, requests: requests.length });
  yield* describeSeed(seed);
  yield* describeSandbox('', { seed, contents });
  yield { type: 'begin' };
  for (const request of requests) yield { type: 'request', request };
}
