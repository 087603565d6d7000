import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HoldfastError } from "../../../src/base/errors.ts";
import { readCheckoutListState } from "../../../src/pipeline/chores/checkout-list-state.ts";
import { createCheckoutListSync } from "../../../src/pipeline/chores/checkout-list-sync.ts";
import type { CheckoutState, Platform } from "../../../src/platform/platform.ts";
import { toCheckoutKey, toCheckoutKeys } from "../../../src/policy/checkout-list.ts";
import type { ListEntry } from "../../../src/policy/lists.ts";
import { createPolicies } from "../../../src/settings/current-policy.ts";
import type { Store } from "../../../src/store/store.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";
import { createTestPlatform } from "../../support/platform.ts";
import { createTestStore } from "../../support/test-store.ts";
import { entry as timelineEntry } from "../../store/samples.ts";

const TENANT = "test:shop";
const START = Date.UTC(2026, 10, 29, 12);
const MINUTE_MS = 60_000;
const signal = new AbortController().signal;

let store: Store;
let nowMs: number;
let log: ReturnType<typeof createLogRecorder>;
/** What the platform was asked for. */
let asked: (readonly [tenant: string, list: string | null])[];
/** The ways that each call took away. */
let wiped: string[];
let answer: (list: string | null) => CheckoutState;

beforeEach(async () => {
  store = await createTestStore();
  nowMs = START;
  log = createLogRecorder();
  asked = [];
  wiped = [];
  answer = (list) => (list === null ? "open" : "applied");
  await store.tenants.saveCredential(TENANT, "test", "secret", "installed", START);
});
afterEach(() => store.close());

function sync(owner = "app:1") {
  const platform: Platform = {
    ...createTestPlatform(),
    applyAtCheckout: async (tenant, { refuse, hidePayments }) => {
      expect([refuse, hidePayments].filter((list) => typeof list === "string").length).toBeLessThan(2);
      wiped.push(
        [refuse === null && "refuse", hidePayments === null && "hidePayments"].filter(Boolean).join(),
      );
      const list = refuse ?? hidePayments ?? null;
      asked.push([tenant, list]);
      return answer(list);
    },
  };
  const policyOf = createPolicies(store);
  const parts = { store, platforms: [platform], policyOf, owner, now: () => nowMs, logger: log.logger };
  const chore = createCheckoutListSync(parts);
  return () => chore.run(signal);
}

function block(email: string, changes: Partial<ListEntry> = {}): ListEntry {
  const { mailbox } = toCheckoutKeys({ customerEmail: email }, toCheckoutKey(store.keyring, TENANT));
  return {
    list: "block",
    kind: "mailbox",
    digest: (mailbox ?? "").padEnd(22, "x"),
    checkout: mailbox,
    label: "m…@shop.example",
    owner: "person:1",
    reason: "chargeback",
    until: null,
    ...changes,
  };
}

const save = (lists: readonly ListEntry[], more: object = {}, tenant = TENANT) =>
  store.policies.save(tenant, { blockedAtCheckout: "refuse", lists, ...more }, undefined, nowMs);

const lists = () => asked.map(([, list]) => list);

