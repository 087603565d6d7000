import type { ClaimShares } from "../../store/store.ts";
import type { TenantId } from "../../platform/platform.ts";

/** How much of the places each tenant's work has. */
export interface TenantShares {
  take(tenant: TenantId): void;
  leave(tenant: TenantId): void;
  /** What may still be taken. */
  rest(): ClaimShares;
  /** Whether somebody's share is taken up. */
  isAnyFull(): boolean;
}

/** Create {@link TenantShares}: nobody gets more than `max` places, so that a slow or flooded tenant leaves room. */
export function createTenantShares(max: number): TenantShares {
  const taken = new Map<TenantId, number>();

  return {
    take: (tenant) => void taken.set(tenant, (taken.get(tenant) ?? 0) + 1),
    leave(tenant) {
      const count = (taken.get(tenant) ?? 0) - 1;
      if (count > 0) taken.set(tenant, count);
      else taken.delete(tenant);
    },
    rest: () => ({ each: max, left: new Map(Array.from(taken, ([tenant, count]) => [tenant, max - count])) }),
    isAnyFull: () => [...taken.values()].some((count) => count >= max),
  };
}
