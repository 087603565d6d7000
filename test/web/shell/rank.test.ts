import { describe, expect, it } from "vitest";
import { rank } from "../../../web/data/shell/rank.ts";

const find = (typed: string, ...labels: string[]) => rank(typed, labels, (label) => label);

describe("rank", () => {
  it("puts what begins with the text first, then what has a word that does, then the rest", () => {
    const labels = ["Undo last decision", "Go to Settings", "Settings: People", "Write note"];
    expect(find("set", ...labels)).toEqual(["Settings: People", "Go to Settings"]);
    expect(find("last undo", ...labels)).toEqual(["Undo last decision"]);
    expect(find("stpeo", ...labels)).toEqual(["Settings: People"]);
    expect(find("xyz", ...labels)).toEqual([]);
  });

  it("ignores accents and case, and finds parts of words in languages without spaces", () => {
    expect(find("prufen", "Bestellung erneut prüfen")).toHaveLength(1);
    expect(find("GUNSTIG", "günstig")).toHaveLength(1);
    expect(find("承認", "注文を承認")).toHaveLength(1);
  });

  it("keeps everything in order while nothing is typed, and survives signs that mean something elsewhere", () => {
    expect(find(" ", "b", "a")).toEqual(["b", "a"]);
    expect(find("(.*", "Approve")).toEqual([]);
  });
});