describe("createCheckoutListSync", () => {
  it("brings a list once, and again when it differs", async () => {
    const run = sync();
    await save([block("one@shop.example")]);
    await run();
    await run();
    nowMs += 20 * MINUTE_MS;
    await run();
    expect(asked).toHaveLength(1);

    await save([block("one@shop.example")], { whenUnavailable: "hold" });
    await run();
    expect(asked).toHaveLength(1);

    await save([block("one@shop.example"), block("two@shop.example")]);
    await run();
    expect(lists()[1]).toHaveLength((lists()[0] ?? "").length + 8);
    // Another process, or this one after a restart, knows what the checkout has.
    await sync("app:2")();
    expect(asked).toHaveLength(2);
  });

  it.each<[string, object]>([
    ["isn't used at the checkout", { blockedAtCheckout: "nothing" }],
    ["is in watch-only mode", { mode: "shadow" }],
    ["has nothing that can be compared", { lists: [] }],
  ])(
    "calls nothing when a policy never did anything there and %s, and takes the list off if it did",
    async (_what, more) => {
      const run = sync();
      await save([block("one@shop.example")], more);
      await run();
      expect(asked).toEqual([]);

      await save([block("one@shop.example")]);
      await run();
      await save([block("one@shop.example")], more);
      await run();
      await run();
      expect(lists().map((list) => list === null)).toEqual([false, true]);
    },
  );

  it("has digests only, of blocks that count now", async () => {
    await save([
      block("one@shop.example"),
      block("trusted@shop.example", { list: "trust" }),
      block("over@shop.example", { until: "2026-11-28" }),
      block("today@shop.example", { until: "2026-11-29" }),
      block("card@shop.example", { kind: "card", checkout: undefined }),
      // By two orders' declines.
      block("one@shop.example", { order: "2" }),
    ]);
    const run = sync();
    await run();
    const [list = ""] = lists();
    expect(list).toMatch(/^1\.[\w-]{43}\.[\w-]{16}$/);
    expect(list).toContain(block("one@shop.example").checkout);
    expect(list).not.toContain("shop");

    nowMs = Date.UTC(2026, 10, 30);
    await run();
    expect(lists()[1]).toMatch(/^1\.[\w-]{43}\.[\w-]{8}$/);
  });

  it("brings the same digests with the names of payments, if these are to be hidden", async () => {
    const run = sync();
    await save([block("one@shop.example")]);
    await run();
    await save([block("one@shop.example")], {
      blockedAtCheckout: "another-payment",
      hiddenPayments: ["card", "Pay\nPal "],
    });
    await run();
    const [refuse, hide] = lists();
    expect(hide).toBe(`${refuse}\ncard\nPay Pal`);

    // Nothing to hide: nothing is different for a blocked buyer.
    await save([block("one@shop.example")], { blockedAtCheckout: "another-payment", hiddenPayments: [] });
    await run();
    expect(lists()[2]).toBeNull();
  });

  it("brings a list again that was taken away for another way, which then failed", async () => {
    const run = sync();
    await save([block("one@shop.example")]);
    await run();
    answer = () => "not-granted";
    await save([block("one@shop.example")], { blockedAtCheckout: "another-payment" });
    await run();
    answer = () => "applied";
    await save([block("one@shop.example")]);
    await run();

    expect(lists().map((list) => list?.includes("Shop Pay"))).toEqual([false, true, false]);
  });

  it("names a way to take away until it is gone, and only if it may have had a list", async () => {
    const run = sync();
    await save([block("one@shop.example")], { blockedAtCheckout: "another-payment" });
    await run();
    await save([block("one@shop.example")]);
    answer = () => "not-granted";
    await run();
    nowMs += 3 * MINUTE_MS;
    answer = (list) => (list === null ? "open" : "applied");
    await run();
    await save([block("one@shop.example")], { blockedAtCheckout: "nothing" });
    await run();

    expect(wiped).toEqual(["", "hidePayments", "hidePayments", "refuse"]);
  });

  it("doesn't take away what a refused attempt never made, but what a person turned off", async () => {
    const run = sync();
    answer = () => "not-granted";
    await save([block("one@shop.example")], { blockedAtCheckout: "another-payment" });
    await run();
    answer = () => "turned-off";
    await save([block("one@shop.example")]);
    await run();
    answer = () => "open";
    await save([block("one@shop.example")], { blockedAtCheckout: "nothing" });
    await run();

    expect(wiped).toEqual(["", "", "refuse"]);
  });

  it("gives each shop a key of its own", async () => {
    await store.tenants.saveCredential("test:other", "test", "secret", "installed", START);
    await save([block("one@shop.example")]);
    await save([block("one@shop.example")], {}, "test:other");
    await sync()();
    const keys = lists().map((list) => list?.split(".")[1]);
    expect(asked.map(([tenant]) => tenant)).toEqual(["test:other", TENANT]);
    expect(new Set(keys).size).toBe(2);
  });

  it("brings the list again after the app was installed again, since the platform forgot it", async () => {
    const run = sync();
    await save([block("one@shop.example")]);
    await run();
    await store.tenants.uninstall(TENANT, nowMs, timelineEntry("uninstalled"));
    await run();
    expect(asked).toHaveLength(1);
    nowMs += MINUTE_MS;
    await store.tenants.saveCredential(TENANT, "test", "secret", "installed", nowMs);
    await run();
    expect(asked).toHaveLength(2);
  });

  it("alerts once while the checkout can't follow, looks again, and says when it's over", async () => {
    const run = sync();
    answer = () => "not-granted";
    await save([block("one@shop.example")]);
    await run();
    await run();
    expect(asked).toHaveLength(1);
    nowMs += 2 * MINUTE_MS;
    await run();
    expect(asked).toHaveLength(2);
    const raised = {
      level: "error",
      alert: "checkout_list_not_applied",
      tenant: TENANT,
      problem: "not-granted",
    };
    expect(log.lines.filter(({ alert }) => alert !== undefined)).toMatchObject([raised]);

    answer = () => "applied";
    nowMs += 2 * MINUTE_MS;
    await run();
    expect(log.lines.at(-1)).toMatchObject({ resolved: "checkout_list_not_applied", tenant: TENANT });
  });

  it("deletes a list that the platform may have taken, though its answer was lost and nobody wants it any more", async () => {
    const run = sync();
    await save([block("one@shop.example")]);
    answer = () => {
      throw new HoldfastError("PLATFORM_UNAVAILABLE", "the answer was lost", { retryable: true });
    };
    await run();
    answer = (list) => (list === null ? "open" : "applied");
    await save([]);
    nowMs += 2 * MINUTE_MS;
    await run();

    expect(lists().at(-1)).toBeNull();
    expect(asked).toHaveLength(2);
  });

  it("ends the alert once refusing is turned off, and raises each other problem", async () => {
    const run = sync();
    const alerts = () =>
      log.lines.flatMap(({ alert, resolved, problem }) =>
        (alert ?? resolved) === undefined ? [] : [[alert === undefined ? "over" : "raised", problem]],
      );
    answer = () => "not-granted";
    await save([block("one@shop.example")]);
    await run();
    answer = () => "not-deployed";
    nowMs += 2 * MINUTE_MS;
    await run();
    await save([]);
    nowMs += 2 * MINUTE_MS;
    await run();

    expect(alerts()).toEqual([
      ["raised", "not-granted"],
      ["over", "not-granted"],
      ["raised", "not-deployed"],
      ["over", "not-deployed"],
    ]);
  });

  it("alerts while a checkout may still refuse somebody who left the list", async () => {
    const run = sync();
    await save([block("one@shop.example")]);
    await run();
    answer = () => "not-granted";
    await save([]);
    await run();
    expect(log.lines.at(-1)).toMatchObject({ alert: "checkout_list_not_applied", problem: "not-granted" });
    answer = () => "open";
    nowMs += 2 * MINUTE_MS;
    await run();
    expect(lists().slice(1)).toEqual([null, null]);
    expect(log.lines.at(-1)).toMatchObject({ resolved: "checkout_list_not_applied" });
  });

  it("tries again when the platform fails, at the time it asks for, and other shops don't wait", async () => {
    await store.tenants.saveCredential("test:a", "test", "secret", "installed", START);
    await save([block("one@shop.example")]);
    await save([block("one@shop.example")], {}, "test:a");
    const run = sync();
    const retryAtMs = nowMs + 5 * MINUTE_MS;
    let left = 1;
    answer = () => {
      if (left-- > 0)
        throw new HoldfastError("PLATFORM_THROTTLED", "slow down", { retryable: true, retryAtMs });
      return "applied";
    };
    await run();
    expect(asked.map(([tenant]) => tenant)).toEqual(["test:a", TENANT]);
    nowMs = retryAtMs - 1;
    await run();
    expect(asked).toHaveLength(2);
    nowMs = retryAtMs;
    await run();
    expect(asked.map(([tenant]) => tenant)).toEqual(["test:a", TENANT, "test:a"]);
    expect(JSON.stringify(log.lines)).not.toContain("shop.example");
  });

  it("leaves a shop that another process is at, and comes back", async () => {
    await save([block("one@shop.example")]);
    await store.leases.acquire(`checkout-list:${TENANT}`, "app:2", nowMs, nowMs + MINUTE_MS);
    const run = sync();
    await run();
    expect(asked).toEqual([]);
    await store.leases.release(`checkout-list:${TENANT}`, "app:2");
    await run();
    expect(asked).toHaveLength(1);
  });

  it("doesn't look at a shop's policy again before it has to", async () => {
    await save([block("one@shop.example")]);
    const run = sync();
    await run();
    let loads = 0;
    const load = store.cursors.load.bind(store.cursors);
    store.cursors.load = (...args) => {
      loads += 1;
      return load(...args);
    };
    await run();
    expect(loads).toBe(0);
    nowMs += 10 * MINUTE_MS;
    await run();
    expect(loads).toBe(1);
  });
});

