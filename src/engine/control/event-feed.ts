import { toFaultRecord } from '../faults/faults.js';
import type { Exchange } from '../journal/exchange.js';
import { toRequestSummary } from '../journal/request-record.js';
import { finish } from '../lib/steps.js';
import { noSandbox, sandboxClosed } from '../sandbox/closed-names.js';
import { toHistoryEntry } from '../sandbox/history-entries.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import type { Sandboxes } from '../sandbox/sandboxes.js';
import { toSnapshotRecord } from '../sandbox/snapshots.js';

/** Most requests of one interval that are listed; of more, the oldest are counted only. */
const MAX_LISTED_REQUESTS = 200;
/** Most commits that are listed; after more, the client reads the history again. */
const MAX_LISTED_COMMITS = 100;

/** Position of a client in the events: the id of the last one. */
interface Position {
  /** Changes when what was recorded is cleared: a reset, a restart, another sandbox of the same name. */
  readonly epoch: string;
  /** Number of the last request. */
  readonly requests: number;
  /** Changes when commits are taken back. */
  readonly branch: number;
  /** Number of the last commit. */
  readonly commits: number;
}

const formatPosition = ({ epoch, requests, branch, commits }: Position) => `${epoch}.${requests}.${branch}.${commits}`;

function parsePosition(id: string): Position | undefined {
  const [, epoch, requests, branch, commits] =
    /^([\w-]{1,64})\.(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(id.trim()) ?? [];
  return epoch === undefined
    ? undefined
    : { epoch, requests: Number(requests), branch: Number(branch), commits: Number(commits) };
}

/** Sends events as text until its client has gone, or `end` is called. Returns a function that stops it. */
export type EventStream = (send: (text: string) => void, end: () => void) => () => void;

export interface EventSource {
  readonly sandbox: Sandbox;
  readonly sandboxes: Sandboxes;
  /** Base URL of the emulator, for the addresses of sandboxes. */
  readonly origin: string;
  /** Unique to the sandbox, among all emulators. */
  readonly id: string;
  /** Ids of the last events that the client got, with commas. Each begins as its sandbox says, so another one is of no use. */
  readonly last: string | undefined;
  /** Whether each event says its sandbox, since the client follows several. */
  readonly isOneOfSeveral: boolean;
}

export interface Following extends Omit<EventSource, 'id' | 'isOneOfSeveral'> {
  /** Follows the sandboxes of these names in place of the one; the default one has an empty name. */
  readonly names: readonly string[] | undefined;
}

/** Finds out what has happened in a sandbox since it was last read, by comparison. Reading does not keep the sandbox alive. */
export class EventFeed {
  readonly #source: EventSource;
  #position: Position | undefined;
  /** Whether the client has a part of the events, and expects the rest. */
  #isResuming: boolean;
  /** Requests whose responses had not ended when they were sent. */
  #open: readonly Exchange[] = [];
  /** The values that were sent, by the name of their event. */
  readonly #sent = new Map<string, readonly unknown[]>();

  constructor(source: EventSource) {
    this.#source = source;
    const { epoch } = this.#getCurrent();
    const positions = (source.last ?? '').split(',').map(parsePosition);
    this.#position = positions.find((position) => position?.epoch === epoch);
    this.#isResuming = this.#position !== undefined;
  }

  /** Why the sandbox was closed, which ends the events; false while it is open. */
  get closed(): string | false {
    return this.#source.sandbox.meta.closed ?? false;
  }

  /** Returns the events since the last call, in the format of Server-Sent Events. */
  read(): string {
    const { sandbox, sandboxes, origin } = this.#source;
    const { store, clock } = sandbox;
    const { state, snapshots } = store.committed;
    return [
      ...this.#readRecords(),
      this.#readValue('faults', state.faults, () => state.faults.map((fault) => toFaultRecord(state, fault))),
      this.#readValue('clock', [state.clock], () => clock.read()),
      this.#readValue('snapshots', snapshots, () => snapshots.map(toSnapshotRecord)),
      this.#readValue('sandboxes', sandboxes.all, () => sandboxes.list(origin)),
    ].join('');
  }

  /** Returns the requests and commits since the last call; a `reset` if the client has to read everything again. */
  *#readRecords(): Generator<string> {
    const { store, asserted } = this.#source.sandbox;
    const { journal, router } = asserted;
    const { exchanges } = journal;
    const { history } = store.committed;
    const current = this.#getCurrent();
    const position = this.#findPosition(current);
    this.#position = current;
    const isResuming = this.#isResuming;
    this.#isResuming = false;
    const ended = this.#open.filter(({ duration }) => duration !== null);
    this.#open = exchanges.filter(({ duration }) => duration === null);
    if (!position) {
      this.#sent.clear();
      yield this.#format('reset', current, {});
      return;
    }
    let at = position;
    const commits = current.commits - position.commits;
    if (current.branch !== position.branch || commits > Math.min(history.length, MAX_LISTED_COMMITS)) {
      at = { ...current, requests: position.requests };
      yield this.#format('history', at, { last: history.newest?.id ?? null });
    } else if (commits > 0) {
      for (const commit of history.list(commits)) {
        at = { ...at, commits: at.commits + 1 };
        yield this.#format('commit', at, finish(toHistoryEntry(commit, journal.find(commit.id))));
      }
    }
    for (const entry of ended) yield this.#format('request', at, toRequestSummary(entry, router));
    const requests = current.requests - position.requests;
    const listed = Math.min(requests, exchanges.length, isResuming ? requests : MAX_LISTED_REQUESTS);
    at = { ...at, requests: current.requests - listed };
    if (listed < requests) yield this.#format('skipped', at, { requests: requests - listed });
    for (const entry of listed > 0 ? exchanges.slice(-listed) : []) {
      at = { ...at, requests: at.requests + 1 };
      yield this.#format('request', at, toRequestSummary(entry, router));
    }
  }

  #getCurrent(): Position {
    const { id, sandbox } = this.#source;
    const { journal, store } = sandbox;
    const { count, generation } = journal;
    const { branch, commits } = store.committed;
    return { epoch: `${id}-${generation}`, requests: count, branch, commits };
  }

  /** Returns the position of the next events. Undefined if some that the client expects are gone. */
  #findPosition(current: Position): Position | undefined {
    const position = this.#position;
    if (position?.epoch !== current.epoch) return undefined;
    if (!this.#isResuming) return position;
    const { journal, store } = this.#source.sandbox;
    const isWithin = (missed: number, available: number) => missed >= 0 && missed <= available;
    const hasRequests = isWithin(current.requests - position.requests, journal.length);
    // After a rewind the client reads the history again.
    const isRewound = position.branch < current.branch;
    const isSame = position.branch === current.branch;
    const { length } = store.committed.history;
    const missed = current.commits - position.commits;
    const hasCommits = isRewound || (isSame && isWithin(missed, Math.min(length, MAX_LISTED_COMMITS)));
    return hasRequests && hasCommits ? position : undefined;
  }

  /** Returns an event if the parts of a value are others than those that were sent. */
  #readValue(name: string, parts: readonly unknown[], make: () => unknown): string {
    const sent = this.#sent.get(name);
    if (sent?.length === parts.length && parts.every((part, index) => part === sent[index])) return '';
    this.#sent.set(name, parts);
    return this.#format(name, this.#position, make());
  }

  #format(name: string, position: Position | undefined, data: unknown): string {
    const { sandbox, isOneOfSeveral } = this.#source;
    const id = position && formatPosition(position);
    return formatEvent(name, id, isOneOfSeveral ? { sandbox: sandbox.name, data } : data);
  }
}

