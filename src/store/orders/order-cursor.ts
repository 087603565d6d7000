import { timingSafeEqual } from "node:crypto";
import { toFieldsError } from "../../base/errors.ts";
import type { Keyring } from "../sealing/keyring.ts";

/** The last order of a page. The next page starts after it. */
export interface OrderPosition {
  readonly receivedAtMs: number;
  readonly orderId: string;
}

const PURPOSE = "cursor";

/**
 * An opaque cursor that only this store can make, and only for this tenant.
 *
 * @param purpose - Separates the cursors of different lists. Default: the list of orders.
 */
export function toOrderCursor(
  keyring: Keyring,
  tenant: string,
  position: OrderPosition,
  purpose = PURPOSE,
): string {
  const { receivedAtMs, orderId } = position;
  const text = JSON.stringify([receivedAtMs, orderId]);
  const seal = keyring.digest(tenant, purpose, text);
  return Buffer.from(JSON.stringify([receivedAtMs, orderId, seal])).toString("base64url");
}

/**
 * The position in a cursor.
 *
 * @throws {HoldfastError} `ORDER_INVALID` with the field `cursor` if this store didn't give it to this tenant.
 */
export function parseOrderCursor(
  keyring: Keyring,
  tenant: string,
  cursor: string,
  purpose = PURPOSE,
): OrderPosition {
  const [receivedAtMs, orderId, seal] = parseArray(Buffer.from(cursor, "base64url").toString());
  if (typeof receivedAtMs === "number" && typeof orderId === "string" && typeof seal === "string") {
    const digest = keyring.digest(tenant, purpose, JSON.stringify([receivedAtMs, orderId]));
    const [expected, given] = [Buffer.from(digest), Buffer.from(seal)];
    if (expected.length === given.length && timingSafeEqual(expected, given))
      return { receivedAtMs, orderId };
  }
  const message = "expected a cursor of an earlier page";
  throw toFieldsError("ORDER_INVALID", `cursor: ${message}`, [{ path: "cursor", message }]);
}

function parseArray(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
