/**
 * What an order may touch. It is set when the order is received and never changes:
 *
 * - `live`: the platform follows the order's decisions.
 * - `record`: an older order, imported for the record. It is checked, decided and shown, but Holdfast changes nothing on the
 *   platform unless a person decides so. It is no part of a flood, and no measure of how fast Holdfast decides.
 * - `none`: made up in the console. Its steps are carried out in the sandbox, so nothing real is touched. The service and the
 *   catalog never hear of it, and the shop's statistics, replays and outcomes leave it out.
 */
export const ORDER_EFFECTS = ["live", "record", "none"] as const;
/** One of {@link ORDER_EFFECTS}. */
export type OrderEffects = (typeof ORDER_EFFECTS)[number];

interface Received {
  readonly effects: OrderEffects;
}

export function isLive({ effects }: Received): boolean {
  return effects === "live";
}

export function isForRecord({ effects }: Received): boolean {
  return effects === "record";
}

export function isMadeUp({ effects }: Received): boolean {
  return effects === "none";
}
