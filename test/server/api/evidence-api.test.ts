import { describe, expect, it } from "vitest";
import { HoldfastError } from "../../../src/base/errors.ts";
import type { EvidenceDraft, EvidenceForm, Shipping } from "../../../src/platform/evidence.ts";
import type { Dispute, Platform } from "../../../src/platform/platform.ts";
import { entry, RETENTION_LIMITS } from "../../store/samples.ts";
import { AS_SHOP_A, createFakePlatform, keepOrder, startConsole, type ConsoleApp } from "../console-app.ts";

const DAY_MS = 86_400_000;
const RAISED_MS = 1_700_000_000_000 + 10 * DAY_MS;
const KEY = { tenant: "fake:a.example", orderId: "1" };
const PARCEL = {
  sentAtMs: RAISED_MS - 8 * DAY_MS,
  deliveredAtMs: RAISED_MS - 5 * DAY_MS,
  carrier: "UPS",
  trackingNumbers: ["1Z1"],
};
const SENT: Shipping = { shipments: [PARCEL], hasMore: false, unsentUnits: 0 };

interface Shown {
  readonly statements: readonly {
    readonly section: string;
    readonly text: string;
    readonly source: string;
  }[];
  readonly missing: readonly { readonly what: string }[];
}
interface Preview {
  readonly version: string;
  readonly why: string | null;
  readonly fields: readonly { readonly field: string; readonly text: string; readonly kept: boolean }[];
}

async function start(changes: Partial<Platform> = {}) {
  const saved: EvidenceDraft[] = [];
  let form: EvidenceForm = { outcome: "open", filled: ["email"] };
  const platform = createFakePlatform({
    readShipments: async () => SENT,
    evidence: {
      read: async () => form,
      async saveDraft(_tenant, _disputeId, draft) {
        if (form.outcome === "closed") return { outcome: "refused", why: form.why };
        saved.push(draft);
        return { outcome: "saved", fields: ["statement"] };
      },
    },
    ...changes,
  });
  const app = await startConsole({ platforms: [platform] });
  await keepOrder(app.store, "1", { decided: { level: "low", action: "allow" } });
  return {
    app,
    saved,
    close: (why: Extract<EvidenceForm, { outcome: "closed" }>["why"]) => {
      form = { outcome: "closed", why };
    },
  };
}

const raise = (app: ConsoleApp, changes: Partial<Dispute> = {}, key = KEY) =>
  app.store.outcomes.recordDispute(
    key,
    {
      disputeId: "d1",
      orderId: "1",
      kind: "chargeback",
      status: "open",
      reason: "fraudulent",
      isFraud: true,
      initiatedAtMs: RAISED_MS,
      evidenceDueAtMs: RAISED_MS + DAY_MS,
      networkCode: "10.4",
      ...changes,
    },
    entry("dispute", RAISED_MS),
  );
const post = (app: ConsoleApp, what: "preview" | "draft", body: object) =>
  app.send("POST", `/api/orders/1/evidence/${what}`, {
    headers: { ...AS_SHOP_A, "content-type": "application/json" },
    body: JSON.stringify(body),
  });

