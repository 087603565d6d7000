import { describe, expect, it } from "vitest";
import { findShortcut, isHeld, listShortcuts, type Layer } from "../../../web/data/shell/keyboard.ts";

const shortcut = (label: string, ...keys: string[]) => ({ keys, label, run: () => undefined });
const press = (key: string, held = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  ...held,
});

const LAYERS: readonly Layer[] = [
  { depth: 0, keys: [shortcut("help", "?")] },
  { depth: 1, keys: [shortcut("next", "j", "ArrowDown"), shortcut("approve from the list", "a")] },
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
  it("lists each key once, as the help shows it", () => {
    expect(listShortcuts(LAYERS).map(({ label, keys }) => `${label}: ${keys.join(" ")}`)).toEqual([
      "approve: a",
      "scroll: ArrowDown",
      "next: j",
      "help: ?",
    ]);
  });
});
