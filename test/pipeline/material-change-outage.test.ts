import { describe, expect, it } from "vitest";
import type { ErrorCode } from "../../src/base/errors.ts";
import type { OrderRecord } from "../../src/store/store.ts";
import {
  accept,
  change,
  create,
  HOUR_MS,
  KEY,
  now,
  openShopForEach,
  platform,
  savePolicy,
  steps,
  store,
  to,
  until,
  verifier,
  world,
  hold,
  settle,
  delayCancel,
} from "../support/changing-shop.ts";

openShopForEach();

describe("a changed order while the service is down", () => {
  it("waits like a new order, keeping its state, and is then asked about once", async () => {
    await settle();
    world.down = "VERIFICATION_UNREACHABLE";
    await change(to("CA"));
    const waiting = await until(({ revision }) => (revision?.attempts ?? 0) > 0);
    expect(waiting).toMatchObject({ state: "settled", problem: "VERIFICATION_UNREACHABLE" });
    world.down = null;
    world.aheadMs += 60_000;

    const order = await until(({ state }) => state === "review");

    expect(order).toMatchObject({ creditsSpent: 2, decision: { degraded: false } });
  });

  it("is due as soon as a step of its former decision is", async () => {
    let nextMs = 0;
    platform.onEnforce = (step) => {
      if (step !== "hold") return undefined;
      nextMs = now() + (world.down === null ? HOUR_MS : 500);
      return { outcome: "wait", reason: "not-routed-yet", retryAtMs: nextMs };
    };
    await create(to("CA"));
    await until(({ state }) => state === "waiting");
    world.down = "VERIFICATION_UNREACHABLE";
    const beforeMs = nextMs;
    await change(to("US"));

    await until(
      ({ revision, dueAtMs }) =>
        revision !== null && revision.attempts > 0 && nextMs !== beforeMs && dueAtMs === nextMs,
    );
  });

  it("is finally decided by a guess, which cancels nothing and releases nothing", async () => {
    await hold();
    await savePolicy({ whenUnavailable: "allow" });
    // No reason to wait: a person has to buy credits.
    world.down = "VERIFICATION_NO_CREDITS";

    await change(to("US"));
    const order = await until(({ state, decision }) => state === "review" && decision?.degraded === true);

    expect(order).toMatchObject({
      decision: { action: "hold", reasons: expect.arrayContaining(["hold-kept"]) },
    });
    expect(steps()).not.toContain("release");
    expect(steps()).not.toContain("cancel");

    world.down = null;
    world.aheadMs += HOUR_MS;
    await until(({ state }) => state === "settled");
    expect(steps()).toContain("release");
  });
});

describe("a hold that the service asked for", () => {
  /** No reason to wait: a change is decided by a guess immediately. */
  const DOWN: ErrorCode = "VERIFICATION_NO_CREDITS";
  const guessed = (country: string) => (order: OrderRecord) => {
    const { mapped, decision, revision, state } = order;
    const goesTo = mapped?.outcome === "screenable" ? mapped.request.shippingAddress.country : undefined;
    return goesTo === country && decision?.degraded === true && revision === null && state !== "decided";
  };

  it("survives one guess after another, until the service has answered", async () => {
    await hold();
    await savePolicy({ whenUnavailable: "allow" });
    world.down = DOWN;
    await change(to("MX"));
    await until(guessed("MX"));

    await change(to("US"));
    await until(guessed("US"));
    const order = await until(({ state }) => state === "review" || state === "settled");

    expect(order).toMatchObject({ state: "review", decision: { action: "hold", source: "policy" } });
    expect(steps()).not.toContain("release");

    world.down = null;
    world.aheadMs += HOUR_MS;
    await until(({ state, decision }) => state === "settled" && decision?.degraded === false);
    expect(steps()).toContain("release");
  });

  it("survives if the first guess was to hold", async () => {
    await hold();
    await savePolicy({ whenUnavailable: "hold" });
    world.down = DOWN;
    await change(to("MX"));
    const first = await until(guessed("MX"));
    expect(first.decision?.reasons).not.toContain("hold-kept");
    await until(({ state }) => state === "review");
    await savePolicy({ whenUnavailable: "allow" });

    await change(to("US"));
    await until(guessed("US"));

    expect(await until(({ state }) => state === "review" || state === "settled")).toMatchObject({
      state: "review",
      decision: { action: "hold", reasons: expect.arrayContaining(["hold-kept"]) },
    });
    expect(steps()).not.toContain("release");
  });

  it("is no longer required once an answer allowed the order, even before its release", async () => {
    await hold();
    platform.onEnforce = (step) =>
      step === "release" ? { outcome: "wait", reason: "busy", retryAtMs: now() + HOUR_MS } : undefined;
    await change(to("US"));
    await until(({ state }) => state === "waiting");
    await savePolicy({ whenUnavailable: "allow" });
    world.down = DOWN;
    platform.onEnforce = () => undefined;

    await change(to("MX"));

    expect(await until(guessed("MX"))).toMatchObject({ decision: { action: "allow" } });
    await until(() => steps().includes("release"));
  });
});

