import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Delivery } from "../../src/alerts/outbox.ts";
import { ORDER_LEASE_MS } from "../../src/pipeline/work/lease-renewal.ts";
import { toLinkKeys } from "../../src/engine/velocity/keys.ts";
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
  TENANT,
  until,
} from "../support/buyer-shop.ts";
import { until as waitUntil } from "../support/until.ts";

openBuyerShopForEach();

const releases = (orderId: string) =>
  shop.platform.enforced.filter((one) => one.orderId === orderId && one.step === "release").length;

/** The policy with a mailbox on its block list. */
function blocking(customerEmail: string) {
  const digest = (purpose: string, text: string) => shop.store.keyring.digest(TENANT, purpose, text);
  const entry = {
    list: "block",
    kind: "mailbox",
    digest: toLinkKeys({ customerEmail }, digest).mailbox,
    label: "t…@example.net",
    owner: "person:1",
    reason: "chargeback",
    until: null,
  };
  return { ...ASKING, lists: [entry] };
}

describe("where a buyer is asked", () => {
  it("is the oldest address of the account, and never one that came with the order", async () => {
    shop.customerId = "77";
    const phone = "+12025550143";
    for (const [orderId, customerEmail, days] of [
      ["900", "first@example.com", 5],
      ["901", "second@example.com", 40],
      ["902", "young@example.com", 0],
    ] as const) {
      await deliver(orderId, { customerEmail });
      await until(orderId, ({ state }) => state === "settled");
      shop.aheadMs += days * DAY_MS;
    }

    const link = await deliverHeld("1", { customerEmail: "thief@example.net", customerPhone: phone });

    expect(shop.mails.map(({ to }) => to)).toEqual(["first@example.com"]);
    const page = await (await fetch(link)).text();
    expect(page).not.toMatch(/thief|first@|second@|555/);
    expect((await post(link, { answer: "yes" })).status).toBe(200);
    await until("1", ({ state }) => state === "settled");
    expect(releases("1")).toBe(1);
  });

  it("is nowhere if the only address came with the order", async () => {
    shop.customerId = "77";
    await deliver("902", { customerEmail: "young@example.com" });
    await until("902", ({ state }) => state === "settled");
    shop.level = "high";
    await deliver("1", { customerEmail: "thief@example.net" });
    await until("1", ({ state, dueAtMs }) => state === "review" && (dueAtMs ?? 0) > now());

    expect(shop.mails).toEqual([]);
    expect(await checkOf("1")).toMatchObject({ route: "none", recipient: null });
  });

  it("is nowhere if the buyer is blocked, although an older address is known", async () => {
    shop.customerId = "77";
    await deliverEarlier({ customerEmail: "first@example.com" });
    await savePolicy(blocking("thief@example.net"));
    shop.level = "high";
    await deliver("1", { customerEmail: "thief@example.net" });
    await until("1", ({ state, dueAtMs }) => state === "review" && (dueAtMs ?? 0) > now());

    expect(shop.mails).toEqual([]);
    expect(await checkOf("1")).toBeUndefined();
    // Another buyer of that account is asked.
    await deliverHeld("2", { customerEmail: "someone@example.net" });
    expect(shop.mails.map(({ to }) => to)).toEqual(["first@example.com"]);
  });
});

describe("a buyer's answer at the wrong moment", () => {
  it("releases nothing if the buyer was blocked after the page was opened", async () => {
    await deliverEarlier({ customerEmail: "first@example.com" });
    const link = await deliverHeld("1", { customerEmail: "first@example.com" });
    expect((await fetch(link)).status).toBe(200);
    await savePolicy(blocking("first@example.com"));

    expect((await post(link, { answer: "yes" })).status).toBe(200);
    const { decision } = await until("1", (order) => order.decision?.confirmed !== undefined);

    expect(decision).toMatchObject({ action: "hold", confirmed: { effect: "milder" } });
    expect(releases("1")).toBe(0);
  });

  it("never counts for what the order became while the page was open", async () => {
    await deliverEarlier();
    for (const orderId of ["1", "2", "3", "4", "5", "6"]) {
      const link = await deliverHeld(orderId);
      const asked = shop.mails.length;
      expect((await fetch(link)).status).toBe(200);
      shop.aheadMs += 1_000;
      const items = [{ name: "Lamp", quantity: 2, price: 60 }];
      const [, { status }] = await Promise.all([
        deliver(orderId, { items }, "order-changed"),
        post(link, { answer: "yes" }),
      ]);
      expect([200, 404]).toContain(status);

      // Whichever came first, the buyer is asked about the lamps.
      await until(orderId, ({ state }) => state === "review" && shop.mails.length > asked);
      const lamps = linkOf(shop.mails.at(-1));
      expect(lamps).not.toBe(link);
      expect(await (await fetch(lamps)).text()).toContain("Lamp");
      expect((await post(link, { answer: "yes" })).status).toBe(404);
    }
  });

  it("is one answer, and one release, if it comes twice at once while two processes work", async () => {
    const another = shop.startAnother();
    onTestFinished(() => another.stop(100));
    await deliverEarlier();
    const link = await deliverHeld("1");

    const answers = await Promise.all([1, 2, 3].map(() => post(link, { answer: "yes" })));
    await until("1", ({ state }) => {
      another.wake();
      return state === "settled";
    });

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404]);
    expect(releases("1")).toBe(1);
    const timeline = await shop.store.orders.listTimeline(keyOf("1"));
    expect(timeline.filter(({ kind }) => kind === "buyer-answered")).toHaveLength(1);
  });
});

describe("two processes that send a buyer's link", () => {
  it("send the same message with the same link, about one question", async () => {
    await deliverEarlier();
    const sent: string[] = [];
    const isFirstOver = Promise.withResolvers<Delivery>();
    shop.onSend = (message) => {
      sent.push(`${message.id} ${String(message.fields["link"])}`);
      return sent.length === 1 ? isFirstOver.promise : { outcome: "sent", refused: 0 };
    };
    shop.level = "high";
    await deliver("1");
    await until("1", () => sent.length === 1);
    // The first process stands still for so long that another one takes over the order.
    const another = shop.startAnother();
    onTestFinished(() => another.stop(100));
    // Its worker isn't frozen, and would renew its lease if it noticed the time before the other one.
    vi.spyOn(shop.store.orders, "renew").mockResolvedValue(true);
    shop.aheadMs += ORDER_LEASE_MS + 1_000;
    await waitUntil(() => sent.length > 1, { between: () => another.wake() });
    isFirstOver.resolve({ outcome: "sent", refused: 0 });
    await until("1", ({ state, dueAtMs }) => state === "review" && (dueAtMs ?? 0) > now());

    expect(new Set(sent).size).toBe(1);
    expect(sent).toHaveLength(2);
    expect(await shop.store.buyerChecks.list(keyOf("1"))).toHaveLength(1);
    expect((await checkOf("1"))?.sentAtMs).not.toBeNull();
    expect((await post(linkOf(shop.mails.at(-1)), { answer: "yes" })).status).toBe(200);
    await until("1", ({ state }) => state === "settled");
    expect(releases("1")).toBe(1);
  });
});
