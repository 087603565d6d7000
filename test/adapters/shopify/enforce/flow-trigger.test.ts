import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createEnforce } from "../../../../adapters/shopify/enforce/enforce.ts";
import {
  createFlowTrigger,
  FLOW_TRIGGER_HANDLE,
  toFlowPayload,
} from "../../../../adapters/shopify/enforce/flow-trigger.ts";
import type { EnforcementStep, EnforcementTarget } from "../../../../src/adapter-kit.ts";
import type { Logger } from "../../../../src/index.ts";
import {
  API_KEY,
  createDecision,
  createResult,
  createTarget,
  ORDER_ID,
  startFixture,
} from "../admin-fixture.ts";

const SHORT_ID = "5123456789012";

async function startShop(options: { readonly deployed?: boolean; readonly timeoutMs?: number } = {}) {
  const fixture = await startFixture();
  const { shop, client, clock } = fixture;
  if (options.deployed !== false) shop.flowTriggers = [FLOW_TRIGGER_HANDLE];
  shop.addOrder({ orderId: SHORT_ID });
  const warnings: [fields: object, message: string][] = [];
  const logger = {
    debug() {},
    warn: (fields: object, message: string) => void warnings.push([fields, message]),
  } as Logger & { debug(): void };
  const onAssessed = createFlowTrigger({ apiKey: API_KEY, client, logger, timeoutMs: options.timeoutMs });
  const take = createEnforce(client, clock.now, onAssessed);
  const enforce = (step: EnforcementStep, target: Partial<EnforcementTarget> = {}) =>
    take(step, { ...createTarget(), orderId: SHORT_ID, ...target });
  return { ...fixture, enforce, warnings };
}

describe("createFlowTrigger", () => {
  it("starts the merchant's workflows when an assessment was written, with the data that they need", async () => {
    const { enforce, shop } = await startShop();

    expect(await enforce("assess")).toEqual({ outcome: "done", detail: "assessed HIGH" });

    expect(shop.workflows).toEqual([
      {
        handle: "holdfast-decided",
        payload: {
          order_id: 5_123_456_789_012,
          "Risk level": "high",
          "Risk score": 72,
          Action: "hold",
          Reasons: "Free mail; Mismatch",
          "Details URL": `https://demo.myshopify.com/admin/apps/${API_KEY}/orders/${SHORT_ID}`,
        },
      },
    ]);
  });

  it("starts them once, however often the step is taken", async () => {
    const { enforce, shop, count } = await startShop();

    for (let time = 0; time < 3; time += 1) await enforce("assess");

    expect(shop.workflows).toHaveLength(1);
    expect(count("FireFlowTrigger")).toBe(1);
  });

  it("starts them again for another judgment of the same order", async () => {
    const { enforce, shop } = await startShop();

    await enforce("assess");
    await enforce("assess", {
      result: createResult({ riskLevel: "low" }),
      decision: createDecision({ action: "allow" }),
    });

    expect(shop.workflows.map(({ payload }) => (payload as { Action: string }).Action)).toEqual([
      "hold",
      "allow",
    ]);
  });

  it.each(["reset-after-effect", "reset"] as const)(
    "starts none a second time when its own call ends with %s",
    async (fault) => {
      const { enforce, shop, emulator, warnings } = await startShop();
      emulator.fail(1, fault, { operation: "FireFlowTrigger" });

      expect(await enforce("assess")).toMatchObject({ outcome: "done" });
      expect(await enforce("assess")).toMatchObject({ outcome: "done" });

      expect(shop.workflows.length).toBeLessThanOrEqual(1);
      expect(warnings).toHaveLength(1);
    },
  );

  it("starts no workflow rather than two when it is unknown whether the assessment was written", async () => {
    const { enforce, shop, emulator } = await startShop();
    emulator.fail(1, "reset-after-effect", { operation: "CreateAssessment" });

    await expect(enforce("assess")).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE" });
    expect(await enforce("assess")).toMatchObject({ outcome: "done" });

    expect(shop.order(SHORT_ID).assessments).toHaveLength(1);
    expect(shop.workflows).toEqual([]);
  });

  it("leaves enforcement alone when its extension isn't deployed", async () => {
    const { enforce, warnings } = await startShop({ deployed: false });

    expect(await enforce("assess")).toEqual({ outcome: "done", detail: "assessed HIGH" });

    expect(warnings).toEqual([
      [
        { tenant: "shopify:demo.myshopify.com", orderId: SHORT_ID },
        "Shopify Flow rejected the trigger. Check that the flow-trigger extension is deployed",
      ],
    ]);
  });

  it("doesn't delay enforcement when Shopify doesn't answer", async () => {
    const { enforce, emulator, warnings } = await startShop({ timeoutMs: 100 });
    emulator.fail(1, "hang", { operation: "FireFlowTrigger" });

    expect(await enforce("assess")).toMatchObject({ outcome: "done" });

    expect(warnings).toHaveLength(1);
  });

  it.each(["tag", "hold", "release", "untag"] as const)("isn't used in %s", async (step) => {
    const { enforce, shop, count } = await startShop();

    await enforce(step);

    expect([shop.workflows.length, count("FireFlowTrigger")]).toEqual([0, 0]);
  });

  it("starts nothing for an order that wasn't checked or was guessed, that the shop doesn't have, or that has shipped", async () => {
    const { enforce, shop, count, warnings } = await startShop();

    await enforce("assess", { result: null });
    const guess = { riskLevel: "low", riskScore: 5, missing: [] } as const;
    await enforce("assess", { decision: createDecision({ guess }) });
    await enforce("assess", { orderId: "404" });
    shop.fulfillOrder(SHORT_ID);
    await enforce("assess");

    expect([count("FireFlowTrigger"), warnings]).toEqual([0, []]);
  });

  it("is off unless it is requested", async () => {
    const { enforce, count, shop } = await startFixture();
    shop.addOrder({ orderId: ORDER_ID });

    await enforce("assess");

    expect(count("FireFlowTrigger")).toBe(0);
  });
});

