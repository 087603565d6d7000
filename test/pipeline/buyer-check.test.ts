import { describe, expect, it } from "vitest";
import type { Delivery } from "../../src/alerts/outbox.ts";
import { judgeReview } from "../../src/pipeline/order-life/review.ts";
import type { PersonAct } from "../../src/order/decision.ts";
import {
  ASKING,
  checkOf,
  DAY_MS,
  deliver,
  deliverEarlier,
  deliverHeld,
  keyOf,
  linkOf,
  now,
  openBuyerShopForEach,
  post,
  savePolicy,
  shop,
  until,
} from "../support/buyer-shop.ts";

openBuyerShopForEach();

const steps = (orderId: string) =>
  shop.platform.enforced.flatMap((one) => (one.orderId === orderId ? [one.step] : []));
const kinds = async (orderId: string) =>
  (await shop.store.orders.listTimeline(keyOf(orderId))).map(({ kind }) => kind);

function review(orderId: string, act: PersonAct) {
  const request = { act, actor: "person:1", atMs: now(), note: null };
  return shop.store.reviews.decide(keyOf(orderId), request, (situation) =>
    judgeReview(situation, request, { policyVersion: 1, nowMs: now() }),
  );
}

/** Look at a held order again: its regular looks are over an hour apart. */
const later = () => (shop.aheadMs += 2 * 3_600_000);

