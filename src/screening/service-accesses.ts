import { LRUCache } from "lru-cache";
import { atMost } from "../base/entry-limit.ts";
import type { Dispatcher } from "undici";
import { createClientPool } from "../service/client-pool.ts";
import { type ServiceConfig, parseServiceUrl, DEFAULT_TIMEOUT_MS } from "../service/client-options.ts";
import { toUnsentError } from "../base/errors.ts";
import type { Secret } from "../base/secret.ts";
import { wrapLogger, type Logger } from "../base/logger.ts";
import type { Entitlement, TenantId } from "../platform/platform.ts";
import type { CurrentSettings } from "../settings/current-settings.ts";
import type { OwnService } from "../settings/tenant-settings.ts";
import type { Keyring } from "../store/sealing/keyring.ts";
import { createVerificationClient, type VerificationClient, type Verifier } from "../service/client.ts";
import { toKeyId, type ServiceAccess } from "./screening-task.ts";
import { isLoopback, publicLookup } from "../base/public-address.ts";

/** How to reach the service with one key. Without an organization, it's discovered. */
type ServiceTarget = Pick<ServiceConfig, "url" | "organization"> & { readonly apiKey: string };

/** Finds the service and the key for a tenant's orders. */
export type ServiceAccesses = ReturnType<typeof createServiceAccesses>;

export interface ServiceAccessesOptions {
  /** The environment's service; undefined if there is none. */
  readonly service: ServiceConfig | undefined;
  /** Most connections to the service with one key. */
  readonly connections: number;
  /** Undici dispatcher for the environment's service. Default: one keep-alive pool per key. */
  readonly dispatcher?: Dispatcher | undefined;
  readonly logger: Logger;
  readonly now: () => number;
  /** Keys whose connections are kept at once. Default 200. */
  readonly maxClients?: number | undefined;
  readonly settings: Pick<CurrentSettings, "of">;
  readonly keyring: Keyring;
  /** Credits a UTC day that one tenant may spend with the environment's key. Default: no cap. */
  readonly tenantDailyCap?: number | undefined;
  /** Whether a tenant may use the environment's key. Default: every tenant may. */
  readonly entitlementOf?: ((tenant: TenantId) => Promise<Entitlement>) | undefined;
  /** Called with the former key's ID when a tenant's key was replaced, so that its state can be dropped. */
  readonly onReplaced?: ((keyId: string) => void) | undefined;
}

const TENANTS_KEPT = 10_000;
const MAX_CLIENTS = 200;
const OWN_PREFIX = "own-";

interface OwnAccess extends ServiceAccess {
  readonly target: ServiceTarget;
}

/** The tenant whose own key this is, by its id; undefined for the environment's. */
export function toKeyOwner(keyId: string): TenantId | undefined {
  const separator = keyId.indexOf(":");
  return keyId.startsWith(OWN_PREFIX) && separator > 0 ? keyId.slice(separator + 1) : undefined;
}

/** Adds the tenant to log lines about a tenant's own key, so that the tenant gets these alerts like its others. */
export function namingKeyOwners(logger: Logger): Logger {
  const name = (fields: Readonly<Record<string, unknown>>) => {
    const { keyId } = fields;
    const tenant = typeof keyId === "string" ? toKeyOwner(keyId) : undefined;
    return tenant === undefined ? fields : { ...fields, tenant };
  };
  return wrapLogger(logger, (write) => (fields, message) => write(name(fields), message));
}

