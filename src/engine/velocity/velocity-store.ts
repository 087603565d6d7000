import type { TenantId } from "../../platform/platform.ts";
import type { VelocityKeys } from "./keys.ts";
import type { VelocityCounts } from "./velocity-counts.ts";

export type { VelocityCounts } from "./velocity-counts.ts";

/** Remembers orders by what they can be recognised by, for a little more than a week. */
export interface VelocityStore {
  /**
   * Remember an order and count what it shares with the tenant's other orders placed before it. An order that is
   * recorded again takes its own place, with its newest keys and time, and never counts twice. Of two orders recorded
   * at once, at least one sees the other.
   *
   * A flood under one key keeps no more of itself than is looked at: 100 orders.
   *
   * @param orderKey Names the order among the tenant's. Not personal.
   * @param atMs When the order was placed, never later than now: what is much older than it is forgotten.
   */
  record(tenant: TenantId, orderKey: string, keys: VelocityKeys, atMs: number): Promise<VelocityCounts>;
  /**
   * The same, for a caller who may not need the counts: they are counted when they are asked for, and are what they were when
   * the order was remembered. Absent: to count costs little beside remembering.
   */
  remember?(tenant: TenantId, orderKey: string, keys: VelocityKeys, atMs: number): Promise<CountOrders>;
}

/** Counts what an order shared with those before it when it was remembered. */
export type CountOrders = () => VelocityCounts;
