import { batch, computed, signal } from '@preact/signals';
import { formatChange } from '../../../src/engine/changes/format.js';
import { ControlError, control, root, sandboxName, send } from './api.js';
import { loadCollections } from './collections.js';
import { numberOf } from './format.js';
import { Hub, type Message } from './hub.js';
import type {
  ClockStatus,
  FaultRecord,
  HistoryEntry,
  JournalSummary,
  RequestSummary,
  SandboxRecord,
  SnapshotRecord,
} from './types.js';

/** What the events of the emulator say, as signals. */

/** Requests that the page has: as many as the journal. */
const MAX_REQUESTS = 1_000;
/** Commits that the page lists: the last ones of the history. */
export const MAX_COMMITS = 100;
/** Milliseconds for which events are collected, so that a thousand a second cost a few updates. */
const FLUSH_MS = 200;

const link = signal<'connecting' | 'open' | 'lost'>('connecting');
/** Why the emulator refuses this page, such as that the sandbox is closed; undefined while it does not. */
export const refusal = signal<ControlError | undefined>(undefined);
/** Whether the lists below were read: before that they are unknown, not empty. */
export const isRead = signal(false);
export const connection = computed(() => (link.value === 'open' && !isRead.value ? 'connecting' : link.value));
/** Newest last. */
export const requests = signal<readonly RequestSummary[]>([]);
/** Newest last. */
export const commits = signal<readonly HistoryEntry[]>([]);
/** Names what a commit changed, the first ten records. */
export const namesOf = ({ changes }: HistoryEntry): string[] => changes.map(formatChange);
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
  journal: signal(0),
  /** The lists as a whole: a reset or a restart, after which ids may stand for other requests. */
  lists: signal(0),
  /** What only another emulator changes, such as the documents. */
  emulator: signal(0),
} as const;
export type Topic = keyof typeof revisions;

/** Requests that arrived since the last frame, so that a thousand a second cost one update. */
let pending: RequestSummary[] = [];
let pendingCommits: HistoryEntry[] = [];
let isScheduled = false;
/** Counts the reloads, so that a late response of an earlier one is dropped. */
let generation = 0;
/** Whether the lists are being read: what arrives meanwhile is newer than both the old lists and the new ones. */
let isReloading = false;
const RETRY_MS = 1_000;
/** Milliseconds without skipped requests until the journal is read for them. */
const QUIET_MS = 1_000;
let skippedTimer: ReturnType<typeof setTimeout> | undefined;

function mergeRequests(added: readonly RequestSummary[]): void {
  if (added.length === 0) return;
  const last = numberOf(requests.value.at(-1)?.id ?? 'r0');
  const byId = new Map(added.map((request) => [request.id, request]));
  // A response that had not ended comes again when it has.
  const known = requests.value.map((request) => byId.get(request.id) ?? request);
  const newer = [...byId.values()].filter(({ id }) => numberOf(id) > last);
  requests.value = [...known, ...newer].slice(-MAX_REQUESTS);
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

/** Reads the lists; again after a while if that fails, since no event would ask for it. */
async function reload(): Promise<void> {
  const current = ++generation;
  isReloading = true;
  clearTimeout(skippedTimer);
  pending = [];
  pendingCommits = [];
  const lists = await Promise.all([send<JournalSummary>('GET', '/requests/summary'), control.listHistory()]).catch(
    () => undefined,
  );
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
    commits.value = history;
    isRead.value = true;
    revisions.state.value++;
    revisions.journal.value++;
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

/** Name of the file of the worker, by its content: the pages of another version have another one. */
declare const WORKER: string;

/** Whether the hub is in a worker. */
let isShared = 'SharedWorker' in window;

/** Connects to the hub of all pages: in a worker, if the browser has shared ones, and does not deny them as storage. */
function openPort(): MessagePort {
  try {
    if (isShared) return new SharedWorker(`${root}/_emulator/ui/${WORKER}`).port;
  } catch {
    isShared = false;
  }
  const { port1, port2 } = new MessageChannel();
  new Hub(`${root}/_emulator/events`).add(port1);
  return port2;
}

/** Follows the events. Without a worker, a page that is hidden leaves its connection to others. */
export function connect(): void {
  const port = openPort();
  const follow = () => port.postMessage(document.hidden && !isShared ? null : sandboxName);
  port.onmessage = ({ data }: MessageEvent<Message<LiveEvent>>) => {
    if (data.kind === 'events') data.events.forEach(handle);
    else if (data.kind === 'open') setOpen();
    else setLost(data.refusal);
  };
  follow();
  if (!isShared) document.addEventListener('visibilitychange', follow);
  addEventListener('pagehide', () => port.postMessage(null));
  addEventListener('pageshow', ({ persisted }) => persisted && follow());
}

function setOpen(): void {
  link.value = 'open';
  refusal.value = undefined;
  void loadCollections();
  // Their responses may have ended while the page was not connected.
  if (requests.value.some(({ duration }) => duration === null)) void reload();
}

function setLost(reason?: { readonly status: number; readonly message: string }): void {
  link.value = 'lost';
  refusal.value = reason && new ControlError(reason.status, reason.message);
}

/** The events of `GET /_emulator/events`, and `closed`. */
type LiveEvent =
  | { readonly name: 'reset' | 'history' | 'skipped' }
  | { readonly name: 'closed'; readonly data: { readonly message: string } }
  | { readonly name: 'request'; readonly data: RequestSummary }
  | { readonly name: 'commit'; readonly data: HistoryEntry }
  | { readonly name: 'clock'; readonly data: ClockStatus }
  | { readonly name: 'faults'; readonly data: readonly FaultRecord[] }
  | { readonly name: 'snapshots'; readonly data: readonly SnapshotRecord[] }
  | { readonly name: 'sandboxes'; readonly data: readonly SandboxRecord[] };

function handle(event: LiveEvent): void {
  switch (event.name) {
    case 'reset':
      // The sandbox may have been missing.
      setOpen();
      revisions.lists.value++;
      revisions.emulator.value++;
      void reload();
      break;
    case 'history':
      void reload();
      break;
    case 'skipped':
      clearTimeout(skippedTimer);
      skippedTimer = setTimeout(() => void reload(), QUIET_MS);
      break;
    case 'closed':
      setLost({ status: 404, ...event.data });
      break;
    case 'request':
      pending.push(event.data);
      schedule();
      break;
    case 'commit':
      pendingCommits.push(event.data);
      schedule();
      break;
    case 'clock':
      setClock(event.data);
      break;
    case 'faults':
      faults.value = event.data;
      break;
    case 'snapshots':
      snapshots.value = event.data;
      break;
    case 'sandboxes':
      sandboxes.value = event.data;
  }
}
