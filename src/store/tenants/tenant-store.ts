import type { AccessEnd, TenantId } from "../../platform/platform.ts";
import type { TimelineEntry } from "../orders/order-record.ts";
import type { CustomerOrder } from "../orders/order-record.ts";

/** A tenant as kept. */
export interface TenantRecord {
  readonly tenant: TenantId;
  readonly platform: string;
  readonly state: "installed" | "uninstalled";
  readonly installedAtMs: number;
  /** When it left; null while it is installed. */
  readonly uninstalledAtMs: number | null;
  /** The platform refused access that should still have worked, as it does once the app was uninstalled there. */
  readonly accessRefused: boolean;
}

/** Something that may be done only so often. */
export interface Quota {
  readonly tenant: TenantId;
  readonly name: string;
  readonly key: string;
  readonly sinceMs: number;
  readonly max: number;
  readonly nowMs: number;
}

/** One version of a tenant's policy; the document is validated by the caller. */
export interface PolicyVersion {
  readonly version: number;
  readonly document: unknown;
  readonly savedAtMs: number;
}

/** Which orders to erase. */
export interface ErasureRequest {
  readonly tenant: TenantId;
  readonly orderIds: readonly string[];
  readonly customerId: string | undefined;
  /** Matched against the sealed request of every order of the tenant, without regard to case. */
  readonly email: string | undefined;
}

/** Tenants: their access to a platform, leases and quotas, policies, and what is erased or reported for their customers. */
export interface TenantStore {
  getTenant(tenant: TenantId): Promise<TenantRecord | null>;
  /**
   * Keep a tenant's secret. `installed` makes it an installed tenant from `nowMs` on, and due what waited for that;
   * `refreshed` is ignored unless it is one.
   */
  saveCredential(
    tenant: TenantId,
    platform: string,
    secret: string,
    occasion: "installed" | "refreshed",
    nowMs: number,
  ): Promise<void>;
  /** Tenants that are installed, with the platform of each. */
  listInstalled(): Promise<readonly Pick<TenantRecord, "tenant" | "platform" | "installedAtMs">[]>;
  loadCredential(tenant: TenantId): Promise<string | null>;
  /** Forget a tenant's secret. `refused`: the platform no longer takes it although its time had not run out. */
  discardCredential(tenant: TenantId, why: AccessEnd, nowMs: number): Promise<void>;
  /**
   * The tenant uninstalled: secrets go, its unfinished orders are settled with the entry. Nothing changes when it is
   * `not-installed`, or was installed after `atMs`.
   */
  uninstallTenant(
    tenant: TenantId,
    atMs: number,
    entry: TimelineEntry,
  ): Promise<"uninstalled" | "not-installed" | "installed-again">;
  /**
   * A named lease, for work that only one process may do. `false`: somebody else has it. Repeatable by its owner. One
   * that ends over an hour later than `untilMs` is given away: a clock that was ahead took it.
   */
  acquireLease(
    name: string,
    owner: string,
    nowMs: number,
    untilMs: number,
    options?: {
      /**
       * The lease ends when this process is gone, even before `untilMs`: for work that another process then has to do.
       *
       * @default false
       */
      readonly endsWithProcess?: boolean;
    },
  ): Promise<boolean>;
  releaseLease(name: string, owner: string): Promise<void>;
  /**
   * Take one of `max` places in the time since `sinceMs`, for `key`. Who has a place keeps it: the same key is let
   * through again.
   */
  takeQuota(quota: Quota): Promise<boolean>;
  /**
   * Deliveries of a tenant that were received before `beforeMs` and still need work, and its orders without a
   * decision: what a request to erase a customer has to wait for, or it would lose an order.
   */
  countUndecided(tenant: TenantId, beforeMs: number): Promise<number>;
  /** The newest policy; null for the default one. */
  loadPolicy(tenant: TenantId): Promise<PolicyVersion | null>;
  /**
   * Save the next version. `null` when `expectedVersion` is not the newest (0 for the default).
   *
   * @param actor - Who saved it, `person:ID`: kept with it and noted in the access log, together with it or not at all.
   *   Default: nobody is named, and nothing noted.
   */
  savePolicy(
    tenant: TenantId,
    document: unknown,
    expectedVersion: number | undefined,
    nowMs: number,
    actor?: string,
  ): Promise<PolicyVersion | null>;
  /**
   * Erase what is personal of the matching orders (requests, answers, kept answers, delivery bodies, customer
   * ids), leaving decisions and ledger. One at a time in a tenant. Resolves to the erased order ids.
   */
  eraseOrders(request: ErasureRequest, entry: TimelineEntry): Promise<readonly string[]>;
  /**
   * Erase the tenant: every row of every table. Resolves to `false`, changing nothing, when it was installed after
   * `installedBeforeMs`. Default: erased in any case. That moment is kept, under a digest that names nobody.
   */
  eraseTenant(tenant: TenantId, installedBeforeMs?: number): Promise<boolean>;
  /** The `installedBeforeMs` of the tenant's last erasure: what it knew until then may have been known. Null: none. */
  findErasure(tenant: TenantId): Promise<number | null>;
  /** Orders of one customer, for a data request. */
  findCustomerOrders(request: ErasureRequest): Promise<readonly CustomerOrder[]>;
  /** Keep the answer to a customer's data request for the tenant to fetch, sealed. A repeat replaces it. */
  saveReport(tenant: TenantId, requestId: string, content: string, nowMs: number): Promise<void>;
  /** Newest first. */
  listReports(
    tenant: TenantId,
  ): Promise<readonly { readonly requestId: string; readonly savedAtMs: number }[]>;
  getReport(tenant: TenantId, requestId: string): Promise<string | null>;
}
