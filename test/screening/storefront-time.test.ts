import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxService,
} from "../../src/sandbox/sandbox-service.ts";
import type { Screener } from "../../src/screening/order-check.ts";
import { createScreener } from "../../src/screening/screener.ts";
import { anOrder, aResult } from "../support/orders.ts";
import { sendJson, startServer } from "../service/loopback.ts";

const NOW = "2026-11-20T12:00:00.000Z";
const NOW_MS = Date.parse(NOW);
const HOUR_MS = 3_600_000;
const LIMIT = 3;

let service: SandboxService;
let screener: Screener;

beforeEach(async () => {
  service = createSandboxService();
  screener = createScreener({
    service: { url: await service.listen(), apiKey: SANDBOX_API_KEY },
    budget: { perSourceHourly: LIMIT },
    now: () => NOW_MS,
  });
});

afterEach(async () => {
  await screener.close();
  await service.close();
});

/** The flood's next order, an hour after the last, years ago. */
function flood(index: number) {
  return anOrder({
    orderId: `flood-${index}`,
    orderTimestamp: new Date(Date.parse("2019-01-01T00:00:00Z") + index * HOUR_MS).toISOString(),
  });
}

describe("an order time that a customer chose", () => {
  it("hides no flood from the burst brake", async () => {
    const checks = [];
    for (let index = 0; index < 2 * LIMIT; index += 1) checks.push(await screener.check(flood(index)));

    expect(service.calls).toHaveLength(LIMIT);
    expect(checks.at(-1)?.reasons).toContain("degraded:BURST_BRAKED");
  });

  it("hides no flood from the local engine", async () => {
    const local = createScreener({ service: "local", now: () => NOW_MS });
    let last;
    for (let index = 0; index < 2 * LIMIT; index += 1) last = await local.check(flood(index));

    expect(last?.result?.riskFactors.map(({ factor }) => factor)).toContain("Orders in quick succession");
    await local.close();
  });

  it("is replaced by the time of the check while the order is being placed, and only then", async () => {
    const { url, seen } = await startServer((response) =>
      sendJson(response, 200, { success: true, data: aResult() }),
    );
    const seeing = createScreener({
      service: { url, apiKey: "key", organization: "acme" },
      now: () => NOW_MS,
    });

    await seeing.check(flood(1), { placedNow: true });
    await seeing.check(flood(2));
    await seeing.close();

    const times = seen.map(({ body }) => (JSON.parse(body) as { orderTimestamp: string }).orderTimestamp);
    expect([...new Set(times)]).toEqual(["2026-11-20T12:00:00Z", "2019-01-01T02:00:00Z"]);
  });
});