describe("GET /api/orders/:orderId/evidence", () => {
  it("has what is known, each with its source, and says what is missing", async () => {
    const { app } = await start();
    await raise(app);

    const answer = await app.get("/api/orders/1/evidence", AS_SHOP_A);
    const pack = (await answer.json()) as Shown;

    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="evidence-1.json"');
    expect(pack.statements.map(({ section, source }) => `${section} ${source}`)).toEqual(
      expect.arrayContaining(["decision service", "match holdfast", "delivery platform"]),
    );
    const texts = pack.statements.map(({ text }) => text).join("\n");
    expect(texts).toMatch(
      /An order verification service checked the order on 2023-11-14 22:1\d UTC\. Its risk level: low/,
    );
    expect(texts).toContain("One parcel was delivered on 2023-11-19 with UPS, tracking number 1Z1.");
    expect(pack.missing.map(({ what }) => what)).toEqual(
      expect.arrayContaining(["communication", "device", "policies"]),
    );
    expect(pack.missing.map(({ what }) => what)).not.toContain("not-delivered");
  });

  it("says so if the shop can't be asked, or shows no shipment", async () => {
    const broken = await start({
      readShipments: async () => {
        throw new HoldfastError("PLATFORM_UNAVAILABLE", "down", { retryable: true });
      },
    });
    await raise(broken.app);
    const none = await start({ readShipments: async () => ({ ...SENT, shipments: [] }) });
    await raise(none.app);
    const missing = async (app: ConsoleApp) =>
      ((await (await app.get("/api/orders/1/evidence", AS_SHOP_A)).json()) as Shown).missing.map(
        ({ what }) => what,
      );

    expect(await missing(broken.app)).toContain("delivery-unreadable");
    expect(await missing(none.app)).toContain("not-sent");
  });

  it("has what is left once the order's content is erased", async () => {
    const { app } = await start();
    await raise(app);
    const owner = { tenant: KEY.tenant, orderIds: ["1"], customerId: undefined, email: undefined };
    await app.store.retention.eraseOrders(owner, entry("erased"));

    const text = await (await app.get("/api/orders/1/evidence", AS_SHOP_A)).text();

    expect(JSON.parse(text)).toMatchObject({ contents: null, missing: expect.arrayContaining([]) });
    expect(text).toContain("content-erased");
    expect(text).not.toContain("jane@example.com");
  });

  it("uses what the shop keeps of the order once its content was erased by age", async () => {
    const { app } = await start();
    const order = await app.store.orders.get(KEY);
    if (order === null || order.mapped?.outcome !== "screenable") throw new Error("expected the order");
    const paymentInfo = {
      brand: "Visa",
      lastFourDigits: "4242",
      expiry: "12/29",
      holderName: "Jane Example",
    };
    const placed = { ...order.mapped.request, ipAddress: "203.0.113.7", paymentInfo };
    for (const [orderId, days] of [
      ["2", 0],
      ["3", 200],
      ["4", 150],
    ] as const) {
      const receivedAtMs = RAISED_MS - days * DAY_MS;
      const orderTimestamp = new Date(receivedAtMs).toISOString();
      const mapped = { ...order.mapped, request: { ...placed, orderId, orderTimestamp } };
      const own = { ...KEY, orderId, platform: "fake", name: `#${orderId}`, customerId: undefined };
      await app.store.orders.receive(
        { ...own, receivedAtMs, mapped, amount: 5, currency: "USD" },
        entry("received"),
      );
      const received = await app.store.orders.get({ ...KEY, orderId });
      if (received !== null) await app.store.outcomes.keepOrder(received, 0);
    }
    const key = { ...KEY, orderId: "2" };
    await app.store.orders.claim({ owner: "p1", nowMs: RAISED_MS, leaseMs: DAY_MS, limit: 10 });
    const done = { state: "settled", dueAtMs: null, settledAtMs: RAISED_MS } as const;
    await app.store.orders.save(key, "p1", { changes: done, release: true });
    const aged = { ...RETENTION_LIMITS, nowMs: RAISED_MS, contentBeforeMs: RAISED_MS + 1, ordersBeforeMs: 0 };
    await app.store.retention.eraseAged("order-content", aged, null);
    await raise(app, { orderId: "2", initiatedAtMs: RAISED_MS + DAY_MS }, key);

    const pack = await (await app.get("/api/orders/2/evidence", AS_SHOP_A)).json();
    expect(pack).toMatchObject({
      contents: null,
      kept: { ip: "203.0.113.7" },
      earlier: { applies: "yes", orders: [{ orderId: "4" }, { orderId: "3" }] },
    });
    const answer = await app.send("POST", "/api/orders/2/evidence/preview", {
      headers: { ...AS_SHOP_A, "content-type": "application/json" },
      body: JSON.stringify({ disputeId: "d1" }),
    });
    const texts = ((await answer.json()) as Preview).fields.map(({ field, text }) => `${field}: ${text}`);
    expect(texts).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^email: .+@/),
        expect.stringMatching(/^accessLog: 2023-11-24 22:13 UTC: order #2 placed from the IP address 203/),
        expect.stringContaining("Earlier order #4"),
      ]),
    );
  });

  it("needs a dispute, a role and the own shop, and is in the access log", async () => {
    const { app } = await start();
    expect((await app.get("/api/orders/1/evidence", AS_SHOP_A)).status).toBe(409);
    await raise(app);
    expect((await app.get("/api/orders/1/evidence?dispute=other", AS_SHOP_A)).status).toBe(409);
    expect((await app.get("/api/orders/1/evidence?dispute=d1", AS_SHOP_A)).status).toBe(200);
    expect((await app.get("/api/orders/1/evidence")).status).toBe(401);
    expect((await app.get("/api/orders/2/evidence", AS_SHOP_A)).status).toBe(404);
    const { entries } = await app.store.accessLog.list(KEY.tenant, { limit: 10 });
    expect(entries).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ what: "evidence", subject: "1" })]),
    );
  });
});

