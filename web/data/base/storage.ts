/** The value stored under a name; null if there is none. A platform's frame may block storage. */
export function readStored(storage: () => Pick<Storage, "getItem">, key: string): unknown {
  try {
    return JSON.parse(storage().getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Store a value. If storage is blocked, the value lasts only as long as the page. */
export function store(storage: () => Pick<Storage, "setItem">, key: string, value: unknown): void {
  try {
    storage().setItem(key, JSON.stringify(value));
  } catch {
    // Storage is blocked.
  }
}