describe("a changed order whose decision is still being carried out", () => {
  const wasDone = async (wanted: string) =>
    (await store.orders.listSteps(KEY)).some(({ step, state }) => step === wanted && state === "done");
  const untilDone = (wanted: string) => until(() => wasDone(wanted));
  const later = () => ({ outcome: "wait", reason: "not-routed-yet", retryAtMs: now() + HOUR_MS }) as const;
  const waits = ({ revision }: OrderRecord) => (revision?.attempts ?? 0) > 0;

  it("is held as soon as possible, while its change waits for the service", async () => {
    platform.onEnforce = (step) => (step === "hold" ? later() : undefined);
    await create(to("CA"));
    await until(({ state }) => state === "waiting");
    world.down = "VERIFICATION_UNREACHABLE";
    await change(to("MX"));
    const waiting = await until(waits);
    // The service is asked again too, not only once the platform is ready.
    expect(waiting.dueAtMs).toBeLessThan(now() + 60_000);
    platform.onEnforce = () => undefined;

    await accept("fulfillment/ready", { kind: "order-ready", reference: "1" });
    await untilDone("hold");

    expect(await until(({ state }) => state === "review")).toMatchObject({
      decision: { riskLevel: "high", degraded: false },
      revision: { rescreen: true },
    });
    world.down = null;
    world.aheadMs += 60_000;
    expect(await until(({ state }) => state === "settled")).toMatchObject({
      decision: { riskLevel: "medium", degraded: false },
      creditsSpent: 2,
    });
    expect(steps()).toContain("release");
  });

  it("is held but not canceled on an answer about its earlier content", async () => {
    platform.onEnforce = (step) => (step === "cancel" ? later() : undefined);
    await delayCancel();
    platform.onEnforce = () => undefined;
    world.down = "VERIFICATION_UNREACHABLE";

    await change(to("US"));
    await untilDone("hold");
    await until(waits);
    world.aheadMs += 2_000;
    await until(({ revision }) => (revision?.attempts ?? 0) > 1);

    // At rest between two tries: the check and the cancel both wait.
    await until(({ state }) => state === "waiting");
    expect(steps()).not.toContain("cancel");
    world.down = null;
    world.aheadMs += 60_000;
    await until(({ state, decision }) => state === "settled" && decision?.action === "allow");
    expect(steps()).not.toContain("cancel");
    expect(steps()).toContain("release");
  });

  it("is canceled after all when the waiting change is taken back", async () => {
    platform.onEnforce = (step) => (step === "cancel" ? later() : undefined);
    await delayCancel();
    platform.onEnforce = () => undefined;
    world.down = "VERIFICATION_UNREACHABLE";
    await change(to("US"));
    await until(waits);

    await change(to("FR"));
    await until(({ revision }) => revision?.rescreen === false);
    world.aheadMs += HOUR_MS;

    await until(({ state }) => state === "settled");
    expect(steps()).toContain("cancel");
  });

  it("doesn't wait longer for the service because it is changed again", async () => {
    await settle();
    world.down = "VERIFICATION_UNREACHABLE";
    await change(to("CA"));
    await until(waits);
    world.aheadMs += 2_000;
    const first = await until(({ revision }) => (revision?.attempts ?? 0) > 1);

    await change(to("MX"));
    const second = await until(({ asOfMs }) => asOfMs !== first.asOfMs);

    expect(second.revision?.attempts).toBeGreaterThan(1);
  });
});

describe("an order that changes before it is decided", () => {
  it("doesn't wait longer for the service because of that", async () => {
    world.down = "VERIFICATION_UNREACHABLE";
    await create();
    await until(({ attempts }) => attempts > 0);
    world.aheadMs += 2_000;
    await until(({ attempts }) => attempts > 1);

    await change(to("CA"));
    const order = await until(({ revision, revisedAtMs }) => revisedAtMs !== null && revision === null);

    expect(order.attempts).toBeGreaterThan(1);
  });
});

describe("a process that is killed between a change and the decision on it", () => {
  it("asks only once more, with the content that was already fixed", async () => {
    await settle();
    let enriched = 0;
    platform.onEnrich = async (_tenant, order) => {
      enriched += 1;
      const { mapped } = order;
      if (mapped.outcome !== "screenable") return { mapped, limitations: [] };
      const paymentInfo = { lastFourDigits: String(1000 + enriched) };
      return { mapped: { ...mapped, request: { ...mapped.request, paymentInfo } }, limitations: [] };
    };
    const save = store.orders.save.bind(store);
    let lost = 0;
    // The answer has arrived, but the process is killed before it stores the decision.
    store.orders.save = async (key, owner, transition) => {
      if (transition.changes.decision !== undefined && lost === 0) {
        lost += 1;
        return false;
      }
      return save(key, owner, transition);
    };
    await change(to("CA"));
    await until(() => lost === 1);
    world.aheadMs += 61_000;

    const order = await until(({ state }) => state === "review");

    expect(order).toMatchObject({ creditsSpent: 2 });
    expect(verifier.calls).toHaveLength(2);
    expect(enriched).toBe(1);
  });
});
