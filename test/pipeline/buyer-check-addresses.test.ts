import { describe, expect, it } from "vitest";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { reportCustomer } from "../../src/pipeline/intake/customer-events.ts";
import { createAddressKeeper } from "../../src/pipeline/chores/address-keeper.ts";
import { createPolicies } from "../../src/settings/current-policy.ts";
import { RETENTION_LIMITS } from "../store/samples.ts";
import {
  ASKING,
  checkOf,
  DAY_MS,
  deliver,
  deliverEarlier,
  deliverHeld,
  keyOf,
  now,
  openBuyerShopForEach,
  savePolicy,
  shop,
  TENANT,
  until,
} from "../support/buyer-shop.ts";

openBuyerShopForEach();

const KEEPING = { ...ASKING, verify: { ...ASKING.verify, keepAddresses: true } };
let rounds = 0;

const keep = () =>
  createAddressKeeper({
    store: shop.store,
    policyOf: createPolicies(shop.store),
    owner: `test:${(rounds += 1)}`,
    now,
    logger: SILENT_LOGGER,
  }).run(new AbortController().signal);

/** An order that went well, whose content is erased 40 days later. `look`: a visit of the shop meanwhile. */
async function deliverOld(look: () => Promise<unknown>): Promise<void> {
  await deliver("900", { customerEmail: "first@example.com", customerPhone: "+12025550143" });
  await until("900", ({ state }) => state === "settled");
  shop.aheadMs += DAY_MS;
  await look();
  shop.aheadMs += 40 * DAY_MS;
  const contentBeforeMs = now() - 30 * DAY_MS;
  await shop.store.retention.eraseAged(
    "order-content",
    { ...RETENTION_LIMITS, nowMs: now(), contentBeforeMs },
    null,
  );
  expect((await shop.store.orders.get(keyOf("900")))?.mapped).toBeNull();
}

async function hold() {
  shop.level = "high";
  await deliver("1", { customerEmail: "first@example.com" });
  await until("1", ({ state, dueAtMs }) => state === "review" && (dueAtMs ?? 0) > now());
  return checkOf("1");
}

const report = async (requestId: string, email: string) => {
  const delivery = {
    tenant: TENANT,
    deliveryId: requestId,
    platform: "test",
    topic: "data",
    receivedAtMs: now(),
    body: Buffer.from("{}"),
    attempts: 0,
  };
  const task = { store: shop.store, now, logger: SILENT_LOGGER, delivery } as unknown as Parameters<
    typeof reportCustomer
  >[0];
  await reportCustomer(task, {
    kind: "report-customer",
    requestId,
    orderIds: [],
    customerId: undefined,
    email,
  });
  return JSON.parse((await shop.store.reports.get(TENANT, requestId)) ?? "null") as Record<string, unknown>;
};

describe("an earlier address whose order's content was erased", () => {
  it("is asked at if the policy keeps addresses", async () => {
    await savePolicy(KEEPING);
    await keep();
    await deliverOld(keep);
    const check = await hold();

    expect(check).toMatchObject({
      recipient: { address: "first@example.com", ofOrder: "#900" },
      isStrong: true,
    });
    expect(shop.mails.map(({ to }) => to)).toEqual(["first@example.com"]);
    expect(await report("r", "first@example.com")).toMatchObject({
      keptAddresses: [{ orderId: "900", email: "first@example.com", phone: "+12025550143" }],
    });
  });

  it("isn't known otherwise", async () => {
    await deliverOld(keep);

    expect((await hold())?.methods["earlier-address"]).toBe("no-earlier-order");
    expect(shop.mails).toEqual([]);
  });

  it("isn't kept of an order from before the policy said so", async () => {
    await deliverOld(async () => {
      await savePolicy(KEEPING);
      await keep();
      await keep();
    });

    expect((await hold())?.route).toBe("none");
  });

  it("is deleted when the policy keeps none any more, and isn't used before that", async () => {
    await savePolicy(KEEPING);
    await keep();
    await deliverOld(keep);
    const kept = () => shop.store.buyerChecks.findAddressesOf({ tenant: TENANT, orderIds: ["900"] });
    expect(await kept()).toHaveLength(1);
    await savePolicy(ASKING);

    expect((await hold())?.route).toBe("none");
    await keep();
    expect(await kept()).toEqual([]);
  });

  it("isn't kept of an order that wasn't paid by card", async () => {
    await savePolicy(KEEPING);
    await keep();
    await deliver("900", { customerEmail: "first@example.com", paymentInfo: undefined } as never);
    await until("900", ({ state }) => state === "settled");
    shop.aheadMs += DAY_MS;
    await keep();

    expect(await shop.store.buyerChecks.findAddressesOf({ tenant: TENANT, orderIds: ["900"] })).toEqual([]);
  });
});

it("a data request names the address that a question went to", async () => {
  await deliverEarlier({ customerEmail: "old@example.com" });
  await deliverHeld("1", { customerEmail: "old@example.com" });

  const { questionsToBuyer } = await report("r1", "OLD@example.com");
  expect(questionsToBuyer).toMatchObject([{ orderId: "1", address: "old@example.com", answer: null }]);
  expect((await report("r2", "other@example.com"))["questionsToBuyer"]).toEqual([]);
});

it("a data request never gives whoever placed an order an address that is older than the order", async () => {
  await deliverEarlier({ customerEmail: "new@example.com" });
  await deliverHeld("1", { customerEmail: "new@example.com" });
  const check = await checkOf("1");
  if (check === undefined) throw new Error("nobody was asked");
  const recipient = { kind: "email", address: "older@example.com", ofOrder: "#900" } as const;
  await shop.store.buyerChecks.update(check, { recipient });

  expect((await report("r1", "new@example.com"))["questionsToBuyer"]).toMatchObject([
    { orderId: "1", address: null },
  ]);
});
