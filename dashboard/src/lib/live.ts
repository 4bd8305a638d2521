import { batch, signal } from '@preact/signals';
import { base, ControlError, control } from './api.js';
import { loadCollections } from './collections.js';
import type {
  ClockStatus,
  CommitSummary,
  FaultRecord,
  HistoryEntry,
  RequestSummary,
  SandboxRecord,
  SnapshotRecord,
} from './types.js';

/** What the events of the emulator say, as signals. */

/** Requests that the page has: as many as the journal. */
const MAX_REQUESTS = 1_000;
/** Commits of a history. */
export const MAX_COMMITS = 100;
/** Milliseconds for which events are collected, so that a thousand a second cost a few updates. */
const FLUSH_MS = 200;

export const connection = signal<'connecting' | 'open' | 'lost'>('connecting');
/** Why the emulator refuses this page, such as that the sandbox is closed; undefined while it does not. */
export const refusal = signal<ControlError | undefined>(undefined);
/** Newest last. */
export const requests = signal<readonly RequestSummary[]>([]);
/** Newest last. */
export const commits = signal<readonly CommitSummary[]>([]);
export const faults = signal<readonly FaultRecord[]>([]);
export const clock = signal<ClockStatus | undefined>(undefined);
export const snapshots = signal<readonly SnapshotRecord[]>([]);
export const sandboxes = signal<readonly SandboxRecord[]>([]);
/** Milliseconds by which the clock of the sandbox is ahead of that of this page. */
const clockOffset = signal(0);

/** Counts the changes of each topic: what was read under a lower number is outdated. */
export const revisions = {
  /** Records, and all else that a commit, a reset or a rewind changes. */
  state: signal(0),
  /** The journal. */
  journal: signal(0),
  /** The lists as a whole: a reset or a restart, after which ids may stand for other requests. */
  lists: signal(0),
  /** What only another emulator changes, such as the documents. */
  emulator: signal(0),
} as const;
export type Topic = keyof typeof revisions;

/** Requests that arrived since the last frame, so that a thousand a second cost one update. */
let pending: RequestSummary[] = [];
let pendingCommits: CommitSummary[] = [];
let isScheduled = false;
/** Counts the reloads, so that a late response of an earlier one is dropped. */
let generation = 0;
/** Whether the lists are being read: what arrives meanwhile is newer than both the old lists and the new ones. */
let isReloading = false;
const RETRY_MS = 1_000;
/** Milliseconds without skipped requests until the journal is read for them. */
const QUIET_MS = 1_000;
let skippedTimer: ReturnType<typeof setTimeout> | undefined;

/** Number of an id: 17 of `r17`. */
export const numberOf = (id: string): number => Number(id.slice(1));

function mergeRequests(added: readonly RequestSummary[]): void {
  if (added.length === 0) return;
  const last = requests.value.at(-1);
  const newer = last ? added.filter(({ id }) => numberOf(id) > numberOf(last.id)) : added;
  requests.value = [...requests.value, ...newer].slice(-MAX_REQUESTS);
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(flush, FLUSH_MS);
}

function flush(): void {
  isScheduled = false;
  if (isReloading) return;
  batch(() => {
    if (pending.length > 0) {
      mergeRequests(pending);
      revisions.journal.value++;
    }
    if (pendingCommits.length > 0) {
      const known = new Set(commits.value.map(({ id }) => id));
      const added = pendingCommits.filter(({ id }) => !known.has(id));
      commits.value = [...commits.value, ...added].slice(-MAX_COMMITS);
      revisions.state.value++;
    }
    pending = [];
    pendingCommits = [];
  });
}

const countChanges = ({ id, request, time, names, changes }: HistoryEntry): CommitSummary => ({
  id,
  request,
  time,
  names,
  counts: Object.fromEntries(
    Object.entries(changes).map(([name, { added, changed, removed }]) => [
      name,
      { added: added.length, changed: changed.length, removed: removed.length },
    ]),
  ),
});

/** Reads the lists; again after a while if that fails, since no event would ask for it. */
async function reload(): Promise<void> {
  const current = ++generation;
  isReloading = true;
  clearTimeout(skippedTimer);
  pending = [];
  pendingCommits = [];
  const lists = await Promise.all([control.summarizeRequests(), control.listHistory()]).catch(() => undefined);
  if (current !== generation) return;
  if (!lists) {
    setTimeout(() => {
      if (current === generation) void reload();
    }, RETRY_MS);
    return;
  }
  const [journal, history] = lists;
  isReloading = false;
  batch(() => {
    requests.value = journal.requests;
    commits.value = history.map(countChanges);
    for (const revision of Object.values(revisions)) revision.value++;
  });
  flush();
}

/** Removes a commit and all later ones from the list, after a rewind: its event arrives later. */
export function dropCommits(first: string): void {
  const index = commits.value.findIndex(({ id }) => id === first);
  if (index < 0) return;
  commits.value = commits.value.slice(0, index);
  revisions.state.value++;
}

function setClock(status: ClockStatus): void {
  clock.value = status;
  clockOffset.value = Date.parse(status.now) - Date.now();
}

/** The time of the sandbox now, in milliseconds since 1970. */
export function sandboxTime(): number {
  const status = clock.value;
  return status?.frozen ? Date.parse(status.now) : Date.now() + clockOffset.value;
}

/** Connects to the events. The browser connects again by itself, and says what it has seen. */
export function connect(): void {
  const source = new EventSource(`${base}/_emulator/events`);
  const on = <T>(name: string, handle: (data: T) => void) =>
    source.addEventListener(name, (event: MessageEvent<string>) => handle(JSON.parse(event.data)));
  source.onopen = () => {
    connection.value = 'open';
    refusal.value = undefined;
    void loadCollections();
  };
  source.onerror = () => {
    connection.value = 'lost';
    if (source.readyState !== EventSource.CLOSED) return;
    // The browser gives up on a response that is an error, and does not say which.
    setTimeout(connect, 1_000);
    void control.getClock().catch((error: unknown) => {
      refusal.value = error instanceof ControlError && error.status > 0 ? error : undefined;
    });
  };
  on('reset', () => void reload());
  on('history', () => void reload());
  on('skipped', () => {
    clearTimeout(skippedTimer);
    skippedTimer = setTimeout(() => void reload(), QUIET_MS);
  });
  on<RequestSummary>('request', (request) => {
    pending.push(request);
    schedule();
  });
  on<CommitSummary>('commit', (commit) => {
    pendingCommits.push(commit);
    schedule();
  });
  on<FaultRecord[]>('faults', (list) => {
    faults.value = list;
  });
  on<ClockStatus>('clock', setClock);
  on<SnapshotRecord[]>('snapshots', (list) => {
    snapshots.value = list;
  });
  on<SandboxRecord[]>('sandboxes', (list) => {
    sandboxes.value = list;
  });
}