describe("a held order whose buyer is asked", () => {
  it("is released by a right answer, with its tags and without a capture", async () => {
    await deliverEarlier();
    const link = await deliverHeld("1");

    expect((await post(link, { answer: "yes" })).status).toBe(200);
    const { decision } = await until("1", ({ state }) => state === "settled");

    expect(decision).toMatchObject({
      action: "tag",
      tags: ["holdfast-high"],
      source: "service",
      confirmed: { method: "earlier-address", effect: "release" },
      machine: { action: "hold" },
    });
    expect(decision?.reasons[0]).toBe("buyer:confirmed");
    expect(steps("1")).toContain("release");
    expect(steps("1")).not.toContain("capture");
    expect(await kinds("1")).toEqual(expect.arrayContaining(["buyer-asked", "buyer-answered", "decided"]));
  });

  it("stays with a person, as one level milder, if the policy says so", async () => {
    await savePolicy({
      levels: { high: { action: "hold", verify: "milder" } },
      hold: { onDeadline: "cancel" },
    });
    await deliverEarlier();
    const link = await deliverHeld("1");

    await post(link, { answer: "yes" });
    const order = await until("1", ({ decision }) => decision?.confirmed !== undefined);

    expect(order).toMatchObject({
      state: "review",
      decision: { action: "hold", confirmed: { effect: "milder" } },
    });
    expect(steps("1")).not.toContain("release");
    // Its deadline cancels no order whose buyer confirmed it.
    shop.aheadMs += 80 * 3_600_000;
    await until("1", ({ dueAtMs }) => (dueAtMs ?? 0) > now());
    shop.aheadMs += 80 * 3_600_000;
    await until("1", ({ dueAtMs }) => (dueAtMs ?? 0) > now());
    expect(steps("1")).not.toContain("cancel");
  });

  it("stays with a person if the policy no longer asks when the buyer answers", async () => {
    await deliverEarlier();
    const link = await deliverHeld("1");
    await savePolicy({ levels: { high: { action: "hold" } } });

    await post(link, { answer: "yes" });
    const order = await until("1", ({ decision }) => decision?.confirmed !== undefined);

    expect(order).toMatchObject({ state: "review", decision: { confirmed: { effect: "milder" } } });
    expect(steps("1")).not.toContain("release");
  });

  it("stays held after a wrong answer, and isn't asked about again", async () => {
    await deliverEarlier();
    const link = await deliverHeld("1");

    await post(link, { answer: "no" });
    await until("1", ({ dueAtMs }) => (dueAtMs ?? 0) > now());

    expect((await checkOf("1"))?.answer).toMatchObject({ answer: "wrong", method: "earlier-address" });
    expect(steps("1")).not.toContain("release");
    expect(steps("1")).not.toContain("cancel");
    later();
    await until("1", ({ dueAtMs }) => (dueAtMs ?? 0) > now());
    expect(shop.mails).toHaveLength(1);
  });

  it("isn't asked about at the address of an order that only has the same phone number", async () => {
    const phone = "+1 202 555 0143";
    await deliverEarlier({ customerEmail: "first@example.com", customerPhone: phone });
    shop.level = "high";
    await deliver("1", { customerEmail: "other@example.net", customerPhone: phone });
    await until("1", ({ state, dueAtMs }) => state === "review" && (dueAtMs ?? 0) > now());

    expect((await checkOf("1"))?.methods["earlier-address"]).toBe("no-earlier-order");
    expect(shop.mails).toEqual([]);
  });

  it("isn't asked about, with the reason, if no earlier order counts", async () => {
    shop.level = "high";
    await deliver("1");
    await until("1", ({ state, dueAtMs }) => state === "review" && (dueAtMs ?? 0) > now());

    expect(await checkOf("1")).toMatchObject({
      route: "none",
      recipient: null,
      methods: { "earlier-address": "no-earlier-order", evidence: "not-chosen" },
    });
    expect(shop.mails).toEqual([]);
  });

  it.each([
    ["is too young", 29, {}],
    ["wasn't paid by card", 40, { paymentInfo: undefined }],
  ])("isn't asked at the address of an order that %s", async (_why, days, changes) => {
    await deliver("900", changes as never);
    await until("900", ({ state }) => state === "settled");
    shop.aheadMs += days * DAY_MS;
    shop.level = "high";
    await deliver("1");
    await until("1", ({ state, dueAtMs }) => state === "review" && (dueAtMs ?? 0) > now());

    expect((await checkOf("1"))?.methods["earlier-address"]).toBe("no-earlier-order");
  });

  it("isn't asked at the address of an order that a bank disputes", async () => {
    await deliverEarlier();
    const dispute = {
      disputeId: "d",
      orderId: "900",
      kind: "chargeback",
      status: "won",
      reason: "fraudulent",
      isFraud: true,
      initiatedAtMs: now(),
    } as const;
    const entry = {
      atMs: now(),
      kind: "dispute",
      detail: "",
      event: { kind: "dispute" },
      actor: "platform",
    } as const;
    await shop.store.outcomes.recordDispute(keyOf("900"), dispute, entry);
    shop.level = "high";
    await deliver("1");
    await until("1", ({ state, dueAtMs }) => state === "review" && (dueAtMs ?? 0) > now());

    expect((await checkOf("1"))?.route).toBe("none");
  });

  it("gets a new link when it changes, and the old one is dead", async () => {
    await deliverEarlier();
    const link = await deliverHeld("1");
    shop.aheadMs += 1_000;
    await deliver("1", { items: [{ name: "Lamp", quantity: 2, price: 60 }] }, "order-changed");
    await until("1", () => shop.mails.length === 2);

    expect((await fetch(link)).status).toBe(404);
    expect((await post(link, { answer: "yes" })).status).toBe(404);
    const second = linkOf(shop.mails.at(-1));
    expect(second).not.toBe(link);
    expect(await (await fetch(second)).text()).toContain("Lamp");
    expect((await shop.store.orders.get(keyOf("1")))?.state).toBe("review");
  });

  it("keeps its link when it changes in a way that doesn't matter, and the page shows what is ordered now", async () => {
    const lamp = { name: "Lamp", quantity: 1, price: 9 };
    const mug = { name: "Mug", quantity: 1, price: 50.9 };
    await deliverEarlier();
    const link = await deliverHeld("1", { items: [lamp, mug] });
    shop.aheadMs += 1_000;
    await deliver("1", { items: [mug], customerPhone: "+1 202 555 0143" }, "order-changed");
    const changed = await until("1", ({ revisedAtMs }) => revisedAtMs !== null);
    expect(changed.revision).toMatchObject({ rescreen: false });

    expect(await (await fetch(link)).text()).not.toContain("Lamp");
    expect((await post(link, { answer: "yes" })).status).toBe(200);
    await until("1", ({ state }) => state === "settled");

    expect(steps("1")).toContain("release");
    expect(shop.mails).toHaveLength(1);
  });

  it("stays with a person after a change that matters, if the policy checks no changes", async () => {
    await savePolicy({ ...ASKING, rescreenOnChange: false });
    await deliverEarlier();
    const link = await deliverHeld("1");
    shop.aheadMs += 1_000;
    await deliver("1", { customerEmail: "other@example.net" }, "order-changed");
    await until("1", ({ revisedAtMs }) => revisedAtMs !== null);

    expect((await fetch(link)).status).toBe(404);
    expect((await post(link, { answer: "yes" })).status).toBe(404);
    later();
    await until("1", ({ dueAtMs }) => (dueAtMs ?? 0) > now());
    expect(await shop.store.buyerChecks.list(keyOf("1"))).toHaveLength(1);
    expect(shop.mails).toHaveLength(1);
  });

  it("belongs to the person who declined it, whatever the buyer answers at the same time", async () => {
    await deliverEarlier();
    const link = await deliverHeld("1");

    const [declined, answered] = await Promise.all([review("1", "decline"), post(link, { answer: "yes" })]);
    await until("1", ({ state, dueAtMs }) => state === "settled" && dueAtMs === null);

    expect(["decided", "queued"]).toContain(declined.outcome);
    expect([200, 404]).toContain(answered.status);
    // If the buyer was faster, the release may have come first, and the person's decline still follows.
    expect((await shop.store.orders.get(keyOf("1")))?.decision).toMatchObject({
      source: "person",
      action: "cancel",
    });
    expect(steps("1").at(-1)).not.toBe("release");
    expect(steps("1")).toContain("cancel");
  });

  it("can't be released by a link once a person decided", async () => {
    await deliverEarlier();
    const link = await deliverHeld("1");
    await review("1", "decline");

    expect((await post(link, { answer: "yes" })).status).toBe(404);
  });

  it("gets the same link in the same message if its process stops after the mail server took it", async () => {
    await deliverEarlier();
    const sent: string[] = [];
    const taken = Promise.withResolvers<void>();
    shop.onSend = (message, signal) => {
      sent.push(`${message.id} ${String(message.fields["link"])}`);
      taken.resolve();
      if (sent.length > 1) return { outcome: "sent", refused: 0 };
      // The server's confirmation doesn't arrive before the process ends.
      const { promise, resolve } = Promise.withResolvers<Delivery>();
      signal.addEventListener("abort", () =>
        resolve({ outcome: "failed", retryable: true, problem: "AbortError" }),
      );
      return promise;
    };
    shop.level = "high";
    await deliver("1");
    await taken.promise;
    await shop.stop();
    expect(await checkOf("1")).toMatchObject({ sentAtMs: null, sends: 0 });

    shop.start();
    await until("1", () => sent.length === 2);
    await until("1", ({ dueAtMs }) => (dueAtMs ?? 0) > now());

    expect(sent[1]).toBe(sent[0]);
    expect(await shop.store.buyerChecks.list(keyOf("1"))).toHaveLength(1);
    expect((await checkOf("1"))?.sentAtMs).not.toBeNull();
  });

  it("tries a failing mail server again, with the same message", async () => {
    await deliverEarlier();
    const ids: string[] = [];
    shop.onSend = ({ id, text }) => {
      ids.push(`${id}\n${text}`);
      return ids.length < 3
        ? { outcome: "failed", retryable: true, problem: "ECONNREFUSED" }
        : { outcome: "sent", refused: 0 };
    };
    shop.level = "high";
    await deliver("1");
    for (const count of [1, 2]) {
      await until("1", ({ dueAtMs }) => ids.length === count && (dueAtMs ?? 0) > now());
      expect((await checkOf("1"))?.problem).toBe("ECONNREFUSED");
      shop.aheadMs += 11 * 60_000;
    }
    await until("1", () => ids.length === 3);
    await until("1", ({ dueAtMs }) => (dueAtMs ?? 0) > now());

    expect(new Set(ids).size).toBe(1);
    expect(await checkOf("1")).toMatchObject({ sends: 3, problem: null });
  });

  it("isn't asked about in shadow mode, nor in place of a cancel", async () => {
    await savePolicy({ mode: "shadow", levels: { high: { action: "hold", verify: "release" } } });
    await deliverEarlier();
    shop.level = "high";
    await deliver("1");
    await until("1", ({ decision }) => decision !== null);
    shop.level = "critical";
    await savePolicy({ levels: { high: { action: "hold", verify: "release" } } });
    await deliver("2");
    await until("2", ({ state }) => state === "settled");

    expect(await checkOf("1")).toBeUndefined();
    expect(await checkOf("2")).toBeUndefined();
  });
});
