import type { Definitions } from '../definition/definitions.js';
import { DataError, OptionsError, reasonFor } from '../lib/errors.js';
import { formatValue, suggestId } from '../lib/messages.js';
import { finish, type Steps } from '../lib/steps.js';
import { checkLine, checkRecords } from '../persistence/check-lines.js';
import { damaged, type HeaderLine, type Line, type RecordedRequest } from '../persistence/lines.js';
import { readLinesInSteps, readParts } from '../persistence/read-lines.js';
import { Replay } from '../persistence/replay.js';
import { toExchanges } from '../persistence/requests.js';
import type { StoredSandbox } from '../persistence/storage.js';
import { emptyState, type State } from '../state/state.js';
import { findMoment, type History } from '../store/history.js';
import { applyChange, findNumbers } from '../store/store.js';
import type { Session } from './session.js';

// Loaded with the first session that is opened.

const ADVICE = 'Record the session again, or get another copy of the file.';
const MAX_LISTED = 10;

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
  const { history, commits } = contents;
  const found = findMoment(contents, at);
  if (!found) throw new OptionsError([{ path: 'sessionAt', message: unknownCommit(at, history) }]);
  const later = new Set(history.list(commits - found.commits).map(({ id }) => id));
  const end = requests.findIndex(({ commit }) => commit !== null && later.has(commit));
  const rewound = applyChange(contents, { type: 'rewind', steps: later.size });
  return {
    seed,
    contents: later.size === 0 ? contents : { ...rewound, numbers: findNumbers(rewound.history) },
    requests: end < 0 ? requests : requests.slice(0, end),
  };
}

function unknownCommit(at: string, history: History<State>): string {
  const problem = `found ${formatValue(at)}; expected a commit of the session.`;
  if (history.length === 0) return `${problem} It has none.`;
  const ids = history.list().map(({ id }) => id);
  const nearest = suggestId(at, ids);
  if (ids.length <= MAX_LISTED) return `${problem} It has ${ids.join(', ')}.${nearest}`;
  return `${problem} It has ${ids.length}, from ${ids[0]} to ${ids.at(-1)}.${nearest}`;
}
