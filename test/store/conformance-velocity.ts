import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import type { RetentionLimits } from "../../src/store/retention/retention.ts";
import type { ShopKeys } from "../../src/engine/velocity/shop-keys.ts";
import { toMailboxKey } from "../../src/engine/velocity/keys.ts";
import type { VelocityStore } from "../../src/engine/velocity/velocity-store.ts";
import { velocityKeys as keys } from "../support/velocity.ts";
import type { OpenStore } from "./conformance.ts";
import { entry, MINUTE_MS, OTHER_TENANT, T0, TENANT } from "./samples.ts";

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What every {@link VelocityStore} guarantees. */
export function describeVelocityCounts(open: () => Promise<VelocityStore>): void {
  let velocity: VelocityStore;

  beforeEach(async () => {
    velocity = await open();
  });
  const record = (orderKey: string, changes: Parameters<typeof keys>[0] = {}, atMs = T0, tenant = TENANT) =>
    velocity.record(tenant, orderKey, keys(changes), atMs);

  it("counts the order itself, and reports nothing for keys that it lacks", async () => {
    expect(
      await record("1", { mailbox: "m", email: "m", network: "n", card: "c", billingPostcode: "p" }),
    ).toEqual({
      emailOrders1h: 1,
      ipEmails24h: 1,
      cardEmails7d: 1,
      addressEmails7d: undefined,
      emailCards24h: 1,
      emailBillingPostcodes7d: 1,
      cardBillingPostcodes7d: 1,
      billingPlaces7d: 1,
      ipStrangers24h: 1,
      cardStrangers7d: 1,
    });
    expect(Object.values(await record("2")).every((count) => count === undefined)).toBe(true);
  });

  it("counts an hour, a day and a week back from the order's own time, excluding the far end", async () => {
    const order = (mailbox: string) => ({
      mailbox: "m",
      email: mailbox,
      network: "n",
      card: "c",
      address: "a",
    });
    await record("week", order("1"), T0 - 7 * DAY_MS);
    await record("in-week", order("2"), T0 - 7 * DAY_MS + 1);
    await record("day", order("3"), T0 - DAY_MS);
    await record("in-day", order("4"), T0 - DAY_MS + 1);
    await record("hour", order("5"), T0 - HOUR_MS);
    await record("in-hour", order("6"), T0 - HOUR_MS + 1);
    await record("later", order("7"), T0 + 1);

    expect(await record("now", order("8"))).toMatchObject({
      emailOrders1h: 2,
      ipEmails24h: 4,
      cardEmails7d: 6,
      addressEmails7d: 6,
    });
  });

  it("counts cards and billing postcodes of a mailbox, and postcodes of a card", async () => {
    await record("1", { mailbox: "m", card: "c1", billingPostcode: "p1" });
    await record("2", { mailbox: "m", card: "c2", billingPostcode: "p2" });
    await record("3", { mailbox: "m", card: "c2", billingPostcode: "p1" });

    expect(await record("4", { mailbox: "m", card: "c2", billingPostcode: "p3" })).toMatchObject({
      emailCards24h: 2,
      emailBillingPostcodes7d: 3,
      cardBillingPostcodes7d: 3,
    });
    expect(await record("5", { mailbox: "m" })).toMatchObject({ emailCards24h: 2 });
  });

  it("counts addresses of a mailbox and of a card, and names of a mailbox", async () => {
    await record("1", { mailbox: "m", card: "c", address: "a1", kin: "aaaaaaaa bbbbbbbb +cccccccc" });
    await record("2", { mailbox: "m", card: "c", address: "a2", kin: "aaaaaaaa bbbbbbbb" });

    expect(await record("3", { mailbox: "m", card: "c", address: "a3", kin: "dddddddd" })).toMatchObject({
      emailAddresses7d: 3,
      cardAddresses7d: 3,
      emailNames7d: 2,
    });
  });

  it("leaves out relatives, colleagues and known people, and nobody else", async () => {
    const at = (email: string, kin: string, manner: "known" | "ordinary" | "away" | "odd") =>
      ({ email, card: `c-${email}`, network: "n", address: "a", kin, manner }) as const;
    await record("1", at("1", "aaaaaaaa bbbbbbbb", "odd"));
    await record("2", at("2", "cccccccc +dddddddd", "odd"));
    for (const stranger of ["3", "4", "5", "6"])
      await record(stranger, at(stranger, `ffff000${stranger}`, "odd"));
    const told = { addressEmails7d: 7, addressStrangers7d: 5, addressCards7d: 5, ipStrangers24h: 5 };
    expect(await record("7", at("7", "aaaaaaaa eeeeeeee +dddddddd", "ordinary"))).toMatchObject(told);

    await record("8", at("8", "ffff0008", "known"));
    expect(await record("7", at("7", "aaaaaaaa eeeeeeee +dddddddd", "ordinary"))).toMatchObject({
      addressEmails7d: 8,
      addressStrangers7d: 4,
      ipStrangers24h: 4,
    });
  });

  it("tells orders billed elsewhere from odd ones, and a plain order from its neighbors", async () => {
    const at = (email: string, manner: "away" | "odd" | "ordinary") =>
      ({ email, card: `c-${email}`, network: "n", address: "a", kin: `ffff000${email}`, manner }) as const;
    for (const stranger of ["1", "2", "3"]) await record(stranger, at(stranger, "away"));
    await record("4", at("4", "odd"));

    expect(await record("5", at("5", "away"))).toMatchObject({ addressStrangers7d: 5, ipStrangers24h: 5 });
    const plain = { ...at("6", "ordinary"), isPlain: true };
    expect(await record("6", plain)).toMatchObject({ addressStrangers7d: 2, ipStrangers24h: 2 });
    expect(await record("7", at("7", "away"))).toMatchObject({ addressStrangers7d: 6 });
  });

  it("never counts an order twice, and uses its newest keys and time", async () => {
    for (let time = 0; time < 5; time += 1) {
      expect(await record("1", { mailbox: "m", email: "m", network: "n" }, T0 + time)).toMatchObject({
        emailOrders1h: 1,
        ipEmails24h: 1,
      });
    }
    await record("1", { mailbox: "m", email: "m", network: "elsewhere" });

    expect(await record("2", { mailbox: "m", email: "other", network: "n" })).toMatchObject({
      emailOrders1h: 2,
      ipEmails24h: 1,
    });
  });

  it("counts orders without an id as one, since a basket may change while it is paid for", async () => {
    await record("content:1", { mailbox: "m", card: "c1" });
    await record("content:2", { mailbox: "m", card: "c2" });
    expect(await record("content:3", { mailbox: "m", card: "c3" })).toMatchObject({
      emailOrders1h: 1,
      emailCards24h: 3,
    });
    expect(await record("order:3", { mailbox: "m" })).toMatchObject({ emailOrders1h: 2 });
  });

  it("keeps tenants apart", async () => {
    await record("1", { mailbox: "m", email: "a", network: "n" });

    expect(await record("2", { mailbox: "m", email: "b", network: "n" }, T0, OTHER_TENANT)).toMatchObject({
      emailOrders1h: 1,
      ipEmails24h: 1,
    });
    expect(await record("1", { mailbox: "x", network: "x" }, T0, OTHER_TENANT)).toBeDefined();
    expect(await record("3", { mailbox: "m", email: "b", network: "n" })).toMatchObject({ ipEmails24h: 2 });
  });

  it("counts all hundred for the last of a hundred at once", async () => {
    const counts = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        record(`o${index}`, { mailbox: `m${index}`, email: `m${index}`, network: "n" }),
      ),
    );

    const told = counts.map(({ ipEmails24h }) => ipEmails24h ?? 0);
    expect(Math.max(...told)).toBe(100);
    expect(Math.min(...told)).toBeGreaterThanOrEqual(1);
    expect(counts.every(({ emailOrders1h }) => emailOrders1h === 1)).toBe(true);
  });

  it("counts one order that comes a hundred times at once as one", async () => {
    await Promise.all(Array.from({ length: 100 }, () => record("1", { mailbox: "m", email: "m" })));

    expect(await record("2", { mailbox: "m", email: "m" })).toMatchObject({ emailOrders1h: 2 });
  });

  it("stops at a hundred in a flood, and forgets nothing from before it", async () => {
    await record("before", { mailbox: "victim", email: "victim", card: "c", network: "n" }, T0 - HOUR_MS);
    for (let index = 0; index < 250; index += 1) {
      const customer = `m${index}`;
      const counts = await record(
        `o${index}`,
        { mailbox: customer, email: customer, network: "n" },
        T0 + index,
      );
      expect(counts.ipEmails24h).toBe(Math.min(index + 2, 100));
    }

    expect(
      await record("after", { mailbox: "other", email: "other", card: "c" }, T0 + HOUR_MS),
    ).toMatchObject({ cardEmails7d: 2 });
  });

  describe("for a shop", () => {
    const WEEK_MS = 7 * DAY_MS;
    const SHOP: ShopKeys = {
      currency: "USD",
      step: 24,
      goods: "socks",
      bin: "b1",
      network: "n1",
      isKnown: false,
    };
    const sell = (orderKey: string, changes: Partial<ShopKeys> = {}, atMs = T0, tenant = TENANT) =>
      velocity.record(tenant, orderKey, keys({ shop: { ...SHOP, ...changes } }), atMs);
    /** Orders of three weeks ago: each tenth of one size, half of them of known customers. */
    const sellUsual = async (count: number, changes: Partial<ShopKeys> = {}, tenant = TENANT) => {
      for (let index = 0; index < count; index += 1) {
        const usual = { step: index % 10, isKnown: index % 2 === 0, ...changes };
        await sell(`usual-${index}`, usual, T0 - 3 * WEEK_MS + index * MINUTE_MS, tenant);
      }
    };

    it("says nothing about a shop with fewer than a hundred orders, or that is new", async () => {
      await sellUsual(99);

      expect((await sell("1")).shop).toBeUndefined();
      for (let index = 0; index < 150; index += 1) await sell(`o${index}`, {}, T0, OTHER_TENANT);
      expect((await sell("next-day", {}, T0 + DAY_MS, OTHER_TENANT)).shop).toBeUndefined();
    });

    it("says where an amount lies among the usual ones, and how many orders share something", async () => {
      await sellUsual(200, { goods: "shirt", bin: "b2", network: "n2" });
      await sell("lately-1", { isKnown: true });
      await sell("lately-2", { step: 3 });

      expect((await sell("1", { step: 4, bin: "b2" })).shop).toEqual({
        usualOrders: 200,
        usualKnown: 100,
        recentOrders: 3,
        percentile: 45,
        top: 5.66,
        small: { newcomers: 2, known: 0, usual: 100 },
        goods: { newcomers: 2, known: 1, usual: 0 },
        bin: { newcomers: 1, known: 0, usual: 200 },
        network: { newcomers: 2, known: 1, usual: 0 },
      });
    });

    it("doesn't count the last hours as usual, nor earlier hours as the last ones", async () => {
      await sellUsual(100);
      for (let index = 0; index < 20; index += 1) await sell(`attack-${index}`);

      expect((await sell("1")).shop).toMatchObject({ usualOrders: 100, recentOrders: 21 });
      expect((await sell("2", {}, T0 + 7 * HOUR_MS)).shop).toMatchObject({
        usualOrders: 121,
        recentOrders: 1,
      });
    });

    it("counts an order once, however often it's recorded", async () => {
      await sellUsual(100);
      await sell("1");
      await sell("1", { step: 90 });

      expect((await sell("1")).shop).toMatchObject({ recentOrders: 1 });
    });

    it("compares an amount only with orders in its currency", async () => {
      await sellUsual(120);

      expect((await sell("1", { currency: "EUR" })).shop).toMatchObject({
        usualOrders: 120,
        recentOrders: 1,
      });
      expect((await sell("2", { currency: "EUR" })).shop).not.toHaveProperty("percentile");
    });

    it("keeps shops apart, and forgets what is older than five weeks", async () => {
      await sellUsual(120);
      await sellUsual(120, { bin: "b2" }, OTHER_TENANT);

      expect((await sell("1", { bin: "b2" })).shop?.bin).toEqual({ newcomers: 1, known: 0, usual: 0 });
      expect((await sell("2", {}, T0 + 6 * WEEK_MS)).shop).toBeUndefined();
    });
  });
}

