import { createSerialQueue, pause } from "../../base/waiting.ts";
import type { LeaseStore } from "../leases.ts";
import type { OrderWriter } from "../orders/orders.ts";
import type { TenantStore } from "./tenants.ts";
import type { CredentialStore, TenantId } from "../../platform/platform.ts";

export interface CredentialsOptions {
  readonly store: {
    readonly tenants: TenantStore;
    readonly leases: LeaseStore;
    readonly orders: Pick<OrderWriter, "wakeTenant">;
  };
  readonly platform: string;
  /** Unique per process. */
  readonly owner: string;
  readonly now: () => number;
  /** Called after a tenant installed the app. Its work may have waited for access. */
  readonly onInstalled: (tenant: TenantId) => void;
}

/** Longer than any exchange with a platform's token endpoint. */
const LEASE_MS = 30_000;
const POLL_MS = 50;

/** Create the {@link CredentialStore} of a platform adapter, which stores secrets sealed. */
export function createCredentials(options: CredentialsOptions): CredentialStore {
  const { store, platform, owner, now } = options;
  /** Within this process, callers wait for each other without asking the store. */
  const inTurn = createSerialQueue();

  async function withLease<T>(name: string, work: () => Promise<T>): Promise<T> {
    const take = () => store.leases.acquire(name, owner, now(), now() + LEASE_MS, { endsWithProcess: true });
    while (!(await take())) await pause(POLL_MS);
    try {
      return await work();
    } finally {
      await store.leases.release(name, owner);
    }
  }

  return {
    load: (tenant) => store.tenants.loadCredential(tenant),
    async save(tenant, secret, occasion) {
      await store.tenants.saveCredential(tenant, platform, secret, occasion, now());
      if (occasion !== "installed") return;
      await store.orders.wakeTenant(tenant, now());
      options.onInstalled(tenant);
    },
    discard: (tenant, why) => store.tenants.discardCredential(tenant, why, now()),
    exclusively: (tenant, work) => inTurn(tenant, () => withLease(`credential:${tenant}`, work)),
  };
}
