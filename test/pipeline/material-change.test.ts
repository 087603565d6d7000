import { describe, expect, it } from "vitest";
import { shownHeld } from "../support/shown.ts";
import { HoldfastError } from "../../src/base/errors.ts";
import type { MappedOrder } from "../../src/platform/platform.ts";
import {
  accept,
  CANCELLED,
  change,
  create,
  details,
  HOUR_MS,
  install,
  KEY,
  kinds,
  now,
  openShopForEach,
  platform,
  savePolicy,
  screenable,
  steps,
  store,
  TENANT,
  to,
  toOrder,
  until,
  untilAtRest,
  untilHeard,
  update,
  verifier,
  world,
  hold,
  settle,
} from "../support/changing-shop.ts";
import { anOrder } from "../support/orders.ts";
import { toTimelineEntry } from "../../src/pipeline/timeline.ts";

openShopForEach();

describe("a change that arrives while the platform cancels the order, before that cancel fails", () => {
  it("leads to a cancel with a cool-off of its own", async () => {
    await savePolicy({ cancel: { coolOffMinutes: 30 } });
    let isFailing = false;
    let cancels = 0;
    platform.onEnforce = (step) => {
      if (step !== "cancel") return undefined;
      cancels += 1;
      const waits = {
        outcome: "wait",
        reason: "canceling",
        retryAtMs: now() + HOUR_MS,
        begun: true,
      } as const;
      return isFailing ? { outcome: "impossible", reason: "failed" } : waits;
    };
    await create(to("FR"));
    await until(({ problem }) => problem === "cooling-off");
    world.aheadMs += 31 * 60_000;
    await until(({ problem }) => problem === "canceling");
    await change({ ...to("FR"), customerEmail: "other@example.com" });
    await untilHeard();
    isFailing = true;
    world.aheadMs += HOUR_MS;

    const order = await until(({ problem }) => problem === "cooling-off");

    expect(order).toMatchObject({ state: "waiting", decision: { action: "cancel" }, revision: null });
    expect(cancels).toBe(2);
  });
});

describe("a material change", () => {
  it("has the order screened again, for one credit, and the platform follows", async () => {
    await settle();

    await change(to("CA"));
    const order = await until(({ state }) => state === "review");

    expect(order).toMatchObject({
      creditsSpent: 2,
      revision: null,
      mapped: { request: { shippingAddress: { country: "CA" } } },
      decision: { action: "hold", riskLevel: "high", source: "service" },
      result: { riskLevel: "high" },
    });
    expect(steps()).toEqual(["assess", "hold", "assess", "tag"]);
    expect(await store.orders.listChanges(KEY)).toMatchObject([
      { material: true, fields: [{ path: "shippingAddress.country", before: "US", after: "CA" }] },
    ]);
    expect(await details("changed")).toEqual(["shippingAddress.country (to be checked)"]);
    expect(await kinds()).toContain("decided-again");
  });

  it("releases a hold and removes the tags that the new answer doesn't support", async () => {
    await hold();

    await change(to("MX"));
    await until(({ state }) => state === "settled");

    expect(steps()).toEqual(["hold", "assess", "tag", "release", "assess", "tag", "untag"]);
    expect(platform.enforced.filter(({ step }) => step === "tag").map(({ tags }) => tags)).toEqual([
      ["holdfast-high"],
      ["holdfast-medium"],
    ]);
  });

  it("releases a hold and removes its tags when a rule skips the changed order", async () => {
    await savePolicy({ rules: [{ name: "ours", when: { shippingCountry: ["US"] }, then: { skip: true } }] });
    await hold();

    await change(to("US"));
    const order = await until(({ state }) => state === "settled");

    expect(order).toMatchObject({ skipReason: "SKIPPED_BY_RULE", decision: { action: "allow" } });
    expect(steps()).toEqual(["hold", "assess", "tag", "release", "untag"]);
  });

  it("costs nothing when the order changes back to content that was answered before", async () => {
    await settle();
    await change(to("CA"));
    await until(({ state }) => state === "review");

    await change(to("US"));
    const order = await until(({ state }) => state === "settled");

    expect(order).toMatchObject({ creditsSpent: 2, decision: { action: "allow", source: "cache" } });
    expect(steps()).toContain("release");
  });

  it("replaces a decision that waits to be carried out", async () => {
    platform.onEnforce = (step) =>
      step === "hold" ? { outcome: "wait", reason: "not-routed-yet", retryAtMs: now() + HOUR_MS } : undefined;
    await create(to("CA"));
    await until(({ state }) => state === "waiting");

    await change(to("US"));
    const order = await untilAtRest();

    expect(order).toMatchObject({ state: "settled", decision: { action: "allow" }, creditsSpent: 2 });
    expect(steps()).toContain("release");
  });

  it("is checked even if a person released the hold on the earlier content", async () => {
    await hold();
    platform.onObserve = async () => shownHeld({ holdable: true, tags: [], holds: [], assessment: null });
    world.aheadMs += 11 * 60_000;
    await until(({ state }) => state === "settled");

    await change({ ...to("CA"), customerEmail: "other@example.com" });
    await until(({ state }) => state === "review");

    expect(steps().filter((step) => step === "hold")).toHaveLength(2);
  });

  it("in small steps is compared with the checked content", async () => {
    await create({ orderAmount: 100 });
    await untilAtRest();

    await change({ orderAmount: 104 });
    await untilHeard();
    expect(verifier.calls).toHaveLength(1);
    await change({ orderAmount: 108 });
    await until(({ creditsSpent, state }) => creditsSpent === 2 && state === "settled");

    const changes = await store.orders.listChanges(KEY);
    expect(changes.map(({ material, fields }) => [material, fields[0]?.before, fields[0]?.after])).toEqual([
      [false, 100, 104],
      [true, 104, 108],
    ]);
  });

  it("gets an order checked that couldn't be sent before", async () => {
    const { customerEmail, ...known } = anOrder({ orderId: "1" });
    const mapped: MappedOrder = { outcome: "unscreenable", reason: "NO_EMAIL", known, test: false };
    const order = toOrder(mapped, { updatedAtMs: now() - 1_000 });
    await accept("orders/create", { kind: "order", order });
    await untilAtRest();
    expect(verifier.calls).toHaveLength(0);

    await change({ customerEmail });
    await until(({ decision, state }) => decision?.source === "service" && state === "settled");

    expect(verifier.calls).toHaveLength(1);
  });
});

