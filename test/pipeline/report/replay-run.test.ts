import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HoldfastError } from "../../../src/base/errors.ts";
import { createLocalEngine } from "../../../src/engine/engine.ts";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { createMetrics } from "../../../src/pipeline/metrics.ts";
import { createPipeline } from "../../../src/pipeline/pipeline.ts";
import type { MappedOrder } from "../../../src/platform/platform.ts";
import { createPolicies } from "../../../src/settings/current-policy.ts";
import { ORDERS_PER_PAGE } from "../../../src/pipeline/report/outcome.ts";
import { runReplay } from "../../../src/pipeline/report/replay-run.ts";
import { parsePolicy, type PolicyDocument } from "../../../src/policy/policy.ts";
import { createTestStore } from "../../support/test-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createCircuitBreaker } from "../../../src/service/circuit-breaker.ts";
import type { RiskLevel } from "../../../src/order/risk-level.ts";
import { aResult, anOrder } from "../../support/orders.ts";
import { untilHandled } from "../../support/pipeline-waits.ts";
import { createRunningClock } from "../../support/running-clock.ts";
import { createTestPlatform, orderEvent } from "../../support/platform.ts";
import { createScriptedVerifier } from "../../support/verifier.ts";
import { claim, decision, entry, order } from "../../store/samples.ts";

const TENANT = "test:shop";
const DAY_MS = 86_400_000;

const now = createRunningClock();
let store: Store;

beforeEach(async () => {
  store = await createTestStore();
});
afterEach(() => store.close());

const replayOf = (document: PolicyDocument, changes: object = {}) =>
  runReplay(store, {
    tenant: TENANT,
    policy: parsePolicy(document),
    sinceMs: now() - 90 * DAY_MS,
    untilMs: now() + DAY_MS,
    ...changes,
  });

async function keep(orderId: string, receivedAtMs = now()): Promise<void> {
  await store.orders.receive(
    order(orderId, { tenant: TENANT, platform: "test", receivedAtMs }),
    entry("received"),
  );
  await store.orders.claim(claim("p1", { nowMs: now(), limit: 1_000 }));
  const changes = { state: "settled", dueAtMs: null, decision: decision({ policyVersion: 0 }) } as const;
  await store.orders.save({ tenant: TENANT, orderId }, "p1", { changes, release: true });
}

/** An order of a kind, named by how the question about it ends. */
function toMapped(orderId: string, kind: string): MappedOrder {
  const request = anOrder({ orderId, customerEmail: `${kind}-${orderId}@example.com`, orderAmount: 100 });
  if (kind === "free") return { outcome: "unscreenable", reason: "ZERO_AMOUNT", known: request, test: false };
  if (kind === "nameless") return { outcome: "unscreenable", reason: "NO_NAME", known: request, test: false };
  return { outcome: "screenable", request, test: kind === "test" };
}

const KINDS = ["low", "medium", "high", "critical", "refused", "free", "nameless", "test", "friend"];

/** Policies in the order in which they applied. */
const POLICIES: readonly PolicyDocument[] = [
  {
    rules: [
      { name: "friends", when: { address: ["nowhere"] }, then: { action: "cancel" } },
      { name: "skip some", when: { email: ["friend-1-8@example.com"] }, then: { skip: true } },
      { name: "domain", when: { emailDomain: ["example.com"], level: ["low"] }, then: { action: "tag" } },
    ],
  },
  { mode: "shadow", testOrders: "service", levels: { high: { action: "cancel" } }, whenUnavailable: "hold" },
];

