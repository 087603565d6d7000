import type { TenantId } from "./platform.ts";

/** How much of the places each tenant's work has. */
export interface TenantShares {
  /** Take one more place for a tenant; `false` when it has its share already. */
  take(tenant: TenantId): boolean;
  leave(tenant: TenantId): void;
}

/** Create {@link TenantShares}: nobody gets more than `max` places, so that a slow or flooded tenant leaves room. */
export function createTenantShares(max: number): TenantShares {
  const taken = new Map<TenantId, number>();

  return {
    take(tenant) {
      const count = taken.get(tenant) ?? 0;
      if (count >= max) return false;
      taken.set(tenant, count + 1);
      return true;
    },
    leave(tenant) {
      const count = (taken.get(tenant) ?? 0) - 1;
      if (count > 0) taken.set(tenant, count);
      else taken.delete(tenant);
    },
  };
}
