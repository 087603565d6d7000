import { beforeEach, describe, expect, it } from "vitest";
import { createStripeCardCodes } from "../../adapters/stripe/index.ts";
import { toCode } from "../../src/buyer-check/card-code.ts";
import { createCardCodeEnding } from "../../src/pipeline/chores/card-code-ending.ts";
import { startCardCodeApi, type CardCodeApi } from "../adapters/stripe/card-code-api.ts";
import {
  ASKING,
  checkOf,
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
import { entry } from "../store/samples.ts";
import { createLogRecorder } from "../support/log-recorder.ts";

openBuyerShopForEach();

const MINUTE_MS = 60_000;
const ASKING_FOR_CODE = { ...ASKING, verify: { methods: ["card-code"] } } as const;
let api: CardCodeApi;
let log: ReturnType<typeof createLogRecorder>;

beforeEach(async () => {
  await savePolicy(ASKING_FOR_CODE);
  api = await startCardCodeApi();
  log = createLogRecorder();
  api.pay("pi_1");
  shop.platform.cardCodes = {
    ...createStripeCardCodes({ stripe: api.toClient() }),
    listPayments: async (_tenant, orderId) => [`pi_${orderId}`],
  };
});

const answer = (link: string, code: string, more: Record<string, string> = {}) =>
  post(link, { answer: "send", code, ...more }, "card-code");
const codeOf = async (orderId = "1") => {
  const check = await checkOf(orderId);
  if (check === undefined) throw new Error("nobody was asked");
  return toCode(shop.store.keyring, check);
};
const atRest = () => until("1", ({ state, dueAtMs }) => state === "review" && (dueAtMs ?? 0) > now());
const ended = () => api.bank.map(([what]) => what);

/** One round of the chore, some minutes later. */
async function endDue(minutes = 11): Promise<void> {
  shop.aheadMs += minutes * MINUTE_MS;
  const { store, platform } = shop;
  const parts = { store, platforms: [platform], owner: `app:${now()}`, now, logger: log.logger };
  await createCardCodeEnding(parts).run(new AbortController().signal);
}

describe("the buyer of an order whose card can show a code", () => {
  it("is sent a link to the order's own address, and releases the order with the code", async () => {
    const link = await deliverHeld("1");
    const page = await (await fetch(link)).text();
    const code = await codeOf();

    expect(shop.mails.map(({ to }) => to)).toEqual(["jane@example.com"]);
    expect(page).toContain('name="code"');
    expect(page).not.toContain("<script");
    expect(code).toMatch(/^[CDFGHJKMNPQRTVWXY]{6}$/);
    expect(api.codes()).toMatchObject([{ suffix: code, status: "requires_capture" }]);
    expect(page + JSON.stringify(shop.mails) + JSON.stringify(await checkOf("1"))).not.toContain(code);
    // A round in between takes nothing away that the buyer still needs.
    await endDue();
    expect(ended()).toEqual(["authorized"]);

    // As a bank's app shows it, or as people write it.
    expect((await answer(link, ` ${code.slice(0, 3).toLowerCase()} ${code.slice(3)}.`)).status).toBe(200);
    await until("1", ({ state }) => state === "settled");
    expect(shop.platform.enforced).toContainEqual(expect.objectContaining({ step: "release", orderId: "1" }));
    await endDue();
    expect(ended()).toEqual(["authorized", "released"]);
    expect(await shop.store.cardCodes.listDue(TENANT, Infinity, 10)).toEqual([]);
    // The code works once.
    expect((await answer(link, code)).status).toBe(404);
    expect(api.find("pi_1").status).toBe("requires_capture");
  });

  it("can guess five times, and then a person decides; the order is never canceled", async () => {
    const link = await deliverHeld("1");
    const code = await codeOf();
    const wrong = code === "CCCCCC" ? "DDDDDD" : "CCCCCC";

    expect((await answer(link, "")).status).toBe(422);
    const statuses = [];
    for (let guess = 0; guess < 5; guess += 1) statuses.push((await answer(link, wrong)).status);
    expect(statuses).toEqual([422, 422, 422, 422, 200]);
    expect(await checkOf("1")).toMatchObject({ tries: 4, answer: { answer: "wrong", method: "card-code" } });
    expect((await answer(link, code)).status).toBe(404);
    await endDue();

    expect(ended()).toEqual(["authorized", "released"]);
    expect((await shop.store.orders.get(keyOf("1")))?.state).toBe("review");
    expect(shop.platform.enforced.map(({ step }) => step)).not.toContain("cancel");
    expect(shop.platform.enforced.map(({ step }) => step)).not.toContain("release");
  });

  it("has no more guesses if they all arrive at once", async () => {
    const link = await deliverHeld("1");
    const code = await codeOf();
    const wrong = code === "CCCCCC" ? "DDDDDD" : "CCCCCC";
    const guesses = await Promise.all(Array.from({ length: 20 }, () => answer(link, wrong)));

    expect(guesses.filter(({ status }) => status !== 404).length).toBeLessThanOrEqual(5);
    expect((await answer(link, code)).status).toBe(404);
  });

  it("can say that the order isn't theirs", async () => {
    const link = await deliverHeld("1");

    expect((await post(link, { answer: "no" }, "card-code")).status).toBe(200);
    expect((await checkOf("1"))?.answer).toMatchObject({ answer: "wrong" });
  });

  it("can't use the code of another order, another tenant or an earlier state", async () => {
    api.pay("pi_2");
    const link = await deliverHeld("1");
    await deliverHeld("2");
    const own = await checkOf("1");
    if (own === undefined) throw new Error("nobody was asked");
    const { keyring } = shop.store;
    const other = toCode(keyring, { ...own, tenant: "test:other" });
    expect(new Set([await codeOf("1"), await codeOf("2"), other]).size).toBe(3);
    for (const code of [await codeOf("2"), other]) expect((await answer(link, code)).status).toBe(422);

    const code = await codeOf("1");
    await deliver("1", { orderAmount: 4_000 }, "order-changed");
    await until("1", ({ decidedAtMs, state }) => state === "review" && decidedAtMs !== own.decidedAtMs);
    expect((await answer(link, code)).status).toBe(404);
    await atRest();
    // The card's holder sees one amount for each order.
    expect((await checkOf("1"))?.methods["card-code"]).toBe("already-used");
    await endDue();
    expect(api.bank.filter(([what]) => what === "released")).toHaveLength(1);
    expect(api.codes().map(({ status }) => status)).toEqual(["canceled", "requires_capture"]);
  });

  it("is also offered other ways, with one button to say no", async () => {
    await savePolicy({ ...ASKING, verify: { methods: ["earlier-address", "card-code", "evidence"] } });
    await deliverEarlier();
    const page = await (await fetch(await deliverHeld("1"))).text();

    expect(page.match(/value="no"/g)).toHaveLength(1);
    expect(page.match(/<form/g)).toHaveLength(3);
  });
});

describe("a code that can't be shown", () => {
  it("isn't offered by a platform that can't", async () => {
    shop.platform.cardCodes = undefined;
    shop.level = "high";
    await deliver("1");
    await atRest();

    expect(await checkOf("1")).toMatchObject({ methods: { "card-code": "platform-cannot" }, route: "none" });
  });

  it("isn't offered if a thief first tried an empty card of their own", async () => {
    api.try("pi_1", "own-card");
    shop.level = "high";
    await deliver("1");
    await atRest();

    expect((await checkOf("1"))?.methods["card-code"]).toBe("several-cards");
    expect(api.codes()).toEqual([]);
  });

  it("isn't offered once the bank refuses the amount, which ends at Stripe too", async () => {
    api.decline("insufficient_funds");
    shop.level = "high";
    await deliver("1");
    await atRest();

    expect(await checkOf("1")).toMatchObject({ methods: { "card-code": "no-payment" }, route: "none" });
    expect(shop.mails).toEqual([]);
    await endDue();
    expect(api.codes()).toMatchObject([{ status: "canceled" }]);
    expect(ended()).toEqual(["declined"]);
  });

  it.each(["GET intent", "GET charges", "create"])("is tried again later if %s fails", async (action) => {
    api.fail(action, 500);
    shop.level = "high";
    await deliver("1");
    await atRest();
    expect((await checkOf("1"))?.methods["card-code"]).toBe("try-again-later");
    shop.aheadMs += 6 * MINUTE_MS;
    await until("1", () => shop.mails.length === 1);

    expect((await answer(linkOf(shop.mails[0]), await codeOf())).status).toBe(200);
    expect(ended()).toEqual(["authorized"]);
  });
});

describe("the amount that shows a code", () => {
  it("is authorized once and given back, although Stripe's answers were lost each time", async () => {
    api.fail("confirm", "reset-after", "reset-after");
    api.fail("GET intent", 500);
    shop.level = "high";
    await deliver("1");
    await atRest();
    for (const minutes of [6, 31]) {
      shop.aheadMs += minutes * MINUTE_MS;
      await atRest();
    }
    expect((await checkOf("1"))?.methods["card-code"]).toBe(true);
    expect(ended()).toEqual(["authorized"]);

    shop.aheadMs += 8 * 24 * 60 * MINUTE_MS;
    await endDue();
    expect(ended()).toEqual(["authorized", "released"]);
  });

  it("is authorized once if the process dies between Stripe's answer and the store", async () => {
    const { cardCodes } = shop.platform;
    if (cardCodes === undefined) throw new Error("no codes");
    const { promise: died, resolve: die } = Promise.withResolvers<void>();
    const { promise: never } = Promise.withResolvers<never>();
    shop.platform.cardCodes = {
      ...cardCodes,
      async show(...given) {
        await cardCodes.show(...given);
        die();
        return never;
      },
    };
    shop.level = "high";
    await deliver("1");
    await died;
    await shop.stop();
    expect(await checkOf("1")).toMatchObject({ kept: {}, sends: 0 });
    shop.platform.cardCodes = cardCodes;
    // The dead process's lease ends.
    shop.aheadMs += 2 * MINUTE_MS;
    shop.start();
    await until("1", () => shop.mails.length === 1);

    expect(ended()).toEqual(["authorized"]);
    expect(api.codes()).toHaveLength(1);
    expect((await answer(linkOf(shop.mails[0]), await codeOf())).status).toBe(200);
  });

  it("is given back in the end although Stripe fails for a day, with one alert", async () => {
    const link = await deliverHeld("1");
    await answer(link, await codeOf());
    await until("1", ({ state }) => state === "settled");
    api.fail("cancel", ...Array.from({ length: 9 }, () => 503));
    for (let round = 0; round < 9; round += 1) await endDue(6 * 60 + 1);

    expect(ended()).toEqual(["authorized"]);
    expect(log.lines.filter(({ alert }) => alert === "card_amount_not_released")).toMatchObject([
      { tenant: TENANT, orderId: "1", reference: api.codes()[0]?.id },
    ]);
    expect(JSON.stringify(log.lines)).not.toMatch(/ada@|sk_test/);
    await endDue(6 * 60 + 1);
    expect(ended()).toEqual(["authorized", "released"]);
  });

  it.each<[string, () => Promise<unknown>]>([
    [
      "a person revokes the link",
      async () => {
        const check = await checkOf("1");
        if (check !== undefined) await shop.store.buyerChecks.update(check, { revokedAtMs: now() });
      },
    ],
    ["the link ends", async () => void (shop.aheadMs += 8 * 24 * 60 * MINUTE_MS)],
    [
      "the order's content is erased",
      () =>
        shop.store.retention.eraseOrders(
          { tenant: TENANT, orderIds: ["1"], customerId: undefined, email: undefined },
          entry("erased", now()),
        ),
    ],
  ])("is given back if %s", async (_what, happen) => {
    await deliverHeld("1");
    await happen();
    await endDue();

    expect(ended()).toEqual(["authorized", "released"]);
  });
});
