import { join } from 'node:path';
import { type Line, makeHeader, type RecordedRequest } from './lines.js';
import type { Lock } from './lock.js';
import { Log } from './log.js';
import { openFile } from './open-file.js';
import { readLines } from './read-lines.js';
import { LineFile } from './write-files.js';

type Requests = Iterable<readonly [sandbox: string, requests: Iterable<RecordedRequest>]>;

/** The file of a data folder that has the journals. It is written to within 100 ms, and no response waits for it. */
export class JournalFile {
  /** The requests that were in the file when it was opened, by sandbox. */
  readonly found: ReadonlyMap<string, readonly RecordedRequest[]>;
  /** The last numbers of requests that are taken, by sandbox. */
  readonly #numbers: Map<string, number>;
  readonly #log: Log;

  private constructor(log: Log, found: JournalFile['found'], numbers: Map<string, number>) {
    this.#log = log;
    this.found = found;
    this.#numbers = numbers;
  }

  /**
   * @param isNew whether the requests of the file are dropped
   * @throws DataError for a damaged file
   */
  static async open(lock: Lock, isNew: boolean): Promise<JournalFile> {
    const found = new Map<string, RecordedRequest[]>();
    const numbers = new Map<string, number>();
    const onLine = (line: Line) => {
      if (isNew) return;
      if (line.type === 'clear') {
        found.delete(line.sandbox);
        numbers.set(line.sandbox, line.requests ?? 0);
      }
      if (line.type !== 'request') return;
      const { sandbox = '', request } = line;
      numbers.set(sandbox, readNumber(request));
      const requests = found.get(sandbox) ?? [];
      requests.push(request);
      found.set(sandbox, requests);
    };
    const describeFound = () => describeAll(found, numbers);
    const read = (path: string) => readLines(path, onLine, lock.disk);
    const opened = await openFile(lock, 'journal', read, isNew ? describeFound : undefined);
    const create = () => LineFile.create(join(lock.folder, 'journal.1.ndjson'), lock, describeFound());
    const file = opened?.file ?? (await (await create()).replace(lock));
    // The emulator responds also while the journal cannot be written.
    const options = { sync: 'lazy', onFailure: () => {} } as const;
    return new JournalFile(new Log(file, opened?.begin ?? file.length, lock, options), found, numbers);
  }

  /** Returns the last number of requests of a sandbox that is taken. */
  lastNumber(sandbox: string): number {
    return this.#numbers.get(sandbox) ?? 0;
  }

  append(sandbox: string, request: RecordedRequest): void {
    this.#numbers.set(sandbox, readNumber(request));
    this.#write({ type: 'request', sandbox, request });
  }

  /** @param isReset whether the ids of requests start again */
  clear(sandbox: string, isReset: boolean): void {
    if (isReset) this.#numbers.delete(sandbox);
    this.#write(describeClear(sandbox, this.#numbers));
  }

  #write(line: Line): void {
    this.#log.append([line]).catch(() => {});
  }

  get isLarge(): boolean {
    return this.#log.isLarge;
  }

  /** Writes the file again. @param journals the requests that the journals have */
  compact(journals: Requests): Promise<void> {
    return this.#log.compact(describeAll(journals, this.#numbers));
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}

const readNumber = ({ id }: RecordedRequest): number => Number(id.slice(1));

function describeClear(sandbox: string, numbers: ReadonlyMap<string, number>): Line {
  const requests = numbers.get(sandbox);
  return { type: 'clear', sandbox, ...(requests && { requests }) };
}

function* describeAll(journals: Requests, numbers: ReadonlyMap<string, number>): Generator<Line> {
  yield makeHeader();
  yield { type: 'begin' };
  for (const [sandbox, requests] of journals) {
    yield describeClear(sandbox, numbers);
    for (const request of requests) yield { type: 'request', sandbox, request };
  }
}
