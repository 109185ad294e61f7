type Storage = 'localStorage' | 'sessionStorage';

/** A JSON value stored in the browser; null if it is missing or invalid, or if storage is blocked. */
export function readStored(key: string, storage: Storage = 'localStorage'): unknown {
  try {
    return JSON.parse(window[storage].getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a value; undefined removes it. If storage is blocked or full, the value lasts until the page is closed. */
export function store(key: string, value: unknown, storage: Storage = 'localStorage'): void {
  try {
    if (value === undefined) window[storage].removeItem(key);
    else window[storage].setItem(key, JSON.stringify(value));
  } catch {
    // See above.
  }
}
