import type { Instant } from '../lib/time.js';
import type { Draft, State } from './state.js';
import { PAGE_BYTES, type Page, type StoredDatabase } from './user-data.js';

/** Returns the bytes of a database. */
export function readDatabase({ pages }: State, { userId, size }: StoredDatabase): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  for (const { number, body } of pages.range(userId)) bytes.set(body, number * PAGE_BYTES);
  return bytes;
}

/** Returns copies of the parts of a database that differ from the stored ones. */
export function findChangedPages({ pages }: State, userId: string, bytes: Uint8Array): Page[] {
  const old = pages.range(userId)[Symbol.iterator]();
  const changed: Page[] = [];
  for (let number = 0; number * PAGE_BYTES < bytes.length; number++) {
    const body = bytes.subarray(number * PAGE_BYTES, (number + 1) * PAGE_BYTES);
    const before: Page | undefined = old.next().value ?? undefined;
    if (!before || Buffer.compare(before.body, body) !== 0) changed.push({ userId, number, body: body.slice() });
  }
  return changed;
}

/** Stores a database whose `changed` pages are new. */
export function storeDatabase(
  draft: Draft,
  userId: string,
  changed: readonly Page[],
  size: number,
  now: Instant,
): StoredDatabase {
  const database = { userId, size, updatedAt: now };
  draft.sqlite = draft.sqlite.put(database);
  for (const page of changed) draft.pages = draft.pages.put(page);
  for (const page of draft.pages.range(userId)) {
    if (page.number * PAGE_BYTES >= size) draft.pages = draft.pages.delete(page);
  }
  return database;
}

export function deleteDatabase(draft: Draft, database: StoredDatabase): void {
  for (const page of draft.pages.range(database.userId)) draft.pages = draft.pages.delete(page);
  draft.sqlite = draft.sqlite.delete(database);
}
