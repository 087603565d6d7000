import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toSourceName, toSources } from "../../src/store/credits/burst-brake.ts";
import type { LinkKind } from "../../src/order/link-kinds.ts";
import { toLinkKeys } from "../../src/engine/velocity/keys.ts";
import type { PartialVerificationRequest } from "../../src/order/request.ts";
import type { ErasureRequest, Store } from "../../src/store/store.ts";
import type { OpenStore } from "./conformance.ts";
import {
  attempt,
  claim,
  decision,
  delivery,
  entry,
  mapped,
  MINUTE_MS,
  order,
  OTHER_TENANT,
  result,
  T0,
  TENANT,
} from "./samples.ts";
import { someAtOnce } from "./some-at-once.ts";

const key = (orderId: string) => ({ tenant: TENANT, orderId });

export function describeErasure(open: OpenStore): void {
  describe("erasure", () => {
    let store: Store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    const wish = (changes: Partial<ErasureRequest> = {}): ErasureRequest => {
      return { tenant: TENANT, orderIds: [], customerId: undefined, email: undefined, ...changes };
    };
    const erase = async (changes: Partial<ErasureRequest>) =>
      (await store.retention.eraseOrders(wish(changes), entry("erased", T0 + 1))).toSorted();
    const receive = (orderId: string, changes: Parameters<typeof order>[1] = {}) =>
      store.orders.receive(order(orderId, changes), entry("received"));
    async function answer(fingerprint: string, orderId: string, tenant = TENANT): Promise<void> {
      const grant = await store.ledger.begin(attempt(fingerprint, { orderId, tenant }));
      if (grant.outcome !== "granted") throw new Error(grant.outcome);
      await store.ledger.finish(grant.attemptId, { state: "answered", result: result() }, T0);
    }

    it("removes an order's personal data and keeps its decision, ledger and history", async () => {
      await receive("1", { customerId: "c1" });
      await store.orders.claim(claim("p1"));
      await answer("fp", "1");
      await store.orders.save(key("1"), "p1", {
        changes: {
          state: "settled",
          result: result(),
          decision: decision(),
          fingerprint: "fp",
          dueAtMs: null,
        },
        release: true,
      });

      expect(await erase({ orderIds: ["1", "unknown"] })).toEqual(["1"]);

      expect(await store.orders.get(key("1"))).toMatchObject({
        mapped: null,
        result: null,
        customerId: null,
        decision: decision(),
        fingerprint: "fp",
        creditsSpent: 1,
      });
      expect(await store.ledger.findAnswer(TENANT, "fp", 0)).toBeNull();
      expect(await store.orders.listTimeline(key("1"))).toEqual([entry("received"), entry("erased", T0 + 1)]);
      expect(await erase({ orderIds: ["1"] })).toEqual([]);
    });

    it("forgets the velocity counts at the addresses of an erased order, and no others", async () => {
      const screened = mapped();
      if (screened.outcome !== "screenable") throw new Error("the sample is screenable");
      const request = { ...screened.request, ipAddress: "192.0.2.9" };
      const gone = toSources(request).map((source) => toSourceName(store.keyring, TENANT, source));
      const own = ["email:somebody-else"];
      let asked = 0;
      const ask = async (sources: readonly string[], tenant = TENANT) => {
        const burst = { limit: 1, atMs: T0, sources };
        const fingerprint = `burst-${(asked += 1)}`;
        return (await store.ledger.begin(attempt(fingerprint, { tenant, burst }))).outcome;
      };
      await receive("1", { mapped: { ...screened, request } });
      expect(await ask([...gone, ...own])).toBe("granted");
      expect(await ask(gone, OTHER_TENANT)).toBe("granted");

      await erase({ orderIds: ["1"] });

      expect(gone).toHaveLength(3);
      for (const name of gone) expect(await ask([name])).toBe("granted");
      expect(await ask(own)).toBe("braked");
      expect(await ask(gone, OTHER_TENANT)).toBe("braked");
      // Also by the address alone, after the order is gone.
      const [email = ""] = gone;
      await erase({ email: request.customerEmail });
      expect(await ask([email])).toBe("granted");
    });

    describe("of a customer on the policy's lists", () => {
      const digest = (purpose: string, text: string) => store.keyring.digest(TENANT, purpose, text);
      const known = { customerEmail: "jane@shop.example", customerPhone: "+49 151 2345 6789" };
      const janes = { outcome: "unscreenable", reason: "NO_NAME", known, test: false } as const;
      const toEntry = (kind: LinkKind, of: PartialVerificationRequest) => {
        const value = toLinkKeys(of, digest)[kind];
        if (value === undefined) throw new Error(`the sample has no ${kind}`);
        return {
          list: "block",
          kind,
          digest: value,
          label: `j…`,
          owner: "person:1",
          reason: "r",
          until: null,
        };
      };
      const save = (lists: readonly unknown[]) =>
        store.policies.save(TENANT, { lists, mode: "active" }, undefined, T0, "person:1");
      const toOthers = () => toEntry("mailbox", { customerEmail: "sam@shop.example" });

      it("removes her entries from all versions, in a new version that names nobody", async () => {
        await receive("1", { mapped: janes, customerId: "c1" });
        const [phone, mailbox, others] = [toEntry("phone", known), toEntry("mailbox", known), toOthers()];
        await save([phone]);
        await save([phone, others, mailbox]);

        await erase({ customerId: "c1" });

        const versions = await store.policies.list(TENANT, { before: null, limit: 10 });
        expect(versions.map(({ version, actor }) => [version, actor])).toEqual([
          [3, null],
          [2, "person:1"],
          [1, "person:1"],
        ]);
        const left = await Promise.all(versions.map(({ version }) => store.policies.get(TENANT, version)));
        expect(left.map((one) => one?.document)).toEqual([
          { lists: [others], mode: "active" },
          { lists: [others], mode: "active" },
          { lists: [], mode: "active" },
        ]);
        expect(await store.policies.save(TENANT, {}, 2, T0)).toBeNull();
        await erase({ customerId: "c1", orderIds: ["1"] });
        expect((await store.policies.load(TENANT))?.version).toBe(3);
      });

      it("removes rules that are snoozed for her from all versions", async () => {
        await receive("1", { mapped: janes, customerId: "c1" });
        const snooze = (entry: object) => ({ ...entry, list: "snooze", rule: "big", until: "2030-01-01" });
        const others = snooze(toOthers());
        await save([snooze(toEntry("mailbox", known)), others]);

        await erase({ customerId: "c1" });

        const left = await Promise.all([1, 2].map((version) => store.policies.get(TENANT, version)));
        expect(left.map((one) => one?.document)).toMatchObject([{ lists: [others] }, { lists: [others] }]);
      });

      it("leaves somebody else at her address and network no trust that was hers", async () => {
        const shared = {
          shippingAddress: { street: "5 Drop Lane", city: "Springfield", postalCode: "12345", country: "US" },
          ipAddress: "81.2.69.142",
        };
        const mapped = (of: PartialVerificationRequest) =>
          ({ outcome: "unscreenable", reason: "NO_NAME", known: of, test: false }) as const;
        const mallory = { ...shared, customerEmail: "mallory@shop.example" };
        await receive("1", { mapped: mapped(mallory), customerId: "c2" });
        await receive("2", { mapped: mapped({ ...shared, ...known }), customerId: "c1" });
        const blocked = toEntry("network", shared);
        const trusted = [toEntry("address", shared), toEntry("mailbox", known)].map((entry) => ({
          ...entry,
          list: "trust",
        }));
        await save([...trusted, blocked]);

        await erase({ customerId: "c1" });

        expect((await store.policies.load(TENANT))?.document).toMatchObject({ lists: [blocked] });
      });

      it("finds her even if the request has only her email address", async () => {
        const [phone, others] = [toEntry("phone", known), toOthers()];
        await save([toEntry("mailbox", known), phone, others]);
        await erase({ email: " JANE@shop.example " });
        expect((await store.policies.load(TENANT))?.document).toMatchObject({ lists: [phone, others] });
      });

      it("keeps entries that block somebody else at her address and network", async () => {
        const shared = {
          shippingAddress: { street: "5 Drop Lane", city: "Springfield", postalCode: "12345", country: "US" },
          ipAddress: "81.2.69.142",
        };
        const mallory = { ...shared, customerEmail: "mallory@shop.example" };
        const jane = { ...shared, ...known };
        const mapped = (of: PartialVerificationRequest) =>
          ({ outcome: "unscreenable", reason: "NO_NAME", known: of, test: false }) as const;
        // Hers first: a search that stops at her own order finds nobody else.
        await receive("1", { mapped: mapped(jane), customerId: "c1" });
        await receive("2", { mapped: mapped(mallory), customerId: "c2" });
        const places = [toEntry("address", shared), toEntry("network", shared)];
        const blocked = [...places, toEntry("mailbox", mallory)];
        await save([...blocked, toEntry("phone", known)]);

        await erase({ customerId: "c1" });
        expect((await store.policies.load(TENANT))?.document).toMatchObject({ lists: blocked });
        await erase({ customerId: "c2" });
        expect((await store.policies.load(TENANT))?.document).toMatchObject({ lists: [] });
      });

      it("removes two customers who are erased at once from all versions", async () => {
        const sams = { customerEmail: "sam@shop.example" };
        const toMapped = (of: PartialVerificationRequest) =>
          ({ outcome: "unscreenable", reason: "NO_NAME", known: of, test: false }) as const;
        await receive("1", { mapped: janes, customerId: "c1" });
        await receive("2", { mapped: toMapped(sams), customerId: "c2" });
        const lists = [toEntry("phone", known), toEntry("mailbox", sams)];
        for (let version = 1; version <= 10; version += 1) await save(lists);

        await Promise.all([erase({ customerId: "c1" }), erase({ customerId: "c2" })]);

        const versions = await store.policies.list(TENANT, { before: null, limit: 20 });
        const left = await Promise.all(versions.map(({ version }) => store.policies.get(TENANT, version)));
        expect(left.length).toBeGreaterThan(10);
        for (const one of left) expect(one?.document).toMatchObject({ lists: [] });
      });

      it("leaves other tenants' lists unchanged, and policies without lists", async () => {
        await receive("1", { mapped: janes, customerId: "c1" });
        await store.policies.save(TENANT, { mode: "shadow" }, undefined, T0);
        await store.policies.save(OTHER_TENANT, { lists: [toEntry("phone", known)] }, undefined, T0);
        await erase({ customerId: "c1" });
        expect(await store.policies.load(TENANT)).toMatchObject({ version: 1, document: { mode: "shadow" } });
        expect(await store.policies.load(OTHER_TENANT)).toMatchObject({ version: 1 });
      });
    });

    it("finds a customer's orders by id, by customer and by email in any case", async () => {
      await receive("by-id");
      await receive("by-customer", { customerId: "c1", mapped: mapped("other@shop.example") });
      await receive("by-email", { mapped: mapped("Jane.Example@Shop.example") });
      const known = { customerEmail: "JANE.EXAMPLE@shop.example" };
      await receive("unscreenable", {
        mapped: {
          outcome: "unscreenable",
          reason: "NO_NAME",
          known,
          test: false,
          recipientName: "Sam Sample",
          context: { customerTags: ["vip"], bin: "424242" },
        },
      });
      await receive("somebody-else", { customerId: "c2", mapped: mapped("jane.example@shop.example.org") });
      await receive("by-id", { tenant: OTHER_TENANT, customerId: "c1" });
      const request = { orderIds: ["by-id"], customerId: "c1", email: " jane.example@SHOP.example" };

      const found = await store.retention.findCustomerOrders(wish(request));
      expect(found.map((one) => one.orderId).toSorted()).toEqual([
        "by-customer",
        "by-email",
        "by-id",
        "unscreenable",
      ]);
      expect(found.find((one) => one.orderId === "unscreenable")?.request).toEqual({
        ...known,
        recipientName: "Sam Sample",
        context: { customerTags: ["vip"], bin: "424242" },
      });

      expect(await erase(request)).toEqual(["by-customer", "by-email", "by-id", "unscreenable"]);
      expect(await store.retention.findCustomerOrders(wish(request))).toEqual([]);
      expect(await store.orders.get(key("somebody-else"))).toMatchObject({ customerId: "c2" });
      expect(await store.orders.get({ tenant: OTHER_TENANT, orderId: "by-id" })).toMatchObject({
        mapped: mapped(),
      });
    });

    it("finds an order by an address that a later transition stored", async () => {
      await receive("1");
      await store.orders.claim(claim("p1"));
      await store.orders.save(key("1"), "p1", {
        changes: { mapped: mapped("late@shop.example") },
        release: true,
      });

      expect(await erase({ email: "jane@shop.example" })).toEqual([]);
      expect(await erase({ email: "late@shop.example" })).toEqual(["1"]);
    });

    it("finds an order by either form of an internationalized domain", async () => {
      await receive("1", { mapped: mapped("jane@xn--mller-kva.de") });

      expect(await erase({ email: "Jane@Müller.de" })).toEqual(["1"]);
    });

    it("removes deliveries that write an address as HTML-safe JSON, or with its domain in ASCII", async () => {
      const bodies = [String.raw`{"email":"a\u0026b@müller.de"}`, `{"email":"a&b@xn--mller-kva.de"}`];
      await store.deliveries.save(
        bodies.map((body, index) => delivery(`d${index}`, { body: Buffer.from(body) })),
      );

      await erase({ email: "a&b@müller.de" });

      const claimed = await store.deliveries.claim(claim("p1"));
      expect(claimed.map(({ deliveryId }) => deliveryId)).toEqual([]);
    });

    it("removes nothing when the request names no customer", async () => {
      await receive("1", { mapped: { outcome: "unscreenable", reason: "NO_EMAIL", known: {}, test: false } });

      expect(await erase({})).toEqual([]);
      expect(await erase({ email: "", customerId: "" })).toEqual([]);
      expect((await store.orders.get(key("1")))?.mapped).not.toBeNull();
    });

    it("removes more orders in one call than a statement allows", async () => {
      const ids = Array.from({ length: 1_100 }, (_, index) => `o${index}`);
      await someAtOnce(ids, (orderId) => receive(orderId, { mapped: mapped(`${orderId}@shop.example`) }));

      expect(await erase({ orderIds: ids })).toHaveLength(1_100);
    });

    it("doesn't let a worker that had the order write it back", async () => {
      await receive("1");
      await store.orders.claim(claim("p1"));
      await erase({ orderIds: ["1"] });

      const saved = await store.orders.save(key("1"), "p1", {
        changes: { mapped: mapped(), result: result(), decision: decision(), state: "decided" },
        release: true,
      });

      expect(saved).toBe("erased");
      expect(await store.orders.get(key("1"))).toMatchObject({
        mapped: null,
        result: null,
        state: "decided",
      });
      expect(await erase({ email: "jane@shop.example" })).toEqual([]);
    });

    it("discards an answer that comes after it", async () => {
      const grant = await store.ledger.begin(attempt("fp", { orderId: "1" }));
      if (grant.outcome !== "granted") throw new Error(grant.outcome);
      await erase({ orderIds: ["1"] });

      await store.ledger.finish(grant.attemptId, { state: "answered", result: result() }, T0 + 2);

      expect(await store.ledger.findAnswer(TENANT, "fp", 0)).toBeNull();
      const periods = { dayStartMs: 0, monthStartMs: 0 };
      expect(await store.ledger.creditUse(TENANT, periods)).toMatchObject({ spentToday: 1 });
    });

    it("discards an answer to a call that begins after it, and doesn't take the call for a failure", async () => {
      await receive("1");
      await erase({ orderIds: ["1"] });
      const again = attempt("fp", { orderId: "1", maxPaidAttempts: 9, retryAfterMs: 3_000 });
      const grant = await store.ledger.begin(again);
      if (grant.outcome !== "granted") throw new Error(grant.outcome);

      await store.ledger.finish(grant.attemptId, { state: "answered", result: result() }, T0 + 2);

      expect(await store.ledger.findAnswer(TENANT, "fp", 0)).toBeNull();
      expect(await store.ledger.begin(again)).toMatchObject({ outcome: "granted" });
    });

    it("removes stored answers of orders that only the ledger still has", async () => {
      await answer("fp1", "1");
      await answer("fp2", "1");
      await answer("fp3", "2");
      await answer("fp1", "1", OTHER_TENANT);

      expect(await erase({ orderIds: ["1"] })).toEqual(["1"]);

      expect(await store.ledger.findAnswer(TENANT, "fp1", 0)).toBeNull();
      expect(await store.ledger.findAnswer(TENANT, "fp2", 0)).toBeNull();
      expect(await store.ledger.findAnswer(TENANT, "fp3", 0)).not.toBeNull();
      expect(await store.ledger.findAnswer(OTHER_TENANT, "fp1", 0)).not.toBeNull();
    });

    it("removes waiting deliveries about the order or the customer, and no others", async () => {
      const bodies: Record<string, string> = {
        "by-id": `{"id":17,"email":null}`,
        "by-gid": `{"admin_graphql_api_id":"gid://shopify/Order/17"}`,
        "by-email": `{"email":"Jane@Shop.example"}`,
        "by-customer": `{"customer":{"id":4711}}`,
        "by-their-order": `{"id":99}`,
        "longer-id": `{"id":170}`,
        price: `{"total":"17.50","tax":"1.17"}`,
        "longer-email": `{"email":"jane@shop.example.org","other":"mary-jane@shop.example"}`,
      };
      await store.deliveries.save(
        Object.entries(bodies).map(([id, body]) => delivery(id, { body: Buffer.from(body) })),
      );
      await store.deliveries.save([
        delivery("theirs", { tenant: OTHER_TENANT, body: Buffer.from(`{"id":17}`) }),
        delivery("after", { receivedAtMs: T0 + 10, body: Buffer.from(`{"id":17}`) }),
      ]);
      await receive("99", { customerId: "4711" });

      await erase({
        orderIds: ["17"],
        customerId: "4711",
        email: "jane@shop.example",
        askedAtMs: T0 + 10,
      });

      const left = await store.deliveries.claim(claim("p1", { nowMs: T0 + 10 }));
      expect(left.map((one) => one.deliveryId).toSorted()).toEqual([
        "after",
        "longer-email",
        "longer-id",
        "price",
        "theirs",
      ]);
      expect(await store.deliveries.save([delivery("by-id")])).toEqual([false]);
    });

    it("removes deliveries about the order that wait for the shop to install the app", async () => {
      await store.deliveries.save([delivery("a", { body: Buffer.from(`{"id":17}`) })]);
      await store.deliveries.claim(claim("p1"));
      await store.deliveries.awaitInstallation({ tenant: TENANT, deliveryId: "a" }, "p1");

      await erase({ orderIds: ["17"] });

      expect(await store.deliveries.countAwaiting(TENANT)).toEqual({ ofTenant: 0, inAll: 0 });
    });

    it("leaves a delivery that is being processed to its owner", async () => {
      await store.deliveries.save([delivery("asking", { body: Buffer.from(`{"orders_to_redact":[17]}`) })]);
      await store.deliveries.claim(claim("p1"));

      await erase({ orderIds: ["17"] });

      const [again] = await store.deliveries.claim(claim("p2", { nowMs: T0 + MINUTE_MS }));
      expect(again?.deliveryId).toBe("asking");
    });

    it("removes reports about the customer", async () => {
      await store.reports.save(TENANT, "r1", `{"orders":[{"orderId":"17"}]}`, T0);
      await store.reports.save(TENANT, "r2", `{"orders":[{"orderId":"18"}]}`, T0);

      await erase({ orderIds: ["17"] });

      expect(await store.reports.list(TENANT)).toEqual([{ requestId: "r2", savedAtMs: T0 }]);
    });

    it("removes a tenant from every table and leaves the others", async () => {
      for (const tenant of [TENANT, OTHER_TENANT]) {
        await store.tenants.saveCredential(tenant, "shopify", "secret", "installed", T0);
        await store.deliveries.save([delivery("a", { tenant })]);
        await receive("1", { tenant });
        await answer("fp", "1", tenant);
        await store.ledger.recordSaving(tenant, "cached", 3, T0);
        await store.policies.save(tenant, { mode: "active" }, 0, T0);
        await store.reports.save(tenant, "r1", "report", T0);
        await store.leases.acquire(`credential:${tenant}`, "p1", T0, T0 + MINUTE_MS);
      }

      await store.retention.eraseTenant(TENANT);

      const periods = { dayStartMs: 0, monthStartMs: 0 };
      expect(await store.tenants.get(TENANT)).toBeNull();
      expect(await store.tenants.loadCredential(TENANT)).toBeNull();
      expect(await store.orders.get(key("1"))).toBeNull();
      expect(await store.orders.listTimeline(key("1"))).toEqual([]);
      expect(await store.ledger.findAnswer(TENANT, "fp", 0)).toBeNull();
      expect(await store.ledger.creditUse(TENANT, periods)).toEqual({
        spentToday: 0,
        spentMonth: 0,
        savedMonth: 0,
        savedByReason: {},
      });
      expect(await store.policies.load(TENANT)).toBeNull();
      expect(await store.reports.list(TENANT)).toEqual([]);
      expect(await store.leases.acquire(`credential:${TENANT}`, "p2", T0, T0 + 1)).toBe(true);
      expect(await store.deliveries.save([delivery("a")])).toEqual([true]);

      expect(await store.tenants.loadCredential(OTHER_TENANT)).toBe("secret");
      expect(await store.orders.get({ tenant: OTHER_TENANT, orderId: "1" })).toMatchObject({
        creditsSpent: 1,
      });
      expect(await store.ledger.creditUse(OTHER_TENANT, periods)).toEqual({
        spentToday: 1,
        spentMonth: 1,
        savedMonth: 3,
        savedByReason: { cached: 3 },
      });
      expect(await store.leases.acquire(`credential:${OTHER_TENANT}`, "p2", T0, T0 + 1)).toBe(false);
    });
  });
}
