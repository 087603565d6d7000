import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { Screening } from "../../src/screening/screening.ts";
import { createTestStore } from "../support/test-store.ts";
import type { Store } from "../../src/store/store.ts";
import { claim, decision, entry, order } from "../store/samples.ts";
import { anOrder } from "../support/orders.ts";
import { ask, startScreening, TENANT } from "../support/screenings.ts";
import { createScriptedVerifier } from "../support/verifier.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;
/** As many orders as the default limit lets through in an hour. */
const BUSY_HOUR = 30;

let store: Store;
let screening: Screening;
let orders: number;

beforeEach(async () => {
  store = await createTestStore();
  screening = startScreening(store, () => NOW_MS);
  orders = 0;
});
afterEach(async () => {
  await screening.close();
  await store.close();
});

/** The order of another buyer, who lives elsewhere. */
function anotherBuyer(changes: Partial<VerificationRequest>): VerificationRequest {
  orders += 1;
  const street = `${orders} Example Street`;
  return anOrder({
    orderId: String(orders),
    customerEmail: `customer${orders}@example.com`,
    ipAddress: `91.10.${Math.floor(orders / 200)}.${orders % 200}`,
    shippingAddress: { ...anOrder().shippingAddress, street },
    ...changes,
  });
}

/** Orders of a day that were let through. */
async function ship(count: number, daysAgo: number, toChanges: () => Partial<VerificationRequest>) {
  const receivedAtMs = NOW_MS - daysAgo * DAY_MS;
  for (let index = 0; index < count; index += 1) {
    const request = anotherBuyer(toChanges());
    const mapped = { outcome: "screenable", request, test: false } as const;
    const placed = order(request.orderId ?? "", { tenant: TENANT, receivedAtMs, mapped });
    await store.orders.receive(placed, entry("received"));
  }
  for (const one of await store.orders.claim(claim("p", { nowMs: NOW_MS, limit: count }))) {
    const settled = { state: "settled", decision: decision({ action: "allow" }), dueAtMs: null } as const;
    await store.orders.save(one, "p", { changes: settled, release: true });
  }
}

/** How many of so many orders within one hour are held. */
async function held(count: number, toChanges: () => Partial<VerificationRequest>): Promise<number> {
  const verifier = createScriptedVerifier();
  let braked = 0;
  for (let index = 0; index < count; index += 1) {
    const screened = await screening.screen(ask(verifier, { request: anotherBuyer(toChanges()) }));
    if (screened.outcome === "unavailable" && screened.error.code === "BURST_BRAKED") braked += 1;
  }
  return braked;
}

describe("different buyers who share a place that the shop usually sees", () => {
  it.each<
    [name: string, toChanges: () => Partial<VerificationRequest>, usual?: () => Partial<VerificationRequest>]
  >([
    ["a marketplace's default customer", () => ({ customerEmail: "orders@marketplace.example" })],
    ["a CDN", () => ({ ipAddress: "104.16.1.1" })],
    [
      "iCloud Private Relay, at another address than before",
      () => ({ ipAddress: "172.224.240.1" }),
      () => ({ ipAddress: "172.224.241.9" }),
    ],
    ["a carrier's NAT", () => ({ ipAddress: "107.77.1.1" })],
    [
      "an office that goods go to",
      () => ({ shippingAddress: { ...anOrder().shippingAddress, street: "350 Fifth Ave" } }),
    ],
  ])("aren't held behind %s, and a flood from there is", async (_name, toChanges, usual = toChanges) => {
    for (const daysAgo of [3, 10, 17]) await ship(BUSY_HOUR, daysAgo, usual);

    expect(await held(40, toChanges)).toBe(0);
    expect(await held(100, toChanges)).toBe(140 - 3 * BUSY_HOUR);
  });

  it("are held if the shop doesn't know the place, however different they look", async () => {
    expect(await held(40, () => ({ ipAddress: "107.77.1.1" }))).toBe(10);
  });

  it("are held behind a VPN service, however many came from there", async () => {
    const vpn = () => ({ ipAddress: "193.138.218.1" });
    for (const daysAgo of [3, 10, 17]) await ship(BUSY_HOUR, daysAgo, vpn);

    expect(await held(40, vpn)).toBe(10);
  });

  it("are held if one huge week is all that the shop knows of the place", async () => {
    const drop = () => ({ ipAddress: "107.77.1.1" });
    for (const daysAgo of [1, 2, 3]) await ship(3 * BUSY_HOUR, daysAgo, drop);

    expect(await held(40, drop)).toBe(10);
  });
});
