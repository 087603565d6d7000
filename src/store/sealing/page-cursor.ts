import { timingSafeEqual } from "node:crypto";
import { toFieldsError } from "../../base/errors.ts";
import { parseJson } from "../../base/json.ts";
import type { Keyring } from "./keyring.ts";

/** What the last row of a page has in the columns that its list is sorted by. The next page starts after it. */
export type CursorPosition = readonly [number, ...(number | string)[]];

/** An opaque cursor that only this store can make, only for this tenant, and only for the list with this purpose. */
export function toCursor(keyring: Keyring, tenant: string, purpose: string, position: CursorPosition) {
  const seal = keyring.digest(tenant, purpose, JSON.stringify(position));
  return Buffer.from(JSON.stringify([...position, seal])).toString("base64url");
}

/**
 * The position in a cursor; undefined without a cursor.
 *
 * @throws {HoldfastError} `ORDER_INVALID` with the field `cursor` if this store didn't give it to this tenant.
 */
export function parseCursor(keyring: Keyring, tenant: string, purpose: string, cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const parsed = parseJson(Buffer.from(cursor, "base64url").toString());
  const position: unknown[] = Array.isArray(parsed) ? parsed : [];
  const given = Buffer.from(String(position.pop()));
  const expected = Buffer.from(keyring.digest(tenant, purpose, JSON.stringify(position)));
  if (expected.length === given.length && timingSafeEqual(expected, given))
    return position as unknown as CursorPosition;
  const message = "expected a cursor of an earlier page";
  throw toFieldsError("ORDER_INVALID", `cursor: ${message}`, [{ path: "cursor", message }]);
}