describe("the draft of a dispute's evidence", () => {
  it("is shown first, and exactly that is saved", async () => {
    const { app, saved } = await start();
    await raise(app);
    const asked = { disputeId: "d1", communication: "  <b>Thanks!</b> She wrote on Monday.  " };

    const shown = (await (await post(app, "preview", asked)).json()) as Preview;
    const refused = await post(app, "draft", { ...asked, communication: "other", version: shown.version });
    const answer = await post(app, "draft", { ...asked, version: shown.version });

    expect(refused.status).toBe(412);
    expect(await answer.json()).toEqual({ saved: ["statement"] });
    expect(shown.why).toBeNull();
    expect(shown.fields.find(({ field }) => field === "email")).toMatchObject({ kept: true });
    const statement = shown.fields.find(({ field }) => field === "statement");
    expect(statement?.text).toMatch(/Communication with the buyer\n<b>Thanks!<\/b> She wrote on Monday\.$/);
    expect(saved).toHaveLength(1);
    expect(saved[0]).toMatchObject({ statement: statement?.text, firstName: "Jane", lastName: "Example" });
  });

  it.each(["not-allowed", "unknown", "submitted", "past-due", "invalid"] as const)(
    "says why it isn't saved: %s",
    async (why) => {
      const { app, saved, close } = await start();
      await raise(app);
      close(why);
      const shown = (await (await post(app, "preview", { disputeId: "d1" })).json()) as Preview;
      expect(shown.why).toBe(why);
      const answer = await post(app, "draft", { disputeId: "d1", version: shown.version });
      expect(answer.status).toBe(409);
      expect(((await answer.json()) as { detail: string }).detail.length).toBeGreaterThan(20);
      expect(saved).toEqual([]);
    },
  );

  it("has no form on other platforms", async () => {
    const { app } = await start({ evidence: undefined });
    await raise(app);
    const shown = (await (await post(app, "preview", { disputeId: "d1" })).json()) as Preview;
    expect(shown.why).toBe("no-form");
    expect((await post(app, "draft", { disputeId: "d1", version: shown.version })).status).toBe(409);
  });
});

describe("the settings of disputes", () => {
  const put = (app: ConsoleApp, disputes: object) =>
    app.send("PUT", "/api/settings", {
      headers: { ...AS_SHOP_A, "content-type": "application/json" },
      body: JSON.stringify({ disputes }),
    });

  it("are off at first, keep from the opt-in on, and delete what was kept when turned off", async () => {
    const { app } = await start();
    const on = (await (await put(app, { keepDays: 400 })).json()) as { disputes: { keptFrom: string } };
    const same = (await (await put(app, { keepDays: 500 })).json()) as { disputes: { keptFrom: string } };
    expect(same.disputes.keptFrom).toBe(on.disputes.keptFrom);

    let dropped = 0;
    const { outcomes } = app.store as { outcomes: { dropKept: (tenant: string) => Promise<number> } };
    const { dropKept } = outcomes;
    outcomes.dropKept = async (tenant) => {
      dropped += 1;
      return dropKept(tenant);
    };
    expect(await (await put(app, { keepDays: null })).json()).toMatchObject({
      disputes: { keepDays: null, keptFrom: null, limitShare: 0.015, limitCount: 1500 },
    });
    expect(dropped).toBe(1);
  });

  it.each([{ keepDays: 149 }, { keepDays: 541 }, { keepDays: 200.5 }, { limitShare: 0 }, { limitCount: 0 }])(
    "refuse %j",
    async (disputes) => {
      const { app } = await start();
      expect((await put(app, disputes)).status).toBe(422);
    },
  );
});
