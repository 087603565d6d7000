import { describe, expect, it } from "vitest";
import { findShortcut, isHeld, listShortcuts, type Layer } from "../../../web/data/shell/keyboard.ts";

const shortcut = (label: string, ...keys: string[]) => ({ keys, label, run: () => undefined });
const press = (key: string, held = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  ...held,
});

const LAYERS: readonly Layer[] = [
  { depth: 0, keys: [shortcut("help", "?"), shortcut("find", "Ctrl+k"), shortcut("go to settings")] },
  {
    depth: 1,
    keys: [
      shortcut("next", "j", "ArrowDown"),
      shortcut("approve from the list", "a"),
      shortcut("extend", "Shift+j"),
    ],
  },
  { depth: 2, keys: [shortcut("approve", "a"), shortcut("scroll", "ArrowDown")] },
];

describe("findShortcut", () => {
  it.each([
    ["j", "next"],
    ["ArrowDown", "scroll"],
    ["a", "approve"],
    ["?", "help"],
    ["z", undefined],
  ])("finds %s in the innermost part of the page that has it", (key, label) => {
    expect(findShortcut(LAYERS, press(key))?.label).toBe(label);
  });

  it("knows a letter with Shift, and Ctrl or ⌘ only with K", () => {
    const find = (key: string, held: object) => findShortcut(LAYERS, press(key, held))?.label;
    expect(find("J", { shiftKey: true })).toBe("extend");
    // With Caps Lock, no key decides on an order.
    expect(find("A", {})).toBeUndefined();
    expect(find("?", { shiftKey: true })).toBe("help");
    expect(find("k", { ctrlKey: true })).toBe("find");
    expect(find("k", { metaKey: true })).toBe("find");
    expect(find("k", { ctrlKey: true, altKey: true })).toBeUndefined();
  });

  it.each([{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { isComposing: true }])(
    "leaves keys to the browser and to input methods: %j",
    (held) => {
      expect(findShortcut(LAYERS, press("a", held))).toBeUndefined();
    },
  );
});

describe("isHeld", () => {
  it("treats a held key as one press, unless holding it makes sense", () => {
    const approve = shortcut("approve", "a");
    expect(isHeld(approve, { repeat: true })).toBe(true);
    expect(isHeld(approve, { repeat: false })).toBe(false);
    expect(isHeld({ ...approve, repeats: true }, { repeat: true })).toBe(false);
  });
});

describe("listShortcuts", () => {
  it("lists each key once, as the help and the palette show it, and what has no key", () => {
    expect(listShortcuts(LAYERS).map(({ label, keys }) => `${label}: ${keys.join(" ")}`)).toEqual([
      "approve: a",
      "scroll: ArrowDown",
      "next: j",
      "extend: Shift+j",
      "help: ?",
      "find: Ctrl+k",
      "go to settings: ",
    ]);
  });
});