/** Velocity as a part of a store. */
export function describeVelocity(open: OpenStore): void {
  describe("velocity", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());
    const record = (orderKey: string, changes: Parameters<typeof keys>[0] = {}, atMs = T0, tenant = TENANT) =>
      store.velocity.record(tenant, orderKey, keys(changes), atMs);
    const mailboxOf = (email: string): string => {
      const digest = (purpose: string, text: string) => store.keyring.digest(TENANT, purpose, text);
      return toMailboxKey(email, digest);
    };
    const erase = (changes: { orderIds?: readonly string[]; email?: string }) =>
      store.retention.eraseOrders(
        { tenant: TENANT, orderIds: [], customerId: undefined, email: undefined, ...changes },
        entry("erased"),
      );
    const limitsAt = (nowMs: number): RetentionLimits => ({
      nowMs,
      contentBeforeMs: 0,
      deliveriesBeforeMs: 0,
      awaitingBeforeMs: 0,
      ordersBeforeMs: 0,
      ledgerBeforeMs: 0,
      quotasBeforeMs: 0,
      passingBeforeMs: 0,
      circuitsBeforeMs: 0,
      entry: entry("erased"),
    });
    const eraseAged = (nowMs: number) => store.retention.eraseAged("velocity", limitsAt(nowMs), null);

    describe("counts", () => describeVelocityCounts(async () => store.velocity));

    it("forgets erased orders, and everything about an erased mailbox however it was written", async () => {
      const jane = { mailbox: mailboxOf("jane@shop.example"), email: "jane", network: "n" };
      await record("order:1", { ...jane, mailbox: "x", email: "x" });
      await record("content:2", jane);
      await record("order:3", { mailbox: "y", email: "y", network: "n" });
      await record("order:1", { mailbox: "z", email: "z", network: "n" }, T0, OTHER_TENANT);

      await erase({ orderIds: ["1"], email: " Jane+tag@Shop.example" });

      expect(await record("4", { mailbox: "w", email: "w", network: "n" })).toMatchObject({ ipEmails24h: 2 });
      const theirs = await record("5", { mailbox: "w", email: "w", network: "n" }, T0, OTHER_TENANT);
      expect(theirs.ipEmails24h).toBe(2);
    });

    it("forgets an erased tenant", async () => {
      await record("1", { mailbox: "m", email: "m" });
      await record("1", { mailbox: "m", email: "m" }, T0, OTHER_TENANT);

      await store.retention.eraseTenant(TENANT);

      expect(await record("2", { mailbox: "m" })).toMatchObject({ emailOrders1h: 1 });
      expect(await record("2", { mailbox: "m" }, T0, OTHER_TENANT)).toMatchObject({ emailOrders1h: 2 });
    });

    it("forgets a shop's counts with its tenant, and by age", async () => {
      const shop: ShopKeys = {
        currency: "USD",
        step: 3,
        goods: undefined,
        bin: "b",
        network: undefined,
        isKnown: false,
      };
      for (const tenant of [TENANT, OTHER_TENANT]) {
        for (let index = 0; index < 120; index += 1)
          await record(`o${index}`, { shop }, T0 - 21 * DAY_MS, tenant);
      }

      await store.retention.eraseTenant(TENANT);

      expect((await record("1", { shop })).shop).toBeUndefined();
      expect((await record("1", { shop }, T0, OTHER_TENANT)).shop).toMatchObject({ usualOrders: 120 });
      const limits = { ...limitsAt(T0 + 60 * DAY_MS), passingBeforeMs: 0 };
      // An order is three kinds of counters, by the hour and by the week: of two shops' last order and of the first ones.
      expect(await store.retention.eraseAged("shop-tallies", limits, null)).toEqual({
        erased: 18,
        next: null,
      });
    });

    it("forgets by age, a day after the end of its longest window", async () => {
      await record("1", { mailbox: "m" });
      await record("2", { mailbox: "m" }, T0 + 1);

      expect(await eraseAged(T0 + 8 * DAY_MS)).toEqual({ erased: 0, next: null });
      expect(await eraseAged(T0 + 8 * DAY_MS + 1)).toEqual({ erased: 1, next: null });
      expect(await eraseAged(T0 + 8 * DAY_MS + 2)).toEqual({ erased: 1, next: null });
    });

    it("forgets what is too old as orders come in, faster than they do, and for their tenant only", async () => {
      for (let index = 0; index < 60; index += 1)
        await record(`old-${index}`, { mailbox: `m${index}` }, T0 + index);
      await record("theirs", { mailbox: "m" }, T0, OTHER_TENANT);
      const laterMs = T0 + 9 * DAY_MS;
      for (let index = 0; index < 3; index += 1)
        await record(`new-${index}`, { mailbox: "m" }, laterMs + index);

      expect(await eraseAged(laterMs)).toEqual({ erased: 1, next: null });
    });

    it("stores no more of a flood than it counts", async () => {
      for (let from = 0; from < 400; from += 20) {
        await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            // One timestamp for all of them, as a sender may choose.
            record(`o${from + index}`, {
              mailbox: `m${from + index}`,
              email: `m${from + index}`,
              network: "n",
            }),
          ),
        );
      }

      const { erased } = await eraseAged(T0 + 9 * DAY_MS);
      // The first hundred weren't a flood yet.
      expect(erased).toBeGreaterThanOrEqual(100);
      expect(erased).toBeLessThanOrEqual(240);
    });
  });
}
