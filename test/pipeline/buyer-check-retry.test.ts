import { beforeEach, describe, expect, it } from "vitest";
import { html } from "../../src/buyer-check/html.ts";
import type { Beginning, BuyerMethod, Offer } from "../../src/buyer-check/method.ts";
import { toRetryMs } from "../../src/pipeline/buyer/begin-methods.ts";
import {
  ASKING,
  checkOf,
  deliver,
  deliverEarlier,
  deliverHeld,
  keyOf,
  now,
  openBuyerShopForEach,
  post,
  savePolicy,
  shop,
  until,
} from "../support/buyer-shop.ts";

openBuyerShopForEach();
beforeEach(async () => {
  await savePolicy({ ...ASKING, verify: { methods: ["earlier-address", "card-code"] } });
});

const MINUTE_MS = 60_000;
const LATER = { possible: false, reason: "try-again-later" } as const;

/** A method that answers each question about it with the next of these, and with the last from then on. */
function createCode(
  offers: readonly Offer[],
  beginnings: readonly Beginning[] = [{ outcome: "begun", kept: "code" }],
) {
  const calls = { offers: 0, begun: [] as string[] };
  const method: BuyerMethod = {
    name: "card-code",
    offer: async () => offers[Math.min((calls.offers += 1), offers.length) - 1] ?? LATER,
    begin: async (_asked, checkId) => {
      const next = beginnings[Math.min(calls.begun.push(checkId), beginnings.length) - 1];
      return next ?? { outcome: "not-possible", reason: "platform-cannot" };
    },
    form: (_shown, action) => html`<form method="post" action="${action}" id="code"></form>`,
    judge: async () => ({ outcome: "answered", answer: "right" }),
  };
  return { calls, method };
}

const atRest = () => until("1", ({ state, dueAtMs }) => state === "review" && (dueAtMs ?? 0) > now());

async function hold(): Promise<void> {
  shop.level = "high";
  await deliver("1");
  await atRest();
}

async function wait(minutes: number): Promise<void> {
  shop.aheadMs += minutes * MINUTE_MS;
  await atRest();
}

describe("a way to answer that isn't possible for now", () => {
  it("is tried again, and the link sent once it's possible", async () => {
    const { calls, method } = createCode([LATER, LATER, { possible: true }]);
    shop.more = [method];
    await hold();

    expect(await checkOf("1")).toMatchObject({ route: "none", recipient: null, sendAtMs: null, retries: 0 });
    await wait(6);
    expect(await checkOf("1")).toMatchObject({ route: "none", retries: 1 });
    expect(shop.mails).toEqual([]);
    await wait(31);

    expect(await checkOf("1")).toMatchObject({
      methods: { "card-code": true },
      route: "email",
      recipient: { address: "jane@example.com" },
      kept: { "card-code": "code" },
      retryAtMs: null,
      retries: 2,
    });
    expect(shop.mails).toHaveLength(1);
    expect(calls).toMatchObject({ offers: 3, begun: [(await checkOf("1"))?.checkId] });
    const asked = (await shop.store.orders.listTimeline(keyOf("1"))).filter(
      ({ kind }) => kind === "buyer-asked",
    );
    expect(asked.map(({ detail }) => detail)).toEqual(["", "card-code"]);
    expect(await shop.store.buyerChecks.list(keyOf("1"))).toHaveLength(1);
  });

  it("is added to a link that was sent for another way, without another message", async () => {
    const { calls, method } = createCode(
      [{ possible: true }],
      [
        { outcome: "not-possible", reason: "try-again-later" },
        { outcome: "begun", kept: "code" },
      ],
    );
    shop.more = [method];
    await deliverEarlier();
    const link = await deliverHeld("1");
    await atRest();
    expect(await (await fetch(link)).text()).not.toContain('id="code"');
    await wait(6);

    const page = await (await fetch(link)).text();
    expect(page).toContain('id="code"');
    expect(page).toContain("earlier-address");
    expect(shop.mails).toHaveLength(1);
    expect(new Set(calls.begun).size).toBe(1);
    expect((await post(link, {}, "card-code")).status).toBe(200);
    await until("1", ({ state }) => state === "settled");
  });

  it("isn't added to a link that went to another address", async () => {
    const { method } = createCode([
      LATER,
      { possible: true, recipient: { kind: "email", address: "b@example.net" } },
    ]);
    shop.more = [method];
    await deliverEarlier();
    await deliverHeld("1");
    await atRest();
    const check = await checkOf("1");
    if (check === undefined) throw new Error("nobody was asked");
    await shop.store.buyerChecks.update(check, { recipient: { kind: "email", address: "a@example.net" } });
    await wait(6);

    expect(await checkOf("1")).toMatchObject({
      methods: { "card-code": "try-again-later" },
      recipient: { address: "a@example.net" },
      retries: 1,
    });
  });

  it("is tried again four times, and then a person decides", async () => {
    const { calls, method } = createCode([LATER]);
    shop.more = [method];
    await hold();
    for (const minutes of [6, 31, 121, 361]) await wait(minutes);
    expect(await checkOf("1")).toMatchObject({ retries: 4, retryAtMs: null });
    await wait(24 * 60);

    expect(calls.offers).toBe(5);
    expect(shop.mails).toEqual([]);
  });

  it.each<[string, (link: string) => Promise<unknown>]>([
    ["the buyer answered another way", (link) => post(link, { answer: "no" })],
    [
      "the link was revoked",
      async () => {
        const check = await checkOf("1");
        if (check !== undefined) await shop.store.buyerChecks.update(check, { revokedAtMs: now() });
      },
    ],
  ])("isn't tried again after %s", async (_what, happen) => {
    const { calls, method } = createCode([LATER]);
    shop.more = [method];
    await deliverEarlier();
    const link = await deliverHeld("1");
    await atRest();
    const before = calls.offers;
    await happen(link);
    await wait(6);
    await wait(31);

    expect(calls.offers).toBe(before);
  });

  it("isn't tried again when the hold's deadline comes first", () => {
    const methods = {
      "earlier-address": "no-earlier-order",
      "card-code": "try-again-later",
      evidence: "not-chosen",
    } as const;
    const at = (retries: number, expiresAtMs: number) => toRetryMs(methods, { retries, expiresAtMs }, 1_000);

    expect(at(0, 1_000 + 5 * MINUTE_MS + 1)).toBe(1_000 + 5 * MINUTE_MS);
    expect(at(0, 1_000 + 5 * MINUTE_MS)).toBeNull();
    expect(at(4, Infinity)).toBeNull();
    expect(
      toRetryMs({ ...methods, "card-code": "platform-cannot" }, { retries: 0, expiresAtMs: Infinity }, 0),
    ).toBeNull();
  });
});
