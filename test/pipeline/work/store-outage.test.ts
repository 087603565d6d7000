import { describe, expect, it } from "vitest";
import { createStoreOutage } from "../../../src/pipeline/work/store-outage.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";

describe("createStoreOutage", () => {
  it("alerts once per outage, asks less and less often, and reports its end", () => {
    const { lines, logger } = createLogRecorder();
    let nowMs = 1_000;
    const outage = createStoreOutage(logger, () => nowMs);
    outage.over();

    const waits = Array.from({ length: 7 }, () => outage.failed(new Error("away")));
    nowMs += 9_000;
    outage.over();
    outage.over();
    const again = outage.failed(new Error("away again"));

    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
    expect(again).toBe(250);
    expect(lines.filter(({ alert }) => alert === "store_unavailable")).toHaveLength(2);
    expect(lines.filter(({ resolved }) => resolved !== undefined)).toEqual([
      expect.objectContaining({ level: "info", resolved: "store_unavailable", outageMs: 9_000 }),
    ]);
  });
});
