import type { ErrorCode } from "../../base/errors.ts";
import type { TenantId } from "../../platform/platform.ts";

/** A delivery to keep. */
export interface NewDelivery {
  readonly tenant: TenantId;
  readonly deliveryId: string;
  readonly platform: string;
  readonly topic: string;
  readonly receivedAtMs: number;
  readonly body: Buffer;
}

/** A kept delivery that this process has claimed. */
export interface ClaimedDelivery extends NewDelivery {
  readonly attempts: number;
}

/** Which delivery. */
export interface DeliveryKey {
  readonly tenant: TenantId;
  readonly deliveryId: string;
}

/** What other deliveries tell about the body of one. Older ones only: what came first is not a repeat. */
export interface BodyTrace {
  /** Another tenant's delivery brought the same body before, or in the same millisecond. */
  readonly underAnotherTenant: boolean;
  /** Another delivery of the same tenant and topic brought the same body before, and was carried out or waits to be. */
  readonly repeated: boolean;
}

/** How many deliveries wait for an installation. */
export interface AwaitingCounts {
  readonly ofTenant: number;
  readonly inAll: number;
}

/** How much of what is claimed each tenant may get. */
export interface ClaimShares {
  /** Rows for a tenant that `left` does not name. */
  readonly each: number;
  /** Rows left for the tenants that have some already; 0 for none. */
  readonly left: ReadonlyMap<TenantId, number>;
}

/** Who claims work, how much, and for how long. */
export interface ClaimOptions {
  /** Unique per process. */
  readonly owner: string;
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly limit: number;
  /** Heeded by claims of orders. Default: each may get all. */
  readonly shares?: ClaimShares;
}

/** Deliveries between their receipt and the end of the work they ask for. */
export interface DeliveryStore {
  /**
   * Keep deliveries durably in one transaction. Resolves, in the order of the input, to whether each was new; a repeat
   * of a kept `(tenant, deliveryId)`, also inside the same batch, is not.
   */
  saveDeliveries(deliveries: readonly NewDelivery[]): Promise<readonly boolean[]>;
  /** Claim due deliveries, oldest first, one tenant's flood not before another's first. */
  claimDeliveries(options: ClaimOptions): Promise<readonly ClaimedDelivery[]>;
  /** The delivery's work is done; its body is erased, its id stays for deduplication. */
  finishDelivery(key: DeliveryKey, owner: string, outcome: string): Promise<void>;
  /** Try again later. */
  retryDelivery(key: DeliveryKey, owner: string, dueAtMs: number, error: ErrorCode | null): Promise<void>;
  /** What is known of a delivery's body. One whose outcome begins with `ignored` or `refused` was not carried out. */
  traceBody(key: DeliveryKey): Promise<BodyTrace>;
  /**
   * Keep a delivery, sealed, until its tenant installs the app: {@link TenantStore.saveCredential} makes it due.
   * Resolves to `false`, changing nothing, when the tenant is installed by now.
   */
  awaitInstallation(key: DeliveryKey, owner: string): Promise<boolean>;
  countAwaiting(tenant: TenantId): Promise<AwaitingCounts>;
}
