import { DataError, OptionsError, reasonFor } from '../lib/errors.js';
import { didYouMean, formatValue } from '../lib/messages.js';
import type { Instant } from '../lib/time.js';
import type { State } from '../model/state.js';
import { applyChange, type Commit, type Contents } from '../store/store.js';
import { damaged, type HeaderLine, type Line, makeHeader, type RecordedRequest } from './lines.js';
import { readLines } from './read-lines.js';
import { describeSandbox, describeSeed, Replay, type StoredSandbox, type StoredSeed } from './replay.js';

const ADVICE = 'Record the session again, or get another copy of the file.';
/** Commits that a message lists. */
const MAX_LISTED = 10;

/** What a session file has: one sandbox, and the requests of its journal. */
export interface StoredSession {
  readonly seed: StoredSeed;
  readonly contents: Contents<State>;
  readonly requests: readonly RecordedRequest[];
}

/** Describes a session line by line. The sandbox becomes the default one. */
export function* describeSession(
  { seed, contents }: StoredSandbox,
  requests: readonly RecordedRequest[],
  recordedAt: Instant,
): Generator<Line> {
  yield makeHeader({ recordedAt, requests: requests.length });
  yield* describeSeed(seed);
  yield* describeSandbox('', { seed, contents });
  yield { type: 'begin' };
  for (const request of requests) yield { type: 'request', request };
}

/** Reads a session file. @throws DataError for another file, and for one that is damaged, incomplete or too new */
export function readSession(path: string): StoredSession {
  const replay = new Replay();
  const requests: RecordedRequest[] = [];
  let header: HeaderLine | undefined;
  const onLine = (line: Line) => {
    if (line.type === 'header') header = line;
    if (!header?.session) throw noSession(path);
    if (line.type === 'request') requests.push(line.request);
    else replay.add(line);
  };
  const { begin, torn, lines } = read(path, onLine);
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

function read(path: string, onLine: (line: Line) => void) {
  try {
    return readLines(path, onLine, ADVICE);
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new DataError(`${path} cannot be read: ${reasonFor(error)}`);
  }
}

const noSession = (path: string): DataError =>
  new DataError(`${path} is no session: line 1 is not that of a file which val-emulator record has written.`);

/**
 * Returns a session as it was after a commit: without the later commits and requests.
 * @param at id of the commit; `start` for the state before the oldest one of the history
 * @throws OptionsError for an unknown commit
 */
export function rewindSession({ seed, contents, requests }: StoredSession, at: string): StoredSession {
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
  const number = Number(at.slice(1));
  const earlier = ids.filter((id) => id[0] === at[0] && Number(id.slice(1)) < number).at(-1);
  const nearest = earlier === undefined ? didYouMean(at, ids) : ` The last one before it is ${earlier}.`;
  if (ids.length <= MAX_LISTED) return `${problem} It has ${ids.join(', ')}.${nearest}`;
  return `${problem} It has ${ids.length}, from ${ids[0]} to ${ids.at(-1)}.${nearest}`;
}
