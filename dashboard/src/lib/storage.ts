// The storage of the browser, which may deny it or be full: the page works all the same, and keeps nothing then.

type Area = 'localStorage' | 'sessionStorage';

export function readStored(area: Area, key: string): string | null {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Returns false if it was not stored. */
export function store(area: Area, key: string, value: string): boolean {
  try {
    window[area].setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

export function dropStored(area: Area, key: string): void {
  try {
    window[area].removeItem(key);
  } catch {
    // Then there is none.
  }
}
