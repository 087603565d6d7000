import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startApp, type App } from "../../src/app.ts";
import { parseConfig } from "../../src/config.ts";
import { SILENT_LOGGER } from "../../src/base/logger.ts";
import { RISK_LEVELS } from "../../src/order/risk-level.ts";
import { startServiceFront, toKey, type ServiceFront } from "../support/service-front.ts";
import { until } from "../support/until.ts";

const TOKEN = "token-of-the-operator";

interface Shown {
  readonly orderId: string;
  readonly name: string;
  readonly state: string;
  readonly riskLevel: string | null;
  readonly action: string | null;
  readonly source: string | null;
  readonly creditsSpent: number;
  readonly tags: readonly string[];
  readonly factors: readonly unknown[];
}

let front: ServiceFront;
let app: App;

/** How far the app's clock is ahead, so that a test can choose the time of day. */
let aheadMs: number;

beforeEach(async () => {
  aheadMs = 0;
  front = await startServiceFront({ "key-of-the-app": toKey("app") });
  app = await startApp({
    now: () => Date.now() + aheadMs,
    config: parseConfig({
      PORT: "0",
      DATABASE_URL: "sqlite::memory:",
      CONSOLE_TOKEN: TOKEN,
      VERIFY_URL: front.url.href,
      VERIFY_API_KEY: "key-of-the-app",
    }),
    platforms: [],
    logger: SILENT_LOGGER,
    version: "0.0.0-test",
  });
});

afterEach(async () => {
  await app.stop();
  await front.close();
});

async function call(method: string, path: string, body?: object) {
  const answer = await fetch(new URL(`api${path}`, app.url), {
    method,
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json: unknown = answer.status === 204 ? null : await answer.json();
  return { status: answer.status, json };
}

/** Create a made-up order, and follow it until nothing is left to do. */
async function makeUp(body?: object): Promise<Shown> {
  const made = await call("POST", "/setup/sandbox-order", body);
  expect(made.status).toBe(202);
  const { orderId } = made.json as { orderId: string };
  return follow(orderId, ({ state }) => ["settled", "review", "failed"].includes(state));
}

function follow(orderId: string, isThere: (order: Shown) => boolean): Promise<Shown> {
  return until(
    async () => {
      const { status, json } = await call("GET", `/orders/${orderId}`);
      return status === 200 && isThere(json as Shown) && (json as Shown);
    },
    { what: `order ${orderId}: ${isThere.toString()}` },
  );
}

describe("a made-up order", () => {
  it.each(RISK_LEVELS)("of the scenario %s gets that level from the local engine", async (scenario) => {
    const order = await makeUp({ scenario });

    const isHeld = scenario === "high" || scenario === "critical";
    expect(order).toMatchObject({
      name: `Sandbox ${scenario}`,
      state: isHeld ? "review" : "settled",
      riskLevel: scenario,
      action: { low: "allow", medium: "tag", high: "hold", critical: "hold" }[scenario],
      source: "local",
      creditsSpent: 0,
    });
    expect(order.factors.length > 0).toBe(scenario !== "low");
  });

  it.each([0, 6, 12, 18])(
    "has the level of its scenario at %i hours UTC, even where that is night",
    async (hour) => {
      const nowMs = Date.now();
      aheadMs = new Date(nowMs).setUTCHours(hour + 24, 30) - nowMs;

      expect(await makeUp({ scenario: "low" })).toMatchObject({
        riskLevel: "low",
        action: "allow",
        factors: [],
      });
    },
  );

  it.each(["skip", "service", "local"] as const)(
    "costs nothing and is judged anyway with testOrders %s",
    async (testOrders) => {
      await call("PUT", "/policy", { testOrders });

      expect(await makeUp()).toMatchObject({ riskLevel: "high", action: "hold", creditsSpent: 0 });

      expect(front.calls).toEqual([]);
      expect((await call("GET", "/credits")).json).toMatchObject({ spentToday: 0, savedMonth: 0 });
    },
  );

  it("can be released and canceled by a person, and shows it", async () => {
    const { orderId } = await makeUp();
    const show = async () => (await call("GET", `/orders/${orderId}/platform`)).json;
    expect(await show()).toMatchObject({ cancelled: false, holds: 1, tags: ["holdfast-high"] });

    expect((await call("POST", `/orders/${orderId}/approve`, {})).status).toBe(200);
    await follow(orderId, ({ state }) => state === "settled");
    expect(await show()).toMatchObject({ cancelled: false, holds: 0, tags: [] });

    const other = await makeUp();
    expect((await call("POST", `/orders/${other.orderId}/decline`, {})).status).toBe(200);
    await follow(other.orderId, ({ state }) => state === "settled");
    expect((await call("GET", `/orders/${other.orderId}/platform`)).json).toMatchObject({ cancelled: true });
  });

  it("counts in no figure of the overview except the queue's, which matches its list", async () => {
    await makeUp({ scenario: "high" });

    const { json } = await call("GET", "/overview?days=2");

    expect((await call("GET", "/orders?state=review")).json).toMatchObject({ orders: [{ action: "hold" }] });
    const none = {
      low: 0,
      medium: 0,
      high: 0,
      critical: 0,
      unjudged: 0,
      allow: 0,
      tag: 0,
      hold: 0,
      cancel: 0,
    };
    expect(json).toMatchObject({
      days: [none, none],
      timeToDecision: { p50Ms: null, p99Ms: null, orders: 0 },
      coverage: { eligible: 0 },
      queue: { held: 1, failed: 0, waiting: 0, expiringSoon: 0, overdue: 0, degraded: 0 },
      backlog: { pending: 0, oldestAgeMs: null },
      circuits: [],
      mode: "active",
    });
  });

  it("is refused with another scenario, and when there are too many", async () => {
    expect(await call("POST", "/setup/sandbox-order", { scenario: "severe" })).toMatchObject({
      status: 422,
      json: { errors: [{ path: "scenario" }] },
    });

    const made = await Promise.all(Array.from({ length: 31 }, () => call("POST", "/setup/sandbox-order")));

    expect(made.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(1);
  });

  it("can't be created by a webhook", async () => {
    const answer = await fetch(new URL("webhooks/sandbox", app.url), { method: "POST", body: "{}" });

    expect(answer.status).toBe(404);
  });
});

describe("GET /api/setup", () => {
  const steps = async () => {
    const { json } = await call("GET", "/setup");
    const setup = json as { done: boolean; steps: { id: string; done: boolean }[] };
    return { done: setup.done, ...Object.fromEntries(setup.steps.map(({ id, done }) => [id, done])) };
  };

  it("lists the finished steps, and is done when all are", async () => {
    expect(await steps()).toEqual({
      done: false,
      service: true,
      mode: false,
      platform: true,
      "first-order": false,
    });

    await call("PUT", "/policy", { mode: "shadow" });
    await makeUp();

    expect(await steps()).toEqual({
      done: true,
      service: true,
      mode: true,
      platform: true,
      "first-order": true,
    });
    expect((await call("GET", "/setup")).json).toMatchObject({
      findings: [],
      scopes: null,
      personalData: "unknown",
    });
  });
});