describe("an update without a material change", () => {
  it("stores only that it arrived, however often it arrives", async () => {
    await create();
    const before = await untilAtRest();
    const timeline = await kinds();

    const asOfMs = now() + 1_000;
    for (let index = 0; index < 20; index += 1) await change({}, asOfMs);
    await untilHeard();

    expect(await store.orders.get(KEY)).toEqual({ ...before, asOfMs });
    expect(await kinds()).toEqual(timeline);
    expect(await store.orders.listChanges(KEY)).toEqual([]);
    expect(verifier.calls).toHaveLength(1);
  });

  it("is stored once and shown, and costs nothing", async () => {
    await settle();
    const street = `${anOrder().shippingAddress.street}, Flat 7`;

    for (let index = 0; index < 20; index += 1) {
      await change({ shippingAddress: { ...anOrder().shippingAddress, street } });
    }
    await untilHeard();

    expect(await store.orders.listChanges(KEY)).toMatchObject([
      { material: false, fields: [{ path: "shippingAddress.street", after: street }] },
    ]);
    expect(await details("changed")).toEqual(["shippingAddress.street (not material)"]);
    expect(await store.orders.get(KEY)).toMatchObject({ state: "settled", dueAtMs: null, creditsSpent: 1 });
    expect(JSON.stringify(await store.orders.listTimeline(KEY))).not.toContain("Flat 7");
  });

  it("that lacks data that the platform withholds costs nothing", async () => {
    await settle();

    const known = { orderAmount: 59.9, currency: "USD", orderId: "1" };
    await update({ outcome: "unscreenable", reason: "PERSONAL_DATA_NOT_GRANTED", known, test: false });
    await untilHeard();

    expect(await store.orders.get(KEY)).toMatchObject({ state: "settled", creditsSpent: 1 });
    expect(await store.orders.listChanges(KEY)).toMatchObject([{ material: false }]);
  });
});

