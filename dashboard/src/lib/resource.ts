import { useEffect, useRef, useState } from 'preact/hooks';
import { type ControlError, send, toControlError } from './api.js';
import { connection, revisions, type Topic } from './live.js';

/** Milliseconds between two reads of a resource that changes all the time. */
const MIN_INTERVAL_MS = 1_000;

export interface Resource<T> {
  /** The last value, also while a newer one is read; undefined before the first. */
  readonly data: T | undefined;
  readonly error: ControlError | undefined;
  /** Whether there is neither a value nor an error yet. */
  readonly isLoading: boolean;
  /** Reads the resource again. */
  readonly reload: () => void;
}

interface Result<T> {
  readonly path?: string;
  readonly data?: T;
  readonly error?: ControlError;
}

/** Reads a path when asked to, once at a time and at most once a second. */
class Reader<T> {
  readonly #path: string;
  readonly #onResult: (result: Result<T>) => void;
  readonly #abort = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReading = false;
  #isOutdated = false;
  #lastRead = Number.NEGATIVE_INFINITY;

  constructor(path: string, onResult: (result: Result<T>) => void) {
    this.#path = path;
    this.#onResult = onResult;
  }

  request(delay = Math.max(0, this.#lastRead + MIN_INTERVAL_MS - performance.now())): void {
    this.#isOutdated = true;
    if (this.#isReading || this.#abort.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#read(), delay);
  }

  stop(): void {
    this.#abort.abort();
    clearTimeout(this.#timer);
  }

  async #read(): Promise<void> {
    const { signal } = this.#abort;
    this.#isReading = true;
    this.#isOutdated = false;
    this.#lastRead = performance.now();
    const result = await send<T>('GET', this.#path, undefined, signal).then(
      (data): Result<T> => ({ path: this.#path, data }),
      (error: unknown): Result<T> => ({
        path: this.#path,
        error: toControlError(error),
      }),
    );
    this.#isReading = false;
    if (signal.aborted) return;
    this.#onResult(result);
    if (this.#isOutdated) this.request();
  }
}

/** Returns the last value that was not undefined. */
export function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  last.current = value ?? last.current;
  return last.current;
}

/**
 * Reads a resource of the control API, and again when its topic changes.
 * @param path below `/_emulator`; undefined reads nothing
 */
export function useResource<T>(path: string | undefined, topic: Topic = 'state'): Resource<T> {
  const [result, setResult] = useState<Result<T>>({});
  const reader = useRef<Reader<T> | undefined>(undefined);
  const revision = revisions[topic].value;
  const isOpen = connection.value === 'open';

  useEffect(() => {
    if (path === undefined) return;
    const created = new Reader<T>(path, (next) =>
      // A page keeps what it shows while no emulator responds.
      setResult((last) => (next.error?.status === 0 && last.path === path && last.data !== undefined ? last : next)),
    );
    reader.current = created;
    created.request();
    return () => created.stop();
  }, [path]);

  const isFirst = useRef(true);
  // A new revision or connection is a reason to read again.
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else reader.current?.request();
  }, [revision, isOpen]);

  const isCurrent = result.path === path;
  return {
    data: isCurrent ? result.data : undefined,
    error: isCurrent ? result.error : undefined,
    isLoading: path !== undefined && !isCurrent,
    reload: () => reader.current?.request(0),
  };
}
