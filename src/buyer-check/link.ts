import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Keyring } from "../store/sealing/keyring.ts";
import type { BuyerCheck } from "../store/buyer-checks/buyer-check.ts";

type LinkKey = Pick<BuyerCheck, "tenant" | "orderId" | "checkId">;

/** The path of the buyer's page. */
export const LINK_PATH = "/confirm";
/** 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/;

/** 128 random bits. */
export function createCheckId(): string {
  return randomBytes(16).toString("hex");
}

/**
 * The token of a check's link: a signature of the tenant, the order and the random ID of the check. It isn't stored, but it can be
 * made again, so that a process that dies while it sends a link neither loses the link nor makes a second one.
 */
export function toLinkToken(keyring: Pick<Keyring, "digest">, { tenant, orderId, checkId }: LinkKey): string {
  return keyring.digest(tenant, "buyer-link", `${orderId}\0${checkId}`);
}

/** What is stored of a token. */
export function toTokenDigest(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Whether a token was made for this check of this order of this tenant. A row that was moved or copied has no valid link. */
export function isTokenOf(keyring: Pick<Keyring, "digest">, check: LinkKey, token: string): boolean {
  const [given, expected] = [Buffer.from(token), Buffer.from(toLinkToken(keyring, check))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The link, from the configured address only: a request's `Host` has no part in it. */
export function toLinkUrl(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/+$/, "")}${LINK_PATH}/${token}`;
}
