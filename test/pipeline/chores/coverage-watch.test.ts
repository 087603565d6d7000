import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createCoverageWatch,
  toCoverageRatio,
  toCoverageWindow,
} from "../../../src/pipeline/chores/coverage-watch.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Coverage } from "../../../src/store/figures/statistics.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";
import { T0 } from "../../store/samples.ts";

const MINUTE_MS = 60_000;

let store: Store;
let nowMs: number;
let measured: Coverage;
let log: ReturnType<typeof createLogRecorder>;

/** A watch in a process that has just started. Each look comes five minutes after the one before. */
async function look(eligible: number, decidedInTime: number, owner = "app:1"): Promise<void> {
  nowMs += 5 * MINUTE_MS;
  measured = { eligible, decidedInTime };
  const watched: Store = { ...store, figures: { ...store.figures, coverage: async () => measured } };
  await createCoverageWatch({ store: watched, logger: log.logger, now: () => nowMs, owner }).run();
}

const told = () =>
  log.lines.map(({ alert, resolved }) => (alert === undefined ? ["over", resolved] : ["begins", alert]));
const BEGINS = ["begins", "coverage_low"];
const OVER = ["over", "coverage_low"];

beforeEach(async () => {
  store = await createTestStore();
  nowMs = T0;
  log = createLogRecorder();
});
afterEach(() => store.close());

describe("toCoverageWindow", () => {
  it("ends where the latest orders have had their five minutes", () => {
    expect(toCoverageWindow(T0)).toEqual({
      sinceMs: T0 - 24 * 60 * MINUTE_MS - 5 * MINUTE_MS,
      untilMs: T0 - 5 * MINUTE_MS,
      withinMs: 5 * MINUTE_MS,
    });
  });
});

describe("toCoverageRatio", () => {
  it("is the share of eligible orders, and absent if there are none", () => {
    expect(toCoverageRatio({ eligible: 8, decidedInTime: 6 })).toBe(0.75);
    expect(toCoverageRatio({ eligible: 0, decidedInTime: 0 })).toBeNull();
  });
});

describe("createCoverageWatch", () => {
  it("reports an incident once, and its end, across restarts and processes", async () => {
    await look(100, 95);
    expect(told()).toEqual([]);

    await look(100, 94);
    await look(100, 10);
    await look(100, 10, "app:2");
    expect(told()).toEqual([BEGINS]);

    await look(100, 95);
    await look(100, 99);
    expect(told()).toEqual([BEGINS, OVER]);

    await look(100, 94);
    expect(told()).toEqual([BEGINS, OVER, BEGINS]);
    expect(log.lines[0]).toMatchObject({ level: "error", eligible: 100, decidedInTime: 94 });
  });

  it("reports nothing for fewer than twenty orders", async () => {
    await look(19, 0);
    await look(0, 0);
    expect(told()).toEqual([]);

    await look(20, 0);
    expect(told()).toEqual([BEGINS]);
  });

  it("doesn't mistake a quiet day for the incident's end while its orders are late", async () => {
    await look(20, 0);
    await look(3, 1);
    expect(told()).toEqual([BEGINS]);

    await look(3, 3);
    expect(told()).toEqual([BEGINS, OVER]);
  });

  it("reports the incident's end after a day without orders", async () => {
    await look(20, 0);
    await look(0, 0);

    expect(told()).toEqual([BEGINS, OVER]);
  });

  it("looks in one process at a time", async () => {
    nowMs += 5 * MINUTE_MS;
    let looks = 0;
    const counted: Store = {
      ...store,
      figures: {
        ...store.figures,
        coverage: async () => {
          looks += 1;
          return { eligible: 0, decidedInTime: 0 };
        },
      },
    };
    const parts = { store: counted, logger: log.logger, now: () => nowMs };

    await Promise.all([
      createCoverageWatch({ ...parts, owner: "app:1" }).run(),
      createCoverageWatch({ ...parts, owner: "app:2" }).run(),
    ]);

    expect(looks).toBe(1);
  });
});
