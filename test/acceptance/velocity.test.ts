import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HoldfastError } from "../../src/base/errors.ts";
import { createLocalEngine } from "../../src/engine/engine.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { Pipeline } from "../../src/pipeline/pipeline.ts";
import { createPolicies } from "../../src/settings/current-policy.ts";
import { createSqliteStore } from "../../src/store/opening/sqlite-store.ts";
import type { OrderRecord, Store } from "../../src/store/store.ts";
import type { RiskLevel } from "../../src/order/risk-level.ts";
import { aResult } from "../support/orders.ts";
import { startPipeline } from "../support/test-pipeline.ts";
import { createTestPlatform, orderEvent } from "../support/platform.ts";
import { createScriptedVerifier } from "../support/verifier.ts";
import { untilOrder } from "../support/pipeline-waits.ts";

interface PriorOrder {
  readonly minutesAgo: number;
  readonly customerEmail: string;
  readonly ipAddress: string;
  /** Brand, last four digits and, if known, expiry and holder. */
  readonly cardFingerprint: string;
  readonly shippingAddress?: VerificationRequest["shippingAddress"];
}

interface Scenario {
  readonly id: string;
  readonly expectedBands: readonly RiskLevel[];
  readonly order: VerificationRequest;
  readonly priorOrders?: readonly PriorOrder[];
}

const SCENARIOS = JSON.parse(
  readFileSync(new URL("../fixtures/local/scenarios.json", import.meta.url), "utf8"),
) as readonly Scenario[];

const TENANT = "test:shop";
const MINUTE_MS = 60_000;
/** Before every order of the scenarios. */
const INSTALLED_AGO_MS = 30 * 86_400_000;
/** Soon after the scenarios' orders were placed. */
const NOW_MS = Date.parse("2026-11-18T15:21:00Z");

let folder: string;
let store: Store;
let answers: boolean;
let deliveries: number;
const running: Pipeline[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdfast-velocity-"));
  store = await createSqliteStore({ path: join(folder, "holdfast.db"), dataKey: Buffer.alloc(32, 3) });
  await store.tenants.saveCredential(TENANT, "test", "secret", "installed", NOW_MS - INSTALLED_AGO_MS);
  answers = false;
  deliveries = 0;
});

afterEach(async () => {
  for (const pipeline of running.splice(0)) await pipeline.stop(100);
  await store.close();
  rmSync(folder, { recursive: true });
});

function start(velocity = store.velocity): Pipeline {
  const now = () => NOW_MS;
  const verifier = createScriptedVerifier(() => {
    if (answers) return { result: aResult("low") };
    throw new HoldfastError("VERIFICATION_NO_CREDITS", "none left", { retryable: true, metered: "no" });
  });
  const pipeline = startPipeline({
    store: { ...store, velocity },
    platform: createTestPlatform(),
    accessOf: () => ({ verifier, keyId: "key" }),
    policyOf: createPolicies(store),
    now,
  });
  running.push(pipeline);
  return pipeline;
}

async function deliver(pipeline: Pipeline, request: VerificationRequest, test: boolean): Promise<void> {
  const { orderId = "" } = request;
  await pipeline.intake.accept({
    tenant: TENANT,
    deliveryId: `d-${(deliveries += 1)}`,
    platform: "test",
    topic: "orders/create",
    receivedAtMs: NOW_MS,
    body: orderEvent({ orderId, mapped: { outcome: "screenable", request, test } }),
  });
}

async function decide(pipeline: Pipeline, request: VerificationRequest, test = false): Promise<OrderRecord> {
  await deliver(pipeline, request, test);
  const key = { tenant: TENANT, orderId: request.orderId ?? "" };
  return untilOrder({ store, pipeline }, key, ({ decision }) => decision !== null);
}

function pick(id: string): Scenario & { readonly priorOrders: readonly PriorOrder[] } {
  const scenario = SCENARIOS.find((one) => one.id === id);
  if (scenario?.priorOrders === undefined) throw new Error(`no scenario ${id} with orders before it`);
  return { ...scenario, priorOrders: scenario.priorOrders };
}