describe("an update without effect", () => {
  it("is one that is older than the known state", async () => {
    await settle();
    const before = now();
    await change(to("MX"), before + 1_000);
    await until(({ creditsSpent, state }) => creditsSpent === 2 && state === "settled");

    await change(to("CA"), before + 500);
    await untilHeard();

    expect(await store.orders.get(KEY)).toMatchObject({
      creditsSpent: 2,
      revision: null,
      asOfMs: before + 1_000,
    });
    expect(await store.orders.listChanges(KEY)).toHaveLength(1);
  });

  it("still counts in one respect, however old it is: a refund", async () => {
    await settle();
    const before = now();
    await change({}, before + 1_000);
    await untilHeard();

    await update(screenable(), before + 500, { refunded: true });
    await update(screenable(), before + 2_000, { refunded: true });
    await untilHeard();
    expect((await kinds()).filter((kind) => kind === "refunded")).toHaveLength(1);
    expect(await store.orders.get(KEY)).toMatchObject({ state: "settled", creditsSpent: 1, revision: null });
  });

  it("is one that was reverted by a later one that arrived first", async () => {
    await settle();
    const before = now();
    await change({}, before + 2_000);
    await untilHeard();

    await change(to("FR"), before + 1_000);
    await untilHeard();

    expect(await store.orders.get(KEY)).toMatchObject({ state: "settled", creditsSpent: 1, revision: null });
    expect(await store.orders.listChanges(KEY)).toEqual([]);
    expect(steps()).not.toContain("cancel");
  });

  it("is one that is older than an update that changed nothing", async () => {
    await savePolicy({ rescreenOnChange: false });
    await settle();
    const before = now();
    await change(to("CA"), before + 1_000);
    await untilHeard();
    await change(to("CA"), before + 3_000);
    await untilHeard();

    await change(to("MX"), before + 2_000);
    await untilHeard();

    expect(await store.orders.listChanges(KEY)).toHaveLength(1);
  });

  it("is one from before the platform listed the order, whose webhook never arrived", async () => {
    const readAtMs = now();
    const found = { tenant: TENANT, platform: "test", receivedAtMs: readAtMs, asOfMs: readAtMs };
    const entry = toTimelineEntry(readAtMs, { kind: "found" }, "");
    await store.orders.receive({ ...toOrder(screenable()), ...found }, entry);
    await untilAtRest();

    await change(to("FR"), readAtMs - 1);
    await untilHeard();

    expect(await store.orders.get(KEY)).toMatchObject({ state: "settled", creditsSpent: 1 });
    expect(await store.orders.listChanges(KEY)).toEqual([]);
  });

  it("is one for a shop whose policy doesn't recheck changes, but it's shown", async () => {
    await savePolicy({ rescreenOnChange: false });
    await settle();

    await change(to("CA"));
    await untilHeard();

    expect(await store.orders.get(KEY)).toMatchObject({ state: "settled", dueAtMs: null, creditsSpent: 1 });
    expect(await store.orders.listChanges(KEY)).toMatchObject([{ material: true }]);
    expect(await details("changed")).toEqual(["shippingAddress.country (not checked again, by policy)"]);
  });

  it("is one for an order that has shipped", async () => {
    await settle();

    await update(screenable(to("CA")), undefined, { fulfilled: true });
    await untilHeard();

    expect(await store.orders.get(KEY)).toMatchObject({ state: "settled", creditsSpent: 1 });
    expect(await details("changed")).toEqual(["shippingAddress.country (shipped)"]);
  });

  it("is one for an order that Holdfast or a person canceled", async () => {
    await create(to("FR"));
    await until(({ state }) => state === "settled");
    expect(steps()).toContain("cancel");

    await change(to("US"));
    await untilHeard();

    expect(await store.orders.get(KEY)).toMatchObject({ state: "settled", creditsSpent: 1 });
    expect(await store.orders.listChanges(KEY)).toEqual([]);
  });

  it("is one for an order that was canceled when it arrived", async () => {
    const canceled = toOrder(CANCELLED, { updatedAtMs: now() });
    await accept("orders/create", { kind: "order", order: canceled });
    await untilAtRest();

    await change(to("CA"), now() + 1_000);
    await untilHeard();

    expect(await store.orders.listChanges(KEY)).toEqual([]);
    expect(verifier.calls).toHaveLength(0);
  });

  it("is one that arrives while the platform is canceling the order, and costs nothing", async () => {
    const begun = Promise.withResolvers<void>();
    let isOver = false;
    const jobs: unknown[] = [];
    platform.onEnforce = (step, { memory }) => {
      if (step !== "cancel" || isOver) return undefined;
      jobs.push(memory["jobId"]);
      begun.resolve();
      return {
        outcome: "wait",
        reason: "cancelling",
        retryAtMs: now() + 1,
        // It counts as begun until it ends, even if the platform doesn't say so again.
        ...(memory["jobId"] === undefined ? { begun: true } : {}),
        memory: { jobId: "1" },
      };
    };
    await create(to("FR"));
    await begun.promise;
    await change(to("US"));
    await untilHeard();
    await until(() => jobs.length > 3);
    isOver = true;

    const order = await until(({ state, revision }) => state === "settled" && revision?.rescreen !== true);

    expect(order.decision).toMatchObject({ action: "cancel", riskLevel: "critical" });
    expect(jobs.slice(1)).toEqual(jobs.slice(1).map(() => "1"));
    expect(steps()).toEqual(["assess", "tag", "cancel"]);
    expect(verifier.calls).toHaveLength(1);
    expect(await details("changed")).toContain("not checked again: the order was canceled meanwhile");
  });

  it("is checked after all if the platform couldn't cancel the order", async () => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    platform.onEnforce = (step, { memory }) => {
      if (step !== "cancel") return undefined;
      begun.resolve();
      return memory["jobId"] === undefined
        ? { outcome: "wait", reason: "cancelling", retryAtMs: now() + 1, begun: true, memory: { jobId: "1" } }
        : ended.promise.then(() => ({ outcome: "impossible", reason: "refused" }) as const);
    };
    await create(to("FR"));
    await begun.promise;
    await change(to("US"));
    await untilHeard();
    ended.resolve();

    const order = await until(({ state, decision }) => state === "settled" && decision?.action === "allow");

    expect(order).toMatchObject({ revision: null, creditsSpent: 2 });
    expect(steps()).toEqual(["assess", "tag", "hold", "release", "assess", "untag"]);
  });

  it("is one from before the order ended", async () => {
    await settle();
    const before = now();
    world.aheadMs += 1_000;
    await accept("orders/delete", { kind: "order-cancelled", orderId: "1" });
    await untilHeard();

    await change(to("CA"), before);
    await untilHeard();

    expect(await store.orders.get(KEY)).toMatchObject({ state: "settled", creditsSpent: 1 });
  });

  it("is one for an order that ended, even if the platform's clock is ahead", async () => {
    await settle();
    await accept("orders/delete", { kind: "order-cancelled", orderId: "1" });
    await untilHeard();

    await change(to("CA"), now() + 30_000);
    await untilHeard();

    expect(await store.orders.get(KEY)).toMatchObject({ state: "settled", revision: null, creditsSpent: 1 });
    expect(verifier.calls).toHaveLength(1);
  });

  it("is one for an erased order, and none of it is stored", async () => {
    await settle();
    const request = { tenant: TENANT, orderIds: ["1"], customerId: undefined, email: undefined };
    const entry = toTimelineEntry(now(), { kind: "erased" }, "", "platform");
    await store.retention.eraseOrders(request, entry);

    await change(to("CA"));
    await untilHeard();

    expect(await store.orders.get(KEY)).toMatchObject({ mapped: null, revision: null, creditsSpent: 1 });
    expect(await store.orders.listChanges(KEY)).toEqual([]);
  });
});

