/** Names an order among its tenant's where velocity is counted. */
export function toOrderKey(orderId: string): string {
  return `order:${orderId}`;
}

const CONTENT = "content:";
const CHECK = "#";

/**
 * Names an order that has no id by the keyed digest of its content and, where each check of that content counts, by the
 * check. Never meets an id.
 */
export function toContentKey(fingerprint: string, checkId?: string): string {
  return checkId === undefined ? CONTENT + fingerprint : `${CONTENT}${fingerprint}${CHECK}${checkId}`;
}

/** The content that an order without an id is named by; undefined for one with an id. */
export function findContent(orderKey: string): string | undefined {
  return orderKey.startsWith(CONTENT) ? orderKey.split(CHECK, 1)[0] : undefined;
}