/** The scenario's order as placed before, by somebody who changed what the scenario says. */
function toPrior({ order }: Scenario, prior: PriorOrder, index: number): VerificationRequest {
  const [brand = "", lastFourDigits = "", expiry = "01/29", holderName = `Somebody ${index}`] =
    prior.cardFingerprint.split("-");
  const elsewhere = { ...order.shippingAddress, street: `${index} Elsewhere Road` };
  return {
    ...order,
    orderId: `prior-${index}`,
    orderTimestamp: new Date(
      Date.parse(order.orderTimestamp ?? "") - prior.minutesAgo * MINUTE_MS,
    ).toISOString(),
    customerEmail: prior.customerEmail,
    ipAddress: prior.ipAddress,
    paymentInfo: { brand, lastFourDigits, expiry, holderName },
    shippingAddress: prior.shippingAddress ?? elsewhere,
  };
}

const factorsOf = ({ result }: OrderRecord) => result?.riskFactors.map(({ factor }) => factor) ?? [];

describe("orders that share something that identifies them", () => {
  it.each([
    ["F3-card-testing", ["Many customers on one network"]],
    ["F8-multi-account", ["One card, several email addresses", "One address, several email addresses"]],
  ])(
    "put %s into one of its bands, even if the service answered the orders before it",
    async (id, expected) => {
      const scenario = pick(id);
      const pipeline = start();
      answers = true;
      // The latest first: orders arrive in any order.
      for (const [index, prior] of scenario.priorOrders.entries()) {
        const { decision } = await decide(pipeline, toPrior(scenario, prior, index));
        expect(decision).toMatchObject({ source: "service" });
      }
      answers = false;

      const last = await decide(pipeline, { ...scenario.order, orderId: "last" });

      expect(last.decision).toMatchObject({ source: "local", degraded: true });
      expect(scenario.expectedBands).toContain(last.result?.riskLevel);
      expect(factorsOf(last)).toEqual(expect.arrayContaining([...expected]));
      const alone = createLocalEngine({ now: () => NOW_MS }).assess(scenario.order);
      expect(last.result?.riskScore).toBeGreaterThan(Math.min(alone.riskScore, 99));
    },
  );

  it("count once, however often one of them is delivered, and test orders don't count", async () => {
    const { order } = pick("F8-multi-account");
    const pipeline = start();
    const withEmail = (customerEmail: string) => ({ ...order, orderId: customerEmail, customerEmail });
    for (let time = 0; time < 5; time += 1) await decide(pipeline, withEmail("a@shop.example"));
    await decide(pipeline, withEmail("b@shop.example"), true);

    const second = await decide(pipeline, withEmail("c@shop.example"));
    expect(second.result?.riskFactors.map(({ description }) => description)).toContainEqual(
      expect.stringContaining("2 email addresses ordered with the same card details"),
    );
  });

  it("are judged without the others when the store of other orders fails", async () => {
    const { order } = pick("F8-multi-account");
    const pipeline = start({ record: () => Promise.reject(new Error("down")) });

    const decidedOn = await decide(pipeline, { ...order, orderId: "1" });

    expect(decidedOn).toMatchObject({ decision: { source: "local" }, result: { riskLevel: "low" } });
  });

  it("leave nothing personal in the clear in any file", async () => {
    const canaries = {
      customerEmail: "canary.mail@canary-mail.example",
      ipAddress: "73.158.177.177",
      holderName: "Canaryholder Example",
      lastFourDigits: "7717",
      street: "77 Canarystreet",
      postalCode: "77177",
    };
    const { order } = pick("F8-multi-account");
    const { customerEmail, ipAddress, holderName, lastFourDigits, street, postalCode } = canaries;
    const address = { ...order.shippingAddress, street, postalCode };
    await decide(start(), {
      ...order,
      orderId: "1",
      customerEmail,
      ipAddress,
      paymentInfo: { brand: "visa", expiry: "08/27", holderName, lastFourDigits },
      shippingAddress: address,
      billingAddress: address,
    });

    const database = new DatabaseSync(join(folder, "holdfast.db"), { readOnly: true });
    const rows = database.prepare("select * from velocity").all();
    database.close();
    expect(rows).toHaveLength(1);
    const { mailbox, email, network, card, address: place, postcode } = rows[0] ?? {};
    for (const digest of [mailbox, email, network, card, place, postcode])
      expect(digest).toMatch(/^[\w-]{22}$/);
    const files = Buffer.concat(readdirSync(folder).map((file) => readFileSync(join(folder, file))));
    const inFiles = files.toString("latin1").toLowerCase();
    for (const [name, canary] of Object.entries(canaries)) {
      for (const form of [canary.toLowerCase(), Buffer.from(canary).toString("base64").replace(/=+$/, "")])
        expect(inFiles.includes(form), name).toBe(false);
    }
    expect(inFiles.includes("order:1"), "this search finds what is there").toBe(true);
  });
});