describe("an update that says canceled", () => {
  it("ends the order, and later ones change nothing", async () => {
    await hold();

    for (let index = 0; index < 5; index += 1) {
      // A cancel gives the money back too.
      await update(CANCELLED, now(), { refunded: true });
      await untilHeard();
    }

    expect(await until(({ state }) => state === "settled")).toMatchObject({ dueAtMs: null });
    expect((await kinds()).filter((kind) => kind === "cancelled-on-platform")).toHaveLength(1);
    expect(await kinds()).not.toContain("refunded");
  });

  it("ends a new order whose webhook never arrived", async () => {
    await install(now() - HOUR_MS);

    const orderTimestamp = new Date(now() - 60_000).toISOString();
    const known = { orderTimestamp };
    await update({ outcome: "unscreenable", reason: "CANCELLED", known, test: false });
    await untilHeard();

    expect(await store.orders.get(KEY)).toMatchObject({ state: "settled", skipReason: "CANCELLED" });
    expect(await kinds()).toEqual(["cancelled-on-platform"]);
  });

  it("isn't remembered for every old order of a shop", async () => {
    await install(now() - HOUR_MS);

    await update(CANCELLED);
    await untilHeard();

    expect(await store.orders.get(KEY)).toBeNull();
  });
});

describe("an update of an order whose webhook never arrived", () => {
  const placed = (agoMs: number) => ({ orderTimestamp: new Date(now() - agoMs).toISOString() });

  it("stores the order if it is new", async () => {
    await install(now() - HOUR_MS);

    await change(placed(60_000));
    await untilAtRest();
    await create(placed(60_000));
    await untilHeard();

    expect(await store.orders.get(KEY)).toMatchObject({ state: "settled", creditsSpent: 1 });
  });

  it.each([
    ["was placed before the installation", 30 * 60_000, 45 * 60_000],
    ["was placed hours ago", 48 * HOUR_MS, 3 * HOUR_MS],
  ])("is ignored if the order %s", async (_case, installedAgoMs, placedAgoMs) => {
    await install(now() - installedAgoMs);

    await change({ ...placed(placedAgoMs), ...to("FR") });
    await untilHeard();

    expect(await store.orders.get(KEY)).toBeNull();
    expect(verifier.calls).toHaveLength(0);
  });

  it("is ignored if the order doesn't say when it was placed", async () => {
    const { orderTimestamp: _none, ...request } = anOrder({ orderId: "1" });
    await update({ outcome: "screenable", test: false, request });
    await untilHeard();

    expect(await store.orders.get(KEY)).toBeNull();
  });
});

