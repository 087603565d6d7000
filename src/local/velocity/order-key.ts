/** Names an order among its tenant's where velocity is counted. */
export function toOrderKey(orderId: string): string {
  return `order:${orderId}`;
}

const CONTENT = "content:";

/** Names an order that has no id by the keyed digest of its content. Never meets an id. */
export function toContentKey(fingerprint: string): string {
  return CONTENT + fingerprint;
}

/** Whether two such names may be one order: a basket that is changed while it is paid for has another content. */
export function isContentKey(orderKey: string): boolean {
  return orderKey.startsWith(CONTENT);
}
