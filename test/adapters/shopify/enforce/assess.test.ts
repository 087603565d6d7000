import { describe, expect, it } from "vitest";
import type { AdminClient } from "../../../../adapters/shopify/admin/admin-client.ts";
import type { Operations } from "../../../../adapters/shopify/operations/generated/operations.ts";
import { toAssessment } from "../../../../adapters/shopify/enforce/assess.ts";
import { createEnforce } from "../../../../adapters/shopify/enforce/enforce.ts";
import {
  createDecision,
  createResult,
  createTarget,
  ORDER_ID,
  startFixture,
  type AdminCall,
} from "../admin-fixture.ts";

async function startShop() {
  const fixture = await startFixture();
  const order = fixture.shop.addOrder({ orderId: ORDER_ID });
  return { ...fixture, order };
}

describe("assess", () => {
  it("writes the level and the reasons, worst first", async () => {
    const { enforce, order } = await startShop();

    expect(await enforce("assess")).toEqual({ outcome: "done", detail: "assessed HIGH" });
    expect(order.assessments).toMatchObject([
      {
        riskLevel: "HIGH",
        facts: [
          { description: "Mismatch: Countries differ.", sentiment: "NEGATIVE" },
          { description: "Free mail: A free mail provider.", sentiment: "NEUTRAL" },
          { description: "Two signals speak against the order.", sentiment: "NEUTRAL" },
        ],
      },
    ]);
  });

  it("has one effect however often it is taken", async () => {
    const { enforce, order, count } = await startShop();

    await enforce("assess");
    expect(await enforce("assess")).toMatchObject({ outcome: "done" });

    expect(order.assessments).toHaveLength(1);
    expect(count("CreateAssessment")).toBe(1);
  });

  it("has one effect when the connection breaks after it", async () => {
    const { enforce, order, emulator } = await startShop();
    emulator.fail(1, "reset-after-effect", { operation: "CreateAssessment" });

    await expect(enforce("assess")).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE", retryable: true });
    expect(await enforce("assess")).toMatchObject({ outcome: "done" });

    expect(order.assessments).toHaveLength(1);
  });

  it("doesn't mistake another app's assessment for its own", async () => {
    const { enforce, order } = await startShop();
    order.assessments.push({ riskLevel: "HIGH", facts: [], provider: "another-client-id" });

    await enforce("assess");

    expect(order.assessments).toHaveLength(2);
  });

  it("writes a new one when the judgement changed", async () => {
    const { enforce, order } = await startShop();

    await enforce("assess");
    await enforce("assess", { result: createResult({ riskLevel: "low" }) });

    expect(order.assessments.map(({ riskLevel }) => riskLevel)).toEqual(["HIGH", "LOW"]);
  });

  it("has nothing to do when the order was not checked", async () => {
    const { enforce, emulator } = await startShop();

    expect(await enforce("assess", { result: null })).toEqual({ outcome: "moot", reason: "not-judged" });
    expect(emulator.requests).toEqual([]);
  });

  it("has nothing to do once the order is fulfilled", async () => {
    const { enforce, order } = await startShop();
    for (const entry of order.fulfillmentOrders) entry.status = "CLOSED";

    expect(await enforce("assess")).toEqual({
      outcome: "moot",
      ended: "shipped",
      reason: "already-fulfilled",
    });
  });

  it.each(["404", "not-digits", ""])(
    "is impossible for an order that the shop doesn't have: %j",
    async (orderId) => {
      const { enforce } = await startShop();

      expect(await enforce("assess", { orderId })).toEqual({
        outcome: "impossible",
        reason: "order-not-found",
      });
    },
  );

  it.each([
    ["NOT_FOUND", "order-not-found"],
    ["TOO_MANY_FACTS", "refused-TOO_MANY_FACTS"],
  ])("is impossible when Shopify refuses it with %s", async (code, reason) => {
    const { client, clock } = await startShop();
    const refused: unknown = { orderRiskAssessmentCreate: { userErrors: [{ code }] } };
    const refusing: AdminClient = {
      request: async <K extends keyof Operations>(...call: AdminCall<K>) =>
        call[1] === "CreateAssessment"
          ? { data: refused as Operations[K]["data"], errors: [] }
          : client.request(...call),
    };

    const outcome = await createEnforce(refusing, clock.now)("assess", createTarget());

    expect(outcome).toEqual({ outcome: "impossible", reason });
  });

  it("is refused without the permission, for a person to see", async () => {
    const { enforce, shop } = await startShop();
    shop.deny("Mutation.orderRiskAssessmentCreate");

    await expect(enforce("assess")).rejects.toMatchObject({ code: "PLATFORM_REFUSED", retryable: false });
  });
});

