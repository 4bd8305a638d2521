import type { Definitions } from '../definition/definitions.js';
import type { Exchange } from '../journal/exchange.js';
import type { Journal } from '../journal/journal.js';
import { RequestContent } from '../journal/request-content.js';
import { readToken } from '../lib/bearer.js';
import { DataError, OptionsError, reasonFor } from '../lib/errors.js';
import { formatValue, suggestId } from '../lib/messages.js';
import { SECRET_NAME, UNKNOWN_TOKEN } from '../lib/redactor.js';
import { finish, inSteps, mapInSteps, mapLazily, type Steps, type TextSteps } from '../lib/steps.js';
import { escapeControls } from '../lib/text.js';
import type { Instant } from '../lib/time.js';
import { defaultToken } from '../state/callers.js';
import { emptyState, type State, type StateStore } from '../state/state.js';
import type { Commit } from '../store/commit.js';
import { applyChange, type Contents } from '../store/store.js';
import { checkLine, checkRecords } from './check-lines.js';
import {
  damaged,
  formatLines,
  type HeaderLine,
  type Line,
  makeHeader,
  type RecordedRequest,
  type SeedInfo,
} from './lines.js';
import { readLinesInSteps, readParts } from './read-lines.js';
import { SessionRedactor } from './redactor.js';
import { describeSandbox, describeSeed, Replay, type StoredSeed } from './replay.js';
import { toExchanges, toStoredRequest } from './requests.js';
import type { StoredSandbox } from './storage.js';

const ADVICE = 'Record the session again, or get another copy of the file.';
/** Commits that a message lists. */
const MAX_LISTED = 10;

/** What a session file has: one sandbox, and the requests of its journal. */
interface Session {
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
  const { contents } = source.store;
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
  const committed = history.flatMap(({ before, after }) => [before, after]);
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

/**
 * Opens a session file.
 * @param at opens it as it was after this commit, or at the `start`. Default: at its end
 * @throws DataError for another file, and for one that is damaged, incomplete or too new
 * @throws OptionsError for an unknown commit
 */
export function openSession(path: string, definitions: Definitions, at?: string): StoredSandbox {
  try {
    const session = finish(readSession(path, definitions, readParts(path)));
    return toStoredSandbox(at === undefined ? session : rewindSession(session, at), '');
  } catch (error) {
    if (error instanceof DataError || error instanceof OptionsError) throw error;
    throw new DataError(`${path} cannot be read: ${reasonFor(error)}`);
  }
}

/**
 * Reads the content of a session file, in steps.
 * @param sandbox name of the sandbox that it becomes
 * @throws DataError as {@link openSession} does
 */
export function* parseSession(content: string, definitions: Definitions, sandbox: string): Steps<StoredSandbox> {
  return toStoredSandbox(yield* readSession('The content', definitions, [Buffer.from(content)]), sandbox);
}

const toStoredSandbox = ({ seed, contents, requests }: Session, name: string): StoredSandbox => ({
  ...{ name, seed, contents, exchanges: toExchanges(requests, name) },
});

function* readSession(path: string, definitions: Definitions, parts: Iterable<Buffer>): Steps<Session> {
  const replay = new Replay(definitions);
  const requests: RecordedRequest[] = [];
  let header: HeaderLine | undefined;
  let checked = emptyState({ auth: 'strict', idSeed: '' }, definitions);
  const onLine = (line: Line) => {
    if (line.type === 'header') header = line;
    if (!header?.session) throw noSession(path);
    checkLine(line);
    if (line.type === 'request') return void requests.push(line.request);
    replay.add(line);
    const state = line.type === 'seed' ? replay.getSeed(line.seed).state : replay.sandboxes.get('')?.contents.state;
    if (!state || state === checked) return;
    checkRecords(checked, state);
    checked = state;
  };
  const { begin, torn, lines } = yield* readLinesInSteps(path, onLine, ADVICE, parts);
  if (!header?.session) throw noSession(path);
  if (torn > 0) throw damaged(path, `line ${lines + 1} is not as it was written`, ADVICE);
  const stored = replay.sandboxes.get('');
  if (begin === 0 || !stored) throw damaged(path, `it ends after line ${lines}, before its requests`, ADVICE);
  const { requests: count } = header.session;
  if (requests.length !== count) {
    throw damaged(path, `it ends after line ${lines}, with ${requests.length} of ${count} requests`, ADVICE);
  }
  return { ...stored, requests };
}

const noSession = (path: string): DataError =>
  new DataError(`${path} is not a session: val-emulator record did not write its first line.`);

/** Returns a session as it was after a commit: without the later commits and requests. */
function rewindSession({ seed, contents, requests }: Session, at: string): Session {
  const { history } = contents;
  const index = at === 'start' ? -1 : history.findIndex(({ id }) => id === at);
  if (index < 0 && at !== 'start') throw new OptionsError([{ path: 'sessionAt', message: unknownCommit(at, history) }]);
  const later = new Set(history.slice(index + 1).map(({ id }) => id));
  const end = requests.findIndex(({ commit }) => commit !== null && later.has(commit));
  return {
    seed,
    contents: later.size === 0 ? contents : applyChange(contents, { type: 'rewind', steps: later.size }),
    requests: end < 0 ? requests : requests.slice(0, end),
  };
}

function unknownCommit(at: string, history: readonly Commit<State>[]): string {
  const problem = `found ${formatValue(at)}; expected a commit of the session.`;
  if (history.length === 0) return `${problem} It has none.`;
  const ids = history.map(({ id }) => id);
  const nearest = suggestId(at, ids);
  if (ids.length <= MAX_LISTED) return `${problem} It has ${ids.join(', ')}.${nearest}`;
  return `${problem} It has ${ids.length}, from ${ids[0]} to ${ids.at(-1)}.${nearest}`;
}