describe("a state from the same second as the known one", () => {
  const second = () => Math.floor(now() / 1_000) * 1_000;

  async function createHeld(): Promise<number> {
    const atMs = second() - 2_000;
    const order = toOrder(screenable(to("CA")), { updatedAtMs: atMs });
    await accept("orders/create", { kind: "order", order });
    await until(({ state }) => state === "review");
    return atMs;
  }

  it("releases nothing while the platform says that the known one is current", async () => {
    const atMs = await createHeld();
    platform.onReadOrder = async () => toOrder(screenable(to("CA")), { updatedAtMs: atMs });

    for (let index = 0; index < 3; index += 1) await change(to("US"), atMs);
    await untilHeard();

    expect(await store.orders.get(KEY)).toMatchObject({ state: "review", revision: null, creditsSpent: 1 });
    expect(steps()).not.toContain("release");
  });

  it("counts if the platform says that it is current", async () => {
    const atMs = await createHeld();
    platform.onReadOrder = async () => toOrder(screenable(to("US")), { updatedAtMs: atMs });

    await change(to("US"), atMs);

    const order = await until(({ state }) => state === "settled");
    expect(order).toMatchObject({ creditsSpent: 2, decision: { action: "allow" } });
  });

  it("is replaced by what the platform says", async () => {
    const atMs = await createHeld();
    platform.onReadOrder = async () => toOrder(screenable(to("MX")), { updatedAtMs: atMs + 1_000 });

    await change(to("US"), atMs);

    const order = await until(({ state, creditsSpent }) => state === "settled" && creditsSpent === 2);
    expect(order).toMatchObject({ decision: { riskLevel: "medium" }, asOfMs: atMs + 1_000 });
  });

  it("has no effect until the platform can be asked", async () => {
    const atMs = await createHeld();
    let asked = 0;
    platform.onReadOrder = async () => {
      asked += 1;
      throw new HoldfastError("PLATFORM_UNAVAILABLE", "no answer", { retryable: true });
    };

    await change(to("US"), atMs);
    await until(() => asked > 0);

    expect(await store.orders.get(KEY)).toMatchObject({ state: "review", revision: null });
    platform.onReadOrder = async () => toOrder(screenable(to("US")), { updatedAtMs: atMs });
    world.aheadMs += HOUR_MS / 12;
    await until(({ creditsSpent }) => creditsSpent === 2);
  });

  it("is read from the platform if it has no time", async () => {
    const atMs = await createHeld();
    platform.onReadOrder = async () => toOrder(screenable(to("CA")), { updatedAtMs: atMs });

    const order = toOrder(screenable(to("US")));
    await accept("orders/updated", { kind: "order-changed", order });
    await untilHeard();

    expect(await store.orders.get(KEY)).toMatchObject({ state: "review", revision: null });
  });

  it("ends the order if the platform says that it was canceled", async () => {
    const atMs = await createHeld();
    platform.onReadOrder = async () => toOrder(CANCELLED, { updatedAtMs: atMs + 1_000 });

    await change(to("US"), atMs);

    await until(({ state }) => state === "settled");
    expect(steps()).not.toContain("release");
  });
});
