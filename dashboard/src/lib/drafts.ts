import { base } from './api.js';
import { dropStored, readStored, store } from './storage.js';

// Texts that were neither saved nor cancelled. A link that leaves the page loses none, nor does a reload.

const drafts = new Map<string, string>();
/** Those that the storage of the browser did not take, so that a reload would lose them. */
const unstored = new Set<string>();

const storedKey = (key: string): string => `draft ${base} ${key}`;

window.addEventListener('beforeunload', (event) => {
  // The browser asks before it leaves.
  if (unstored.size > 0) event.preventDefault();
});

/** Returns a draft as it was kept, or undefined. */
export function readDraft(key: string): string | undefined {
  return drafts.get(key) ?? readStored('sessionStorage', storedKey(key)) ?? undefined;
}

export function keepDraft(key: string, text: string): void {
  drafts.set(key, text);
  if (store('sessionStorage', storedKey(key), text)) unstored.delete(key);
  else {
    // An older text would be wrong.
    dropStored('sessionStorage', storedKey(key));
    unstored.add(key);
  }
}

export function dropDraft(key: string): void {
  drafts.delete(key);
  unstored.delete(key);
  dropStored('sessionStorage', storedKey(key));
}