describe("toFlowPayload", () => {
  it("writes no id that a JavaScript number cannot hold as a number", () => {
    expect(toFlowPayload(API_KEY, createTarget({ orderId: ORDER_ID }))?.order_id).toBe(ORDER_ID);
  });

  it("stays far below Shopify's limit", () => {
    const long = "😀".repeat(5_000);
    const factor = {
      factor: long,
      description: long,
      severity: "high" as const,
      category: "customer" as const,
    };
    const result = createResult({ riskFactors: Array.from({ length: 50 }, () => factor), reasoning: long });
    const payload = toFlowPayload(API_KEY, createTarget({ result }));

    expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThan(50_000 / 10);
    expect(payload?.Reasons.isWellFormed()).toBe(true);
  });

  it("says nothing about the order's risk that the answer didn't say", () => {
    const payload = toFlowPayload(API_KEY, createTarget());
    expect(Object.keys(payload ?? {})).toEqual([
      "order_id",
      "Risk level",
      "Risk score",
      "Action",
      "Reasons",
      "Details URL",
    ]);
  });
});

describe("the trigger's extension", () => {
  const [path = ""] = globSync("extensions/flow-trigger/shopify.extension.toml");
  const toml = readFileSync(path, "utf8");

  it("has the handle that the app calls", () => {
    expect(toml).toMatch(/^type = "flow_trigger"$/m);
    expect(/^handle = "([^"]+)"$/m.exec(toml)?.[1]).toBe(FLOW_TRIGGER_HANDLE);
    // Shopify's limits.
    expect(FLOW_TRIGGER_HANDLE).toMatch(/^[a-z0-9-]{1,30}$/);
  });

  it("has exactly the fields that the app sends", () => {
    const fields = toml.split("[[settings.fields]]").slice(1);
    const keys = fields.map((field) => /^key = "([^"]+)"$/m.exec(field)?.[1] ?? "order_id");
    expect(keys).toEqual(Object.keys(toFlowPayload(API_KEY, createTarget()) ?? {}));
    for (const key of keys.slice(1)) expect(key).toMatch(/^[A-Za-z ]+$/);
    expect(fields[0]).toContain('type = "order_reference"');
  });
});
