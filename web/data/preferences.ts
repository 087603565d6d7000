import { createValue, type Value } from "./value.ts";

const PREFIX = "holdfast.";

/** A preference stored in this browser. In a platform's frame, storage may be blocked; then it lasts as long as the page. */
export function createPreference<T extends string>(name: string, values: readonly [T, ...T[]]): Value<T> {
  const value = createValue<T>(values.find((one) => one === read(name)) ?? values[0]);
  return {
    ...value,
    set(next) {
      value.set(next);
      try {
        localStorage.setItem(PREFIX + name, next);
      } catch {
        // Not remembered, which is said above.
      }
    },
  };
}

function read(name: string): string | null {
  try {
    return globalThis.localStorage?.getItem(PREFIX + name) ?? null;
  } catch {
    return null;
  }
}

/** Whether single keys do something. */
export const shortcutsPreference = createPreference("shortcuts", ["on", "off"]);