/** Lets the real pipeline decide orders of every kind under each policy. */
async function decideAll(policies = POLICIES): Promise<void> {
  const verifier = createScriptedVerifier((_call, { customerEmail }) => {
    const kind = customerEmail.split("-")[0] ?? "";
    if (kind === "refused") throw new HoldfastError("VERIFICATION_REFUSED", "no", { retryable: false });
    return { result: aResult(kind === "test" || kind === "friend" ? "high" : (kind as RiskLevel)) };
  });
  const pipeline = createPipeline({
    store,
    platforms: [createTestPlatform()],
    engine: createLocalEngine(),
    breaker: createCircuitBreaker({ now }),
    accessOf: () => ({ verifier, keyId: "key" }),
    policyOf: createPolicies(store),
    maxPaidAttempts: 2,
    maxInFlight: 10,
    timeoutMs: 5_000,
    metrics: createMetrics(),
    logger: SILENT_LOGGER,
    now,
    owner: "app:1",
  });
  await store.tenants.saveCredential(TENANT, "test", "secret", "installed", now());
  pipeline.start();
  for (const [version, document] of policies.entries()) {
    await store.policies.save(TENANT, document, undefined, now());
    for (const [index, kind] of KINDS.entries()) {
      const orderId = `${version + 1}-${index}`;
      const body = orderEvent({ orderId, mapped: toMapped(orderId, kind) });
      const delivery = { tenant: TENANT, deliveryId: orderId, platform: "test", topic: "orders/create" };
      const receivedAtMs = now();
      await pipeline.intake.accept({ ...delivery, receivedAtMs, body });
      // One after the other: local scores count the orders that were seen before.
      await untilHandled({ store, pipeline });
    }
  }
  await pipeline.stop(1_000);
}

