/** The value stored under a name; null if there is none. A platform's frame may block storage. */
export function readStored(storage: () => Pick<Storage, "getItem">, key: string): unknown {
  try {
    return JSON.parse(storage().getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Store a value, and return true. If storage is blocked, the value lasts only as long as the page: false. */
export function store(storage: () => Pick<Storage, "setItem">, key: string, value: unknown): boolean {
  try {
    storage().setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** A choice that the page is loaded with. */
export interface Choice {
  /** Its name in this browser's storage. */
  readonly key: string;
  /** Its name in the page's address. */
  readonly parameter: string;
}

/** Load the page again with a choice; null removes it. Where a platform's frame may store nothing, it is in the address. */
export function reloadWith({ key, parameter }: Choice, value: string | null): void {
  if (store(() => localStorage, key, value)) return location.reload();
  const address = new URL(location.href);
  if (value === null) address.searchParams.delete(parameter);
  else address.searchParams.set(parameter, value);
  location.replace(address);
}
