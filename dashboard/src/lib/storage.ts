/** A storage of the browser, which may deny it or be full: the page works all the same, and keeps nothing then. */
type Storage = 'localStorage' | 'sessionStorage';

export function readStored(storage: Storage, key: string): string | null {
  try {
    return window[storage].getItem(key);
  } catch {
    return null;
  }
}

export function store(storage: Storage, key: string, value: string): void {
  try {
    window[storage].setItem(key, value);
  } catch {
    // Nothing depends on it.
  }
}
