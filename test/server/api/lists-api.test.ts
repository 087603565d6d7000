import { describe, expect, it } from "vitest";
import { AS_SHOP_A, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";

const TENANT = "fake:a.example";
const ENTRY = { orderId: "1", list: "block", kinds: ["mailbox"], reason: "chargeback", until: "2027-01-31" };

/** On a clock of its own, since a snooze may end at most a year from now. */
const startOnMonday = () => startConsole({ now: () => Date.UTC(2026, 10, 23, 12) });

function add(app: ConsoleApp, changes: object = {}) {
  const headers = { ...AS_SHOP_A, "content-type": "application/json" };
  return app.send("POST", "/api/policy/lists", { headers, body: JSON.stringify({ ...ENTRY, ...changes }) });
}

describe("POST /api/policy/lists", () => {
  it("adds an order's buyer to a list as a new version of the policy, by digest and masked label", async () => {
    const app = await startOnMonday();
    await keepOrder(app.store, "1");
    await app.store.policies.save(TENANT, {}, undefined, 1);

    const response = await add(app);
    const policy = (await response.json()) as { readonly lists: readonly object[] };
    const linked = await (await app.get("/api/orders/1/linked", AS_SHOP_A)).json();

    expect(response.status).toBe(200);
    expect(policy.lists).toEqual([
      {
        list: "block",
        kind: "mailbox",
        digest: expect.stringMatching(/^[\w-]{22}$/) as string,
        checkout: expect.stringMatching(/^[\w-]{8}$/) as string,
        label: "j***@***",
        owner: "person:7",
        reason: "chargeback",
        until: "2027-01-31",
      },
    ]);
    expect((await app.store.policies.load(TENANT))?.version).toBe(2);
    expect(linked).toMatchObject({ links: [{ kind: "mailbox", listed: "block" }, { listed: null }] });
    expect(app.log()).not.toMatch(/jane|chargeback/i);
  });

  it("replaces the entry with the same value", async () => {
    const app = await startOnMonday();
    await keepOrder(app.store, "1");
    await app.store.policies.save(TENANT, {}, undefined, 1);
    await add(app);

    const { lists } = (await (await add(app, { list: "trust" })).json()) as {
      readonly lists: readonly object[];
    };

    expect(lists).toMatchObject([{ list: "trust", kind: "mailbox" }]);
  });

  it("doesn't save a first policy, which would switch cancels on", async () => {
    const app = await startOnMonday();
    await keepOrder(app.store, "1");

    expect((await add(app)).status).toBe(409);
    expect(await app.store.policies.load(TENANT)).toBeNull();
  });

  it("refuses a value that the order doesn't have, and another tenant's order", async () => {
    const app = await startOnMonday();
    await keepOrder(app.store, "1");
    await keepOrder(app.store, "2", { tenant: "fake:b.example" });
    await app.store.policies.save(TENANT, {}, undefined, 1);

    expect((await add(app, { kinds: ["card"] })).status).toBe(409);
    expect((await add(app, { orderId: "2" })).status).toBe(404);
    expect((await add(app, { reason: " " })).status).toBe(422);
  });

  it("snoozes a rule for a customer, beside their other entries", async () => {
    const app = await startOnMonday();
    await keepOrder(app.store, "1");
    const rules = ["one", "other"].map((name) => ({
      name,
      when: { minAmount: 1 },
      then: { action: "hold" },
    }));
    await app.store.policies.save(TENANT, { rules }, undefined, 1);
    await add(app, { list: "trust" });
    const snooze = (rule: string, changes: object = {}) => add(app, { list: "snooze", rule, ...changes });

    await snooze("one");
    await snooze("other");
    const { lists } = (await (await snooze("one", { until: "2027-03-01" })).json()) as {
      readonly lists: readonly object[];
    };
    const linked = await (await app.get("/api/orders/1/linked", AS_SHOP_A)).json();

    expect(lists).toMatchObject([
      { list: "trust" },
      { list: "snooze", rule: "other", until: "2027-01-31", owner: "person:7" },
      { list: "snooze", rule: "one", until: "2027-03-01" },
    ]);
    expect(linked).toMatchObject({ links: [{ kind: "mailbox", listed: "trust" }, { listed: null }] });
  });

  it("refuses a snooze without a rule or end, or of a rule that is gone, and a rule on another list", async () => {
    const app = await startOnMonday();
    await keepOrder(app.store, "1");
    await app.store.policies.save(TENANT, {}, undefined, 1);
    const fields = async (changes: object) => {
      const response = await add(app, changes);
      const { errors = [] } = (await response.json()) as { errors?: readonly { readonly path: string }[] };
      return [response.status, ...errors.map(({ path }) => path)];
    };

    expect(await fields({ list: "snooze", until: null })).toEqual([422, "rule", "until"]);
    expect(await fields({ rule: "one" })).toEqual([422, "rule"]);
    expect(await fields({ list: "snooze", rule: "one" })).toEqual([409]);
    expect(await fields({ list: "snooze", rule: "one", kinds: ["network"] })).toEqual([422, "kind"]);
    for (const until of ["2001-01-01", "9999-12-31"])
      expect(await fields({ list: "snooze", rule: "one", until })).toEqual([422, "until"]);
  });

  it("accepts another entry if the lists are full of expired ones", async () => {
    const app = await startOnMonday();
    await keepOrder(app.store, "1");
    const over = Array.from({ length: 1_000 }, (_, index) => ({
      list: "trust",
      kind: "mailbox",
      digest: String(index).padStart(22, "d"),
      label: "j…",
      owner: "person:1",
      reason: "r",
      until: "2001-01-01",
    }));
    const kept = { ...over[0], until: null };
    await app.store.policies.save(TENANT, { lists: [kept, ...over.slice(1)] }, undefined, 1);

    const answer = await add(app, { list: "block" });

    expect(await answer.json()).toMatchObject({ lists: [kept, { list: "block" }] });
  });
});
