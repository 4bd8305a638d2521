import { defaultToken } from '../fixtures/defaults.js';
import { SECRET_NAME } from '../lib/secrets.js';
import { mapLazily, type TextSteps } from '../lib/steps.js';
import { parseTarget } from '../lib/target.js';
import { escapeControls } from '../lib/text.js';
import type { Instant } from '../lib/time.js';
import type { StateStore } from '../model/state.js';
import { formatLines, type Line, type RecordedRequest } from '../persistence/lines.js';
import { describeSession } from '../persistence/session.js';
import { FAULT_HEADER } from './fault-header.js';
import type { Journal, JournalEntry } from './journal.js';
import { Redactor, UNKNOWN_TOKEN } from './redactor.js';
import { RequestContent } from './request-content.js';
import type { Seed } from './seed.js';

/** Headers that a replay sends again. Others are of the connection, or of the client. */
const KEPT_HEADER = /^(?:content-type|accept|x-emulator-fault|x-(?!emulator-|forwarded-|real-ip$).+)$/;

interface SessionSource {
  readonly seed: Seed;
  readonly store: Pick<StateStore, 'contents'>;
  readonly journal: Pick<Journal, 'entries'>;
}

/** Formats a sandbox as a session file. Tokens are left out. */
export function* formatSession({ seed, store, journal }: SessionSource, now: Instant): TextSteps {
  const { info, current } = seed;
  // The folders of this machine do not matter elsewhere.
  const name = info.name.split(/[\\/]/).at(-1) ?? '';
  const stored = { id: '1', info: { ...info, name }, state: current };
  const { entries } = journal;
  const requests = entries.map((entry) => toRecordedRequest(entry, store));
  const redactor = new Redactor();
  const lines: Line[] = [];
  for (const line of describeSession({ seed: stored, contents: store.contents }, requests, now)) {
    lines.push(line);
    redactor.learn(line);
    yield;
  }
  for (const entry of entries) {
    for (const text of listCredentials(entry)) redactor.learnCredentials(text, entry.user);
  }
  const texts = mapLazily(lines, (line) => escapeControls(redactor.format(line)));
  yield* formatLines(texts, 0, 1);
}

function toRecordedRequest(entry: JournalEntry, store: SessionSource['store']): RecordedRequest {
  const { id, at, duration, route, method, path, user, status, requestBody, responseBody, fault, commit } = entry;
  const sent = new RequestContent(entry).headers;
  const kept = Object.entries(sent).filter(([header]) => KEPT_HEADER.test(header) && !SECRET_NAME.test(header));
  // The rest of the stack has the folders of this machine.
  const error = entry.error?.split('\n')[0] ?? null;
  return {
    ...{ id, at, duration, route, method, path, user, hasToken: sent.authorization !== undefined },
    ...{ headers: Object.fromEntries(kept), requestBody, status, responseBody, fault },
    ...{ isInjected: isInjected(entry, sent[FAULT_HEADER], store.contents), commit, error },
  };
}

/** Whether a fault responded, rather than to delay or to cut a response. */
function isInjected(
  { fault, status }: JournalEntry,
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

/** Lists the values of headers and parameters whose names say that they are secret. */
export function* listCredentials({ headers, path }: Pick<JournalEntry, 'headers' | 'path'>): Generator<string> {
  const content = new RequestContent({ headers, path, route: null, requestBody: undefined });
  for (const [name, value] of Object.entries(content.headers)) {
    if (name === 'cookie') yield* value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1));
    else if (SECRET_NAME.test(name)) yield value.replace(/^(?:basic|bearer)\s+/i, '');
  }
  for (const [name, value] of parseTarget(path).query) if (SECRET_NAME.test(name)) yield value;
}

/** Makes what a data folder stores of an entry: with all headers, the token among them. */
export const toStoredRequest = (entry: JournalEntry): RecordedRequest => ({
  ...entry,
  headers: new RequestContent(entry).headers,
  hasToken: false,
  isInjected: false,
});

/** Makes the entries of a journal again. A token that was left out is that of the user in the file. */
export const toJournalEntries = (requests: readonly RecordedRequest[]): JournalEntry[] =>
  requests.map(({ hasToken, isInjected: _, headers, requestBody, responseBody, ...others }) => {
    const token = others.user === null ? UNKNOWN_TOKEN : defaultToken(others.user);
    const sent = [...Object.entries(headers), ...(hasToken ? [['authorization', `Bearer ${token}`]] : [])];
    return { ...others, headers: sent.flat(), requestBody, responseBody };
  });