describe("runReplay", () => {
  it.each([["kept", false] as const, ["erased by age", true] as const])(
    "reproduces what the pipeline decided, with the content %s, and pays nothing",
    async (_name, isErased) => {
      await decideAll();
      if (isErased) await eraseContent();
      const spent = await store.ledger.creditUse(TENANT, { dayStartMs: 0, monthStartMs: 0 });

      for (const [index, document] of POLICIES.entries()) {
        const version = index + 1;
        // Only those that this version decided.
        const own: Store = {
          ...store,
          figures: {
            ...store.figures,
            async listDecided(tenant, page) {
              const { orders, next } = await store.figures.listDecided(tenant, page);
              return { orders: orders.filter(({ orderId }) => orderId.startsWith(`${version}-`)), next };
            },
          },
        };
        const summary = await runReplay(own, {
          tenant: TENANT,
          policy: parsePolicy(document),
          sinceMs: 0,
          untilMs: now() + DAY_MS,
        });

        expect(summary).toMatchObject({
          orders: KINDS.length,
          replayed: KINDS.length,
          unknown: 0,
          changes: [],
        });
        expect(summary.after).toEqual(summary.before);
      }

      expect(await store.ledger.creditUse(TENANT, { dayStartMs: 0, monthStartMs: 0 })).toEqual(spent);
    },
  );

  it("shows what another policy changes, and which orders it can't judge", async () => {
    await decideAll();

    const summary = await replayOf({ levels: { high: { action: "allow" } } });

    // Checked test orders count as test orders; the skipped one was never judged; unseen ones weren't considered.
    expect(summary.orders).toBe(18);
    expect(summary.unknownReason).toContain("1 order: never judged");
    expect(summary.changes).toContainEqual(expect.objectContaining({ from: "hold", to: "allow" }));
    expect(summary.examples[0]).toMatchObject({ name: expect.stringMatching(/^#/), amount: 59.9 });
  });

  it("applies no lists to test orders, even to those that were checked like others", async () => {
    await decideAll();
    const page = { sinceMs: 0, untilMs: now() + DAY_MS, limit: 100, content: "none", after: null } as const;
    const { orders } = await store.figures.listDecided(TENANT, page);
    const digest = orders.find(({ orderId }) => orderId === "2-2")?.links?.mailbox ?? "";
    const who = { kind: "mailbox", digest, label: "h…@example.com", owner: "person:1" } as const;
    const lists = [{ list: "block", ...who, reason: "chargeback" }] as const;
    const document = { testOrders: "service", levels: { high: { action: "allow" } } } as const;

    const [without, listed] = [await replayOf(document), await replayOf({ ...document, lists })];

    expect(listed.unknownReason).toEqual(without.unknownReason);
    expect(listed.after.allow.orders).toBe(without.after.allow.orders - 1);
    expect(listed.after.hold.orders).toBe(without.after.hold.orders + 1);
  });

  it.each([["kept", false] as const, ["erased by age", true] as const])(
    "recomputes local scores, with the content %s, whichever version's model decided",
    async (_name, isErased) => {
      const own = { localModel: { center: 0, points: { "EMAIL_RESERVED_DOMAIN:14": 20 } } };
      await decideAll([{}, own]);
      const page = { sinceMs: 0, untilMs: now() + DAY_MS, limit: 100, content: "none", after: null } as const;
      const { orders } = await store.figures.listDecided(TENANT, page);
      const scoreOf = (id: string) => orders.find(({ orderId }) => orderId === id)?.decision;
      expect(scoreOf("1-4")).toMatchObject({ source: "local", riskScore: 47, policyVersion: 1 });
      expect(scoreOf("2-6")).toMatchObject({ source: "local", riskScore: 78, policyVersion: 2 });
      // Held out of every model by its ID.
      expect(scoreOf("2-4")).toMatchObject({ source: "local", riskScore: 58, policyVersion: 2 });
      if (isErased) await eraseContent();

      const [modeled, standard] = [await replayOf(own), await replayOf({})];

      // The refused and the nameless order of each version. The others were judged by the service, were skipped, or are
      // too far from a level's edge.
      expect(modeled).toMatchObject({ unknown: 0, changes: [{ from: "tag", to: "hold", orders: 2 }] });
      expect(modeled.examples.map(({ orderId }) => orderId).toSorted()).toEqual(["1-4", "1-6"]);
      expect(standard).toMatchObject({ unknown: 0, changes: [{ from: "hold", to: "tag", orders: 1 }] });
      expect(standard.examples.map(({ orderId }) => orderId).toSorted()).toEqual(["2-6"]);
    },
  );

  async function eraseContent(): Promise<void> {
    const nowMs = now() + 1;
    const limits = {
      nowMs,
      contentBeforeMs: nowMs,
      deliveriesBeforeMs: 0,
      awaitingBeforeMs: 0,
      // Whatever their state.
      ordersBeforeMs: nowMs,
      ledgerBeforeMs: 0,
      quotasBeforeMs: 0,
      passingBeforeMs: 0,
      circuitsBeforeMs: 0,
      entry: entry("erased", nowMs),
    };
    const { erased } = await store.retention.eraseAged("order-content", limits, null);
    expect(erased).toBe(KINDS.length * POLICIES.length);
  }

  it("reads many orders page by page, reports its progress, and lets other work run", async () => {
    const total = ORDERS_PER_PAGE * 2 + 10;
    for (let index = 0; index < total; index += 1) await keep(String(index));
    const pages: number[] = [];
    const done: number[] = [];
    let turns = 0;
    const watched: Store = {
      ...store,
      figures: {
        ...store.figures,
        async listDecided(tenant, page) {
          const found = await store.figures.listDecided(tenant, page);
          pages.push(found.orders.length);
          return found;
        },
      },
    };
    const ticking = setInterval(() => (turns += 1), 0);

    const summary = await runReplay(watched, {
      tenant: TENANT,
      policy: parsePolicy({}),
      sinceMs: now() - DAY_MS,
      untilMs: now() + DAY_MS,
      onPage: (count) => void done.push(count),
    });
    clearInterval(ticking);

    expect(summary).toMatchObject({ orders: total, replayed: total });
    expect(summary.before.hold).toEqual({ orders: total, amount: { USD: 4_197.9 } });
    expect(pages).toEqual([ORDERS_PER_PAGE, ORDERS_PER_PAGE, 10]);
    expect(done).toEqual([0, ORDERS_PER_PAGE, ORDERS_PER_PAGE * 2, total]);
    expect(turns).toBeGreaterThan(0);
  });

  it("stops between two pages when nobody waits any more", async () => {
    for (let index = 0; index <= ORDERS_PER_PAGE; index += 1) await keep(String(index));
    const gone = new AbortController();
    const reason = new Error("gone");

    const replaying = replayOf(
      {},
      {
        signal: gone.signal,
        onPage: (count: number) => void (count > 0 && gone.abort(reason)),
      },
    );

    await expect(replaying).rejects.toBe(reason);
  });

  it("includes only the orders of the window", async () => {
    await keep("old", now() - 91 * DAY_MS);
    await keep("new");

    expect(await replayOf({ levels: { high: { action: "tag" } } })).toMatchObject({
      orders: 1,
      outcomes: { unknown: 1 },
      examples: [{ orderId: "new", from: "hold", to: "tag", outcome: "unknown" }],
    });
  });
});