export function createServiceAccesses(options: ServiceAccessesOptions) {
  const { service, settings, keyring } = options;
  const openTarget = (target: ServiceTarget) => openClient(options, target);
  const clients = createClientPool(options.maxClients ?? MAX_CLIENTS, openTarget);
  const latest = new LRUCache<TenantId, OwnAccess>(atMost(TENANTS_KEPT));
  const environment =
    service?.apiKey === undefined ? null : openEnvironment(options, service, service.apiKey);

  /** Whether the tenant may use the environment's key; null where there is none. */
  async function entitlement(tenant: TenantId): Promise<Entitlement | null> {
    if (environment === null) return null;
    return (await options.entitlementOf?.(tenant)) ?? { outcome: "entitled" };
  }

  function toOwn(tenant: TenantId, own: OwnService): OwnAccess | null {
    // Without an address of its own the key is for the environment's service, which may not be set any more.
    const url = own.url ?? service?.url;
    if (url === undefined) return null;
    const target = { url, apiKey: own.apiKey.reveal(), organization: own.organization };
    // Problems stay with the tenant, even if another tenant has the same key.
    const keyId = `${OWN_PREFIX}${toKeyId(keyring, tenant, target)}`;
    const verify: Verifier["verify"] = (request, limits) => clients.of(keyId, target).verify(request, limits);
    return { keyId, target, verifier: { verify } };
  }

  /** Notice in this process that a tenant's own key was replaced or removed. */
  function notice(tenant: TenantId, access: OwnAccess | null): void {
    const former = latest.get(tenant)?.keyId;
    if (former === access?.keyId) return;
    if (access === null) latest.delete(tenant);
    else latest.set(tenant, access);
    if (former === undefined) return;
    clients.closeWhenIdle(former);
    options.onReplaced?.(former);
  }

  return {
    /**
     * The tenant's own key, or the environment's if the tenant may use it; null for the local engine alone.
     *
     * @throws {HoldfastError} `STORE_UNAVAILABLE` if the settings can't be read.
     */
    async of(tenant: TenantId): Promise<ServiceAccess | null> {
      const { service: own } = await settings.of(tenant);
      const access = own === null ? null : toOwn(tenant, own);
      notice(tenant, access);
      if (access !== null || environment === null) return access;
      return (await entitlement(tenant))?.outcome === "entitled" ? environment.access : null;
    },
    entitlement,
    /** Identifies a tenant's own key without revealing it; undefined if it has no usable key. */
    toKeyId: (tenant: TenantId, own: OwnService | null) =>
      own === null ? undefined : toOwn(tenant, own)?.keyId,
    /** The free call with a key in use, which rejects as the service does. Shows whether a refused key works again. */
    async probe(keyId: string) {
      if (environment?.access.keyId === keyId) return environment.client.organizations();
      const owned = latest.get(toKeyOwner(keyId) ?? "");
      if (owned?.keyId === keyId) return clients.of(keyId, owned.target).organizations();
      throw toUnsentError("VERIFICATION_ABORTED", "this API key is no longer in use");
    },
    /** The free call with a key that isn't in use yet: the organizations that it reaches. */
    tryOut: (target: ServiceTarget) => clients.tryOut(target),
    /** Finish calls under way and close all connections. */
    async close() {
      await Promise.all([environment?.client.close(), clients.close()]);
    },
  };
}

function openEnvironment(options: ServiceAccessesOptions, service: ServiceConfig, key: Secret) {
  const apiKey = key.reveal();
  const { keyring, tenantDailyCap } = options;
  const client = openClient(options, { ...service, apiKey });
  // With the digest, a new key starts without the former one's state.
  const keyId = `environment-${keyring.digest("", "service-key", apiKey).slice(0, 8)}`;
  const access: ServiceAccess = { verifier: client, keyId, tenantDailyCap };
  return { client, access };
}

/** Connections to the service with one key. */
function openClient(
  { service, logger, now, connections, dispatcher }: ServiceAccessesOptions,
  target: ServiceTarget,
): VerificationClient {
  const timeoutMs = service?.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const common = { ...target, timeoutMs, connections, logger, now };
  if (target.url === service?.url) return createVerificationClient({ ...common, dispatcher });
  // The address isn't from the environment, so a host name may resolve to public addresses only.
  const { hostname } = new URL(parseServiceUrl(target.url).origin);
  return createVerificationClient({ ...common, lookup: isLoopback(hostname) ? undefined : publicLookup });
}
