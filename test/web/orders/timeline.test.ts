import { describe, expect, it } from "vitest";
import { foldRepeats } from "../../../web/data/orders/event-words.ts";

const entry = (kind: "received" | "found" | "note" | "rechecked", minute: number) => ({
  at: new Date(minute * 60_000).toISOString(),
  kind,
  detail: "",
  event: { kind },
  actor: "platform",
  note: null,
});

describe("foldRepeats", () => {
  it("marks repeated deliveries, and combines consecutive ones", () => {
    const kinds = ["received", "received", "received", "rechecked", "received"] as const;

    const lines = foldRepeats(kinds.map((kind, minute) => entry(kind, minute)));

    expect(lines.map(({ entry, times, key }) => [entry.kind, times, key])).toEqual([
      ["received", 1, 0],
      ["received-again", 2, 1],
      ["rechecked", 1, 3],
      ["received-again", 1, 4],
    ]);
    expect(lines[1]?.entry.at).toBe(entry("received", 2).at);
  });

  it("changes nothing else", () => {
    const timeline = [entry("found", 0), entry("note", 1), entry("note", 1)];

    expect(foldRepeats(timeline).map(({ entry }) => entry)).toEqual(timeline);
  });
});
