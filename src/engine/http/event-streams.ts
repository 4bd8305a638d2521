import { randomUUID } from 'node:crypto';
import type { EventFeed, EventStream, Following, SeveralFeeds } from '../control/event-feed.js';
import { ApiError } from '../lib/errors.js';
import { systemTimers, type Timer } from '../platform/system-timers.js';
import type { Sandbox } from '../sandbox/sandbox.js';

/** Streams of one emulator that are open at a time. */
const MAX_STREAMS = 100;
/** Milliseconds between two rounds, in which all streams are read. */
const INTERVAL_MS = 100;
/** Milliseconds between two comments, by which a proxy or a client sees that the connection is alive. */
const PING_MS = 15_000;
/** Milliseconds that a client waits before it connects again. */
const RETRY_MS = 1_000;

interface OpenStream {
  readonly feed: EventFeed | SeveralFeeds;
  readonly send: (text: string) => void;
  readonly end: () => void;
  /** Rounds since it was opened. */
  rounds: number;
}

/** The open streams of events. One interval serves them all, and exists only while there are some. */
export class EventStreams {
  readonly #open = new Set<OpenStream>();
  /** Unique ids of the sandboxes, for the ids of their events. */
  readonly #ids = new WeakMap<Sandbox, string>();
  #timer: Timer | undefined;
  #isClosed = false;

  /** Follows a sandbox, or several. @throws ApiError 503 when too many streams are open, or the emulator is closing */
  async follow({ names, ...source }: Following): Promise<EventStream> {
    const { EventFeed, SeveralFeeds } = await import('../control/event-feed.js');
    if (this.#isClosed) throw new ApiError(503, 'The emulator is closing.');
    if (this.#open.size >= MAX_STREAMS) {
      throw new ApiError(503, `Stream limit reached (${MAX_STREAMS}). Close a stream of /_emulator/events first.`);
    }
    const open = (sandbox: Sandbox) => {
      const id = this.#ids.get(sandbox) ?? randomUUID().slice(0, 13);
      this.#ids.set(sandbox, id);
      return new EventFeed({ ...source, sandbox, id, isOneOfSeveral: names !== undefined });
    };
    const feed = names ? new SeveralFeeds(names, source.sandboxes, open) : open(source.sandbox);
    return (send, end) => this.#start({ feed, send, end, rounds: 0 });
  }

  #start(stream: OpenStream): () => void {
    this.#open.add(stream);
    this.#timer ??= systemTimers.setInterval(() => this.#sendAll(), INTERVAL_MS);
    // A stream does not keep the process alive.
    this.#timer.unref();
    stream.send(`retry: ${RETRY_MS}\n\n`);
    this.#send(stream);
    return () => this.#stop(stream);
  }

  #stop(stream: OpenStream): void {
    this.#open.delete(stream);
    if (this.#open.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #sendAll(): void {
    for (const stream of this.#open) this.#send(stream);
  }

  #send(stream: OpenStream): void {
    const { feed, send, end } = stream;
    if (feed.closed !== false) {
      this.#stop(stream);
      end();
      return;
    }
    const text = feed.read();
    const isPing = (++stream.rounds * INTERVAL_MS) % PING_MS === 0;
    if (text !== '' || isPing) send(isPing ? `${text}: ping\n\n` : text);
  }

  /** Ends all streams, and accepts no others. */
  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) {
      this.#stop(stream);
      stream.end();
    }
  }
}
