import { expect, it } from "vitest";
import { countQuestions } from "../../../src/pipeline/report/buyer-figures.ts";
import { BUYER_FILTERS } from "../../../src/store/store.ts";
import {
  deliverEarlier,
  deliverHeld,
  keyOf,
  now,
  openBuyerShopForEach,
  post,
  shop,
  TENANT,
  until,
} from "../../support/buyer-shop.ts";

openBuyerShopForEach();

it("counts the orders whose buyers were asked, and what came of it, in the period, and lists them by answer", async () => {
  await deliverEarlier();
  const sinceMs = now();
  const links = {
    silent: await deliverHeld("silent"),
    right: await deliverHeld("right"),
    wrong: await deliverHeld("wrong"),
  };
  await post(links.right, { answer: "yes" });
  await post(links.wrong, { answer: "no" });
  await until("right", ({ state }) => state === "settled");
  const count = (window = { sinceMs, untilMs: now() + 1 }, tenant = TENANT) =>
    countQuestions(shop.store, tenant, window);
  const figures = { asked: 3, answered: 2, right: 1, released: 1, chargedBack: 0 };
  expect(await count()).toEqual(figures);

  const dispute = {
    disputeId: "d",
    orderId: "right",
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
  await shop.store.outcomes.recordDispute(keyOf("right"), dispute, entry);
  expect(await count()).toEqual({ ...figures, chargedBack: 1 });
  const none = { asked: 0, answered: 0, right: 0, released: 0, chargedBack: 0 };
  expect(await count({ sinceMs: sinceMs - 1, untilMs: sinceMs })).toEqual(none);
  expect(await count(undefined, "test:other")).toEqual(none);

  const listed = [];
  for (const buyer of BUYER_FILTERS) {
    const { orders } = await shop.store.orders.list(TENANT, { buyerAnswer: buyer, limit: 10 });
    listed.push([buyer, orders.map(({ orderId }) => orderId)]);
  }
  expect(listed).toEqual([
    ["asked", ["silent"]],
    ["right", ["right"]],
    ["wrong", ["wrong"]],
    ["for-person", []],
  ]);
  const traces = await shop.store.outcomes.loadTraces(TENANT, ["silent", "right", "wrong", "900"]);
  expect(["silent", "right", "wrong", "900"].map((orderId) => traces.get(orderId)?.buyer)).toEqual([
    "asked",
    "right",
    "wrong",
    undefined,
  ]);
});