describe("toAssessment", () => {
  it.each([
    ["low", "LOW"],
    ["medium", "MEDIUM"],
    ["high", "HIGH"],
    ["critical", "HIGH"],
  ] as const)("maps %s to %s", (riskLevel, expected) => {
    expect(toAssessment(createDecision(), createResult({ riskLevel }))?.riskLevel).toBe(expected);
  });

  it("keeps within Shopify's limits and keeps the reasoning", () => {
    const factor = {
      factor: "Long",
      severity: "medium" as const,
      description: "😀".repeat(400),
      category: "customer" as const,
    };
    const { facts = [] } =
      toAssessment(
        createDecision(),
        createResult({ riskFactors: Array.from({ length: 30 }, () => factor), reasoning: "r".repeat(400) }),
      ) ?? {};

    expect(facts).toHaveLength(20);
    expect(facts.at(-1)?.description).toBe("r".repeat(256));
    for (const { description } of facts) {
      expect(description.length).toBeLessThanOrEqual(256);
      expect(description.isWellFormed()).toBe(true);
    }
  });

  it.each([
    ["The order looks fine.", "The order looks fine."],
    [" ", "No risk factors were found."],
  ])("lists the good signs of a clean order: %j", (reasoning, description) => {
    const clean = createResult({ riskLevel: "low", riskFactors: [], reasoning });

    expect(toAssessment(createDecision(), clean)?.facts).toEqual([{ description, sentiment: "POSITIVE" }]);
  });

  it("gives no level to an order that the service did not check, and says why first", () => {
    const guess = { riskLevel: "low", riskScore: 12, missing: [] } as const;
    const decision = createDecision({ riskLevel: null, riskScore: null, unchecked: "NO_EMAIL", guess });

    expect(toAssessment(decision, createResult({ riskLevel: "low", riskScore: 12 }))).toEqual({
      riskLevel: "NONE",
      facts: [
        {
          description: "The verification service did not check this order: it has no email address.",
          sentiment: "NEUTRAL",
        },
        { description: "Mismatch: Countries differ.", sentiment: "NEGATIVE" },
        { description: "Free mail: A free mail provider.", sentiment: "NEUTRAL" },
      ],
    });
  });

  it("adds to a worse level that the service didn't check the order", () => {
    const decision = createDecision({ source: "local", degraded: true, unchecked: "VERIFICATION_TIMEOUT" });
    const assessment = toAssessment(decision, createResult({ riskFactors: [] }));

    expect(assessment).toMatchObject({ riskLevel: "HIGH" });
    expect(assessment?.facts.map(({ description }) => description)).toEqual([
      "The verification service did not check this order: the service did not answer.",
      "Two signals speak against the order.",
    ]);
  });

  it("says that an order was not checked", () => {
    const decision = createDecision({ riskLevel: null, riskScore: null, unchecked: "BUDGET_SPENT" });

    expect(toAssessment(decision, null)).toMatchObject({
      riskLevel: "NONE",
      facts: [
        {
          description: "The verification service did not check this order: the credit budget is used up.",
        },
      ],
    });
  });

  it("keeps within Shopify's limit even with a reason", () => {
    const factor = { factor: "F", severity: "low" as const, description: "x", category: "customer" as const };
    const riskFactors = Array.from({ length: 30 }, () => factor);
    const decision = createDecision({ unchecked: "NO_NAME" });

    expect(toAssessment(decision, createResult({ riskFactors }))?.facts).toHaveLength(20);
  });

  it("leaves blank facts out", () => {
    const blank = { factor: " ", severity: "high" as const, description: "", category: "customer" as const };

    expect(
      toAssessment(createDecision(), createResult({ riskFactors: [blank], reasoning: "" }))?.facts,
    ).toEqual([]);
  });
});
