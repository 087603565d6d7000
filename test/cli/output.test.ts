import { describe, expect, it } from "vitest";
import { createProgress } from "../../src/cli/output.ts";

describe("createProgress", () => {
  it("fills as work is done, draws no oftener than a person sees, and goes away", () => {
    const drawn: string[] = [];
    let nowMs = 0;
    const progress = createProgress(
      { progress: (text) => void drawn.push(text) },
      "taking in",
      4,
      () => nowMs,
    );

    for (const done of [1, 2, 3, 4]) {
      progress.show(done);
      nowMs += 60;
    }
    progress.end();

    expect(drawn).toEqual([
      "taking in [#######.......................] 1 of 4",
      "taking in [######################........] 3 of 4",
      "taking in [##############################] 4 of 4",
      "",
    ]);
  });
});
