import { readdirSync, readFileSync } from "node:fs";
import { interpretDelivery } from "../adapters/shopify/intake/interpret.ts";
import type { VerificationRequest } from "../src/index.ts";

/** An order of a platform that can be sent to the service. */
export interface FixtureOrder {
  readonly body: Buffer;
  readonly request: VerificationRequest;
}

/** The shop of the fixtures. */
export const FIXTURE_TENANT = "shopify:demo.myshopify.com";

const FOLDER = new URL("../test/fixtures/shopify/", import.meta.url);

/** The Shopify order fixtures that can be sent, as received and as mapped. */
export function readFixtureOrders(): readonly FixtureOrder[] {
  return readdirSync(FOLDER).flatMap((name) => {
    const body = readFileSync(new URL(name, FOLDER));
    const request = mapFixture(body);
    return request === null ? [] : [{ body, request }];
  });
}

/** Turns the bytes of a delivery into the request to the service; null when there is none. */
export function mapFixture(body: Buffer): VerificationRequest | null {
  const event = interpretDelivery({ tenant: FIXTURE_TENANT, topic: "orders/create", body });
  if (event.kind !== "order" || event.order.mapped.outcome !== "screenable") return null;
  return event.order.mapped.request;
}
