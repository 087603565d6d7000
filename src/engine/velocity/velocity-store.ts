import type { TenantId } from "../../platform/platform.ts";
import type { VelocityKeys } from "./keys.ts";
import type { VelocityCounts } from "../facts/velocity-counts.ts";

export type { VelocityCounts } from "../facts/velocity-counts.ts";

/** Remembers orders by their recognizable data, for a little more than a week. */
export interface VelocityStore {
  /**
   * Record an order and count what it shares with the tenant's earlier orders. Recording it again replaces its keys and time,
   * so it never counts twice. Of two orders recorded at once, at least one sees the other.
   *
   * At most 100 orders of a flood under one key are stored.
   *
   * @param orderKey The order's name, unique within the tenant. Not personal.
   * @param atMs When the order was placed, never later than now. Much older orders are dropped.
   */
  record(tenant: TenantId, orderKey: string, keys: VelocityKeys, atMs: number): Promise<VelocityCounts>;
  /**
   * The same for a caller that may not need the counts: they are computed on request, as of the time of recording. Absent if
   * counting costs little compared with recording.
   */
  remember?(tenant: TenantId, orderKey: string, keys: VelocityKeys, atMs: number): Promise<CountOrders>;
}

/** Counts what an order shared with earlier ones when it was recorded. */
export type CountOrders = () => VelocityCounts;