const formatEvent = (name: string, id: string | undefined, data: unknown): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;

/** Finds out what has happened in several sandboxes, each of which may be closed and opened meanwhile. */
export class SeveralFeeds {
  readonly closed = false;
  readonly #open: (sandbox: Sandbox) => EventFeed;
  readonly #sandboxes: Sandboxes;
  /** By the names of the sandboxes; null for one whose absence was sent. */
  readonly #feeds: Map<string, EventFeed | null | undefined>;

  constructor(names: readonly string[], sandboxes: Sandboxes, open: (sandbox: Sandbox) => EventFeed) {
    this.#open = open;
    this.#sandboxes = sandboxes;
    this.#feeds = new Map(names.map((name) => [name, undefined]));
  }

  read(): string {
    return [...this.#feeds.keys()].map((name) => this.#read(name)).join('');
  }

  #read(name: string): string {
    const last = this.#feeds.get(name);
    if (last?.closed === false) return last.read();
    const sandbox = name === '' ? this.#sandboxes.default : this.#sandboxes.find(name);
    const feed = sandbox ? this.#open(sandbox) : null;
    this.#feeds.set(name, feed);
    if (feed) return feed.read();
    if (last === null) return '';
    const { message } = last ? sandboxClosed(name, last.closed) : noSandbox(name);
    return formatEvent('closed', undefined, { sandbox: name, data: { message } });
  }
}
