import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../lib/errors.js';
import { isObject } from '../lib/objects.js';
import { systemTimers, type Timer } from '../platform/system-timers.js';

/** Bytes that wait in the process before new requests are refused: unread responses, and bodies that are being read. */
export const MAX_WAITING_BYTES = 64 * 1_048_576;
/** Milliseconds in which a client has to read a part of its response. */
export const UNREAD_TIMEOUT_MS = 30_000;

/** A connection whose client has not read all that was sent: its bytes, and since when how many of them are left. */
interface SlowConnection {
  bytes: number;
  left: number;
  since: number;
  readonly forget: () => void;
}

/** Counts the bytes that wait for slow clients, and closes connections that read nothing. */
export class WaitingBytes {
  readonly #timeout: number;
  readonly #slow = new Map<Socket, SlowConnection>();
  #total = 0;
  #timer: Timer | undefined;

  /** @param timeout milliseconds. Default: 30,000 */
  constructor(timeout = UNREAD_TIMEOUT_MS) {
    this.#timeout = timeout;
  }

  /** Returns the error for a new request. Undefined while there is room. @param own bytes of the request itself */
  refuse(own = 0): ApiError | undefined {
    if (this.#total - own <= MAX_WAITING_BYTES) return undefined;
    const message = 'Too many bytes wait for clients that do not read their responses. Read them, or try again later.';
    return new ApiError(503, message, undefined, 1);
  }

  /**
   * Counts the bytes of a body until it has been read, or its connection is gone.
   * @param refuse called when the limit is reached
   * @returns ends the count
   */
  countBody(request: IncomingMessage, refuse: (refusal: ApiError) => void): () => void {
    let read = 0;
    let isReading = true;
    const end = () => {
      if (isReading) this.#total -= read;
      isReading = false;
    };
    const count = ({ length }: Buffer) => {
      if (!isReading) return;
      read += length;
      this.#total += length;
      const refusal = this.refuse(read);
      if (!refusal) return;
      end();
      refuse(refusal);
    };
    request.once('close', end);
    const { pipe } = request;
    // Bytes after unzipping are in the stream that body-parser pipes the request into.
    request.pipe = (target, options) => {
      request.off('data', count);
      pipe.call(request, target.on('data', count), options);
      return target;
    };
    request.on('data', count);
    return end;
  }

  /** Counts the unread bytes of a response, after all of it was written. */
  watch(response: ServerResponse): void {
    const bytes = response.writableLength;
    const { socket } = response.req;
    if (bytes === 0 || socket.destroyed) return;
    const connection = this.#slow.get(socket) ?? this.#add(socket);
    const count = (change: number) => {
      // Its bytes are gone with the connection.
      if (this.#slow.get(socket) !== connection) return;
      connection.bytes += change;
      this.#total += change;
      if (connection.bytes === 0) connection.forget();
    };
    count(bytes);
    response.once('close', () => count(-bytes));
  }

  #add(socket: Socket): SlowConnection {
    const forget = () => {
      socket.off('close', forget);
      this.#total -= connection.bytes;
      this.#slow.delete(socket);
      if (this.#slow.size > 0) return;
      this.#timer?.cancel();
      this.#timer = undefined;
    };
    const connection = { bytes: 0, left: 0, since: systemTimers.uptime(), forget };
    this.#slow.set(socket, connection);
    socket.once('close', forget);
    this.#timer ??= systemTimers.setInterval(() => this.#closeUnread(), this.#timeout / 10);
    // A slow client does not keep the process alive.
    this.#timer.unref();
    return connection;
  }

  /** Closes the connections that have read nothing for the time limit, the largest first. */
  #closeUnread(): void {
    const now = systemTimers.uptime();
    for (const [socket, connection] of this.#slow) {
      const left = readQueueSize(socket);
      if (left !== connection.left) Object.assign(connection, { left, since: now });
    }
    const unread = [...this.#slow].filter(([, { since }]) => now - since >= this.#timeout);
    for (const [socket, { forget }] of unread.toSorted(([, a], [, b]) => b.bytes - a.bytes)) {
      forget();
      socket.destroy();
    }
  }
}

/** Returns the bytes that the system has not taken. Node compares this number for its own timeouts, without a public name. */
function readQueueSize(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  return isObject(handle) ? Number(handle.writeQueueSize) : socket.writableLength;
}

/** Milliseconds of a request after which other events have their turn. */
const LONG_MS = 50;

/** Ends a turn of the event loop after a request that took long: signals and other clients come before the next one. */
export class LoopTurns {
  #rest: Promise<void> | undefined;

  /**
   * Runs a request at once, or after those that wait, in a later turn.
   * @param isGone whether its client has disconnected meanwhile
   * @throws ApiError for a client that is gone
   */
  run<T>(respond: () => T | Promise<T>, isGone: () => boolean): T | Promise<T> {
    if (!this.#rest) return this.#measure(respond);
    return this.#rest.then(() => {
      if (isGone()) throw new ApiError(503, 'The client has disconnected');
      return this.run(respond, isGone);
    });
  }

  #measure<T>(respond: () => T): T {
    const start = systemTimers.uptime();
    try {
      return respond();
    } finally {
      if (systemTimers.uptime() - start >= LONG_MS) this.#startRest();
    }
  }

  #startRest(): void {
    this.#rest = new Promise((resolve) => {
      systemTimers.setImmediate(() => {
        this.#rest = undefined;
        resolve();
      });
    });
  }
}
