import { useLayoutEffect, useRef } from "preact/hooks";
import { readStored, store } from "../base/storage.ts";
import { createValue } from "../base/value.ts";

const KEY = "holdfast.shortcuts";

/** Whether single-key shortcuts are on, stored in this browser. */
export const areShortcutsOn = createValue(readStored(() => localStorage, KEY) !== "off");
areShortcutsOn.subscribe(() => store(() => localStorage, KEY, areShortcutsOn.get() ? "on" : "off"));

/** Something to do in a part of the page: by its keys, which the help lists, or from the command palette. */
export interface Shortcut {
  /** As in `KeyboardEvent.key`: `j`, `ArrowDown`, `/`; also `Shift+j` and `Ctrl+k`. None: only in the palette. */
  readonly keys: readonly string[];
  /** Its description in the help and the palette. */
  readonly label: string;
  /** Whether it repeats while the key is held. Default: no. */
  readonly repeats?: boolean;
  /** Do it; false leaves the key to the browser. */
  run(event: Pick<KeyboardEvent, "key">): false | void;
}

export type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "isComposing">;

/** Shortcuts of one part of the page. */
export type Layer = { readonly depth: number; readonly keys: readonly Shortcut[] };

/** All active shortcuts, with the innermost part of the page last. */
export const layers = createValue<readonly Layer[]>([]);

/** The key that opens the command palette, also while somebody types. Other keys with Ctrl or Meta are the browser's. */
export const PALETTE_KEY = "Ctrl+k";

/** The name of a key among {@link Shortcut.keys}. Ctrl and Meta (⌘) count as one; null for keys of the browser. */
function toKeyName({ key, ctrlKey, metaKey, altKey, shiftKey, isComposing }: Key): string | null {
  if (altKey || isComposing) return null;
  if (ctrlKey || metaKey) return key.toLowerCase() === "k" && !shiftKey ? PALETTE_KEY : null;
  // Shift makes another sign of other keys: `?`.
  const isMarked = shiftKey && (/^[a-z]$/i.test(key) || key.startsWith("Arrow"));
  return isMarked ? `Shift+${key.length === 1 ? key.toLowerCase() : key}` : key;
}

/** The shortcut for a key, the innermost first; undefined for the browser's keys. */
export function findShortcut(all: readonly Layer[], event: Key): Shortcut | undefined {
  const name = toKeyName(event);
  return name === null ? undefined : listShortcuts(all).find(({ keys }) => keys.includes(name));
}

/** Whether an event comes from a held key. One press is one decision. */
export function isHeld({ repeats }: Shortcut, { repeat }: Pick<KeyboardEvent, "repeat">): boolean {
  return repeat && repeats !== true;
}

/** Shortcuts in order of precedence, without those that an inner part of the page replaces. */
export function listShortcuts(all: readonly Layer[]): readonly Shortcut[] {
  const taken = new Set<string>();
  return all
    .toReversed()
    .flatMap(({ keys }) => keys)
    .flatMap((one) => {
      const free = one.keys.filter((key) => !taken.has(key));
      for (const key of free) taken.add(key);
      return free.length === 0 && one.keys.length > 0 ? [] : [{ ...one, keys: free }];
    });
}

const NON_TEXT_TYPES = new Set(["checkbox", "radio", "button", "submit", "reset", "range", "color", "file"]);

/** Whether a key pressed there is text input, or used by the control. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.closest("dialog[open]") !== null) return true;
  if (target instanceof HTMLInputElement) return !NON_TEXT_TYPES.has(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Enter and Space activate the focused control. Shortcuts must not intercept them. */
function isPress(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" && event.key !== " ") return false;
  return event.target instanceof Element && event.target.closest("a, button, summary, input") !== null;
}

/** A held Enter activates a button repeatedly, even one that replaced the first. */
function ignoreHeldEnter(event: KeyboardEvent): void {
  if (!event.repeat || event.key !== "Enter" || !(event.target instanceof Element)) return;
  if (event.target.closest("button") !== null) event.preventDefault();
}

export function startShortcuts(): void {
  document.addEventListener("keydown", ignoreHeldEnter, { capture: true });
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || isPress(event)) return;
    // A dialog has the keyboard to itself.
    if (document.querySelector("dialog[open]") !== null) return;
    const found = findShortcut(layers.get(), event);
    if (found === undefined) return;
    const isForText = !areShortcutsOn.get() || isTyping(event.target);
    if (isForText && !found.keys.includes(PALETTE_KEY)) return;
    if (isHeld(found, event) || found.run(event) !== false) event.preventDefault();
  });
}

/**
 * Shortcuts that work while the component is there. They may be created for each render. Where two parts of the page
 * use the same key, the greater `depth` wins: 0 the page, 1 a view (default), 2 what is opened in a view.
 */
export function useShortcuts(keys: readonly Shortcut[], depth = 1): void {
  const latest = useRef(keys);
  latest.current = keys;
  const shape = keys.map((one) => `${one.keys.join(" ")}:${one.label}`).join("\n");
  // Before the page is painted: who sees a part may press its keys.
  useLayoutEffect(() => {
    const mine: Layer = {
      depth,
      keys: latest.current.map((one, index) => ({
        ...one,
        run: (event: Pick<KeyboardEvent, "key">) => latest.current[index]?.run(event),
      })),
    };
    const all = [...layers.get(), mine];
    layers.set(all.toSorted((one, other) => one.depth - other.depth));
    return () => layers.set(layers.get().filter((other) => other !== mine));
  }, [shape, depth]);
}