describe("readCheckoutListState", () => {
  const read = () => {
    const parts = { store, policyOf: createPolicies(store) };
    return readCheckoutListState(parts, TENANT, { installedAtMs: START, nowMs });
  };

  it("says how much of the list the checkout has, and since when", async () => {
    const run = sync();
    expect(await read()).toEqual({ kind: "unused" });
    await save([block("one@shop.example"), block("two@shop.example")]);
    expect(await read()).toEqual({ kind: "pending" });
    nowMs += MINUTE_MS;
    await run();
    const sinceMs = nowMs;
    nowMs += MINUTE_MS;
    await run();
    const bytes = Buffer.byteLength(lists()[0] ?? "");
    expect(await read()).toEqual({ kind: "applied", entries: 2, bytes, limit: 10_000, sinceMs });

    const hide = { blockedAtCheckout: "another-payment", hiddenPayments: ["card"] };
    await save([block("one@shop.example")], hide);
    await run();
    expect(await read()).toMatchObject({ kind: "applied", entries: 1, bytes: bytes - 8 + 5, sinceMs: nowMs });
    // Another installation has none.
    const reinstalled = { installedAtMs: START + 1, nowMs };
    expect(
      await readCheckoutListState({ store, policyOf: createPolicies(store) }, TENANT, reinstalled),
    ).toMatchObject({ kind: "pending" });
  });

  it.each<[string, object]>([
    ["watching", { mode: "shadow" }],
    ["empty", { lists: [] }],
    ["empty", { blockedAtCheckout: "another-payment", hiddenPayments: [] }],
    ["unused", { blockedAtCheckout: "nothing" }],
  ])("says that the checkout has no list: %s, %j", async (kind, more) => {
    const run = sync();
    await save([block("one@shop.example")]);
    await run();
    await save([block("one@shop.example")], more);
    expect(await read()).toEqual({ kind: "pending" });
    await run();
    expect(await read()).toEqual({ kind });
  });

  it.each(["not-granted", "not-deployed", "plan", "too-many", "turned-off"] as const)(
    "says what stands in the way until it's gone: %s",
    async (problem) => {
      const run = sync();
      answer = () => problem;
      await save([block("one@shop.example")]);
      await run();
      expect(await read()).toEqual({ kind: "problem", problem });
      answer = () => "applied";
      nowMs += 3 * MINUTE_MS;
      await run();
      expect(await read()).toMatchObject({ kind: "applied", entries: 1 });
    },
  );

  it("says that a list is missing while the platform can't be reached", async () => {
    const run = sync();
    answer = () => {
      throw new HoldfastError("PLATFORM_UNAVAILABLE", "down", { retryable: true });
    };
    await save([block("one@shop.example")]);
    await run();
    expect(await read()).toEqual({ kind: "pending" });
  });
});
