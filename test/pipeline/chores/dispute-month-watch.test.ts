import { afterEach, beforeEach, expect, it } from "vitest";
import { createDisputeMonthWatch } from "../../../src/pipeline/chores/dispute-month-watch.ts";
import type { Platform } from "../../../src/platform/platform.ts";
import type { Store } from "../../../src/store/store.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";
import { createTestStore } from "../../support/test-store.ts";
import { T0, TENANT } from "../../store/samples.ts";

let store: Store;
let log: ReturnType<typeof createLogRecorder>;

beforeEach(async () => {
  store = await createTestStore();
  log = createLogRecorder();
  await store.tenants.saveCredential(TENANT, "shopify", "token", "installed", T0);
});
afterEach(() => store.close());

it("alerts once a month while both figures are near their limits", async () => {
  let counted = { disputes: 800, orders: 60_000 };
  let nowMs = T0;
  const outcomes = { ...store.outcomes, countChargebacks: async () => counted.disputes };
  const countSold = async () => counted.orders;
  const watched: Store = { ...store, outcomes, figures: { ...store.figures, countSold } };
  const platform = { name: "shopify" } as Platform;
  let owner = 0;
  const look = () => {
    owner += 1;
    nowMs += 6 * 3_600_000;
    const parts = {
      store: watched,
      platforms: [platform],
      owner: `app:${owner}`,
      now: () => nowMs,
      logger: log.logger,
    };
    return createDisputeMonthWatch(parts).run(new AbortController().signal);
  };
  const alerts = () => log.lines.filter(({ alert }) => alert === "disputes_high");

  await look();
  await look();
  expect(alerts()).toMatchObject([{ tenant: TENANT, month: "2026-11", disputes: 800, orders: 60_000 }]);

  counted = { disputes: 20, orders: 60_000 };
  nowMs = Date.UTC(2026, 11, 10);
  await look();
  expect(alerts()).toHaveLength(1);
  counted = { disputes: 800, orders: 60_000 };
  await look();
  expect(alerts()).toHaveLength(2);
});

it("also looks at a month in the first two days after its end, and without a time zone", async () => {
  const windows: { readonly sinceMs: number; readonly untilMs: number }[] = [];
  const november = Date.UTC(2026, 10, 1);
  const outcomes = {
    ...store.outcomes,
    countChargebacks: async (_tenant: string, window: (typeof windows)[number]) => {
      windows.push(window);
      return window.sinceMs === november ? 2_000 : 0;
    },
  };
  const figures = { ...store.figures, countSold: async () => 60_000 };
  const readLocale = async () => {
    throw new Error("the platform is down");
  };
  const december = Date.UTC(2026, 11, 1);
  const look = (nowMs: number) => {
    const platform = { name: "shopify", readLocale } as unknown as Platform;
    const watched: Store = { ...store, outcomes, figures };
    const parts = { store: watched, platforms: [platform], owner: `app:${nowMs}`, now: () => nowMs };
    return createDisputeMonthWatch({ ...parts, logger: log.logger }).run(new AbortController().signal);
  };

  await look(december + 2 * 86_400_000 - 1);
  expect(log.lines.filter(({ alert }) => alert === "disputes_high")).toMatchObject([{ month: "2026-11" }]);
  expect(windows).toContainEqual({ sinceMs: november, untilMs: december });

  windows.length = 0;
  await look(december + 3 * 86_400_000);
  expect(windows.map(({ sinceMs }) => sinceMs)).toEqual([december]);
});
