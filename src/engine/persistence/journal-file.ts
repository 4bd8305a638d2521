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
  readonly #log: Log;

  private constructor(log: Log, found: JournalFile['found']) {
    this.#log = log;
    this.found = found;
  }

  /**
   * @param isNew whether the requests of the file are dropped
   * @throws DataError for a damaged file
   */
  static async open(lock: Lock, isNew: boolean): Promise<JournalFile> {
    const found = new Map<string, RecordedRequest[]>();
    const onLine = (line: Line) => {
      if (line.type === 'clear') found.delete(line.sandbox);
      if (line.type !== 'request' || isNew) return;
      const { sandbox = '', request } = line;
      const requests = found.get(sandbox) ?? [];
      requests.push(request);
      found.set(sandbox, requests);
    };
    const describeFound = () => describeAll(found);
    const read = (path: string) => readLines(path, onLine, lock.disk);
    const opened = await openFile(lock, 'journal', read, isNew ? describeFound : undefined);
    const create = () => LineFile.create(join(lock.folder, 'journal.1.ndjson'), lock, describeFound());
    const file = opened?.file ?? (await (await create()).replace(lock));
    // The emulator responds also while the journal cannot be written.
    const options = { sync: 'lazy', onFailure: () => {} } as const;
    return new JournalFile(new Log(file, opened?.begin ?? file.length, lock, options), found);
  }

  append(sandbox: string, request: RecordedRequest): void {
    this.#write({ type: 'request', sandbox, request });
  }

  clear(sandbox: string): void {
    this.#write({ type: 'clear', sandbox });
  }

  #write(line: Line): void {
    this.#log.append([line]).catch(() => {});
  }

  get isLarge(): boolean {
    return this.#log.isLarge;
  }

  /** Writes the file again. @param journals the requests that the journals have */
  compact(journals: Requests): Promise<void> {
    return this.#log.compact(describeAll(journals));
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}

function* describeAll(journals: Requests): Generator<Line> {
  yield makeHeader();
  yield { type: 'begin' };
  for (const [sandbox, requests] of journals) {
    for (const request of requests) yield { type: 'request', sandbox, request };
  }
}
