import { describe, expect, it } from "vitest";
import { extendTo, NOTHING_SELECTED, toggle } from "../../../web/data/orders/selection.ts";

const ROWS = ["1", "2", "3", "4", "5"];
const list = ({ ids }: { readonly ids: ReadonlySet<string> }) => [...ids].toSorted().join(" ");

describe("the selection", () => {
  it("extends from the order that was selected last, up and down, and becomes smaller again", () => {
    const third = toggle(NOTHING_SELECTED, "3");
    const down = extendTo(third, ROWS, "5");
    expect(list(down)).toBe("3 4 5");
    expect(list(extendTo(down, ROWS, "4"))).toBe("3 4");
    expect(list(extendTo(down, ROWS, "1"))).toBe("1 2 3");
  });

  it("keeps what was selected before the range", () => {
    const both = toggle(toggle(NOTHING_SELECTED, "1"), "4");
    expect(list(extendTo(both, ROWS, "5"))).toBe("1 4 5");
    expect(list(toggle(extendTo(both, ROWS, "5"), "4"))).toBe("1 5");
  });

  it("starts where the person is if nothing was selected, or the last one has left the list", () => {
    expect(list(extendTo(NOTHING_SELECTED, ROWS, "3", "2"))).toBe("2 3");
    expect(list(extendTo(toggle(NOTHING_SELECTED, "9"), ROWS, "3", "2"))).toBe("2 3 9");
  });
});
