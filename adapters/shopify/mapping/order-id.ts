import { toGlobalIdDigits } from "../intake/payload.ts";

const DIGITS = /^[1-9]\d{0,31}$/;

/** The global id of an order given by its digits; undefined when they are none. */
export function toOrderGid(orderId: string): string | undefined {
  return DIGITS.test(orderId) ? `gid://shopify/Order/${orderId}` : undefined;
}

/** The digits of an order's global id; undefined when it is none. */
export function toOrderId(gid: string): string | undefined {
  return toGlobalIdDigits(gid, "Order");
}
