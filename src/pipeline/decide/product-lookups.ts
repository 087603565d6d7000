import { LRUCache } from "lru-cache";
import { atMost } from "../../base/entry-limit.ts";
import { HoldfastError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import { createCatalogClient, type CatalogClient } from "../../catalog/catalog-client.ts";
import {
  createOrderEnricher,
  type KeptProduct,
  type OrderEnricher,
  type OrderProducts,
  type ProductCache,
} from "../../catalog/order-enricher.ts";
import type { KnownProduct } from "../../order/order-context.ts";
import { toKnown, SANDBOX_PLATFORM, type MappedOrder, type TenantId } from "../../platform/platform.ts";
import type { ServiceConfig } from "../../service/client-options.ts";
import type { Organization } from "../../service/organization.ts";
import type { CurrentSettings } from "../../settings/current-settings.ts";

/** The result of looking up an order's products. */
export interface FoundProducts {
  /** The products that the catalog knows. */
  readonly products: readonly KnownProduct[];
  /** `PRODUCTS_UNKNOWN` when the catalog didn't answer about all of them in time. */
  readonly limitations: readonly string[];
}

/** Looks up an order's products in the tenant's catalog, if it has one, within two seconds. Never rejects. */
export type ProductLookup = (
  order: { readonly tenant: TenantId; readonly platform: string },
  mapped: MappedOrder,
) => Promise<FoundProducts>;

/** The result if there is nothing to look up or no catalog. */
export const NO_PRODUCTS: FoundProducts = { products: [], limitations: [] };
const LIMITATIONS = ["PRODUCTS_UNKNOWN"];
const UNKNOWN: FoundProducts = { products: [], limitations: LIMITATIONS };

/** The catalogs of all tenants. */
export interface ProductLookups {
  readonly lookUp: ProductLookup;
  /**
   * Check a new key with the free call: the organizations that it reaches.
   *
   * @throws {HoldfastError} like the catalog client, and `CONFIG_INVALID` without a catalog.
   */
  tryOut(apiKey: string): Promise<readonly Organization[]>;
  /** Finish requests under way, and close all connections. */
  close(): Promise<void>;
}

/** Parts of {@link createProductLookups}. */
export interface ProductLookupsOptions {
  /** The catalog's address, and the key for tenants without their own. Undefined if there is no catalog. */
  readonly catalog: Omit<ServiceConfig, "timeoutMs"> | undefined;
  readonly settings: Pick<CurrentSettings, "of">;
  readonly logger: Logger;
}

/** How long an order waits for the catalog, while the platform is asked for detail. */
const LOOKUP_TIMEOUT_MS = 2_000;
/** A later answer than that still serves the next order. */
const CALL_TIMEOUT_MS = 5_000;
/** How many tenants' request limits and pauses are remembered. */
const TENANTS_KEPT = 10_000;
/** How many products of all tenants are cached. A product takes about half a kilobyte. */
const PRODUCTS_KEPT = 200_000;
/** How many keys have open connections. A key that is used again after this many others reconnects. */
const CLIENTS_KEPT = 200;

/** One tenant's catalog. */
interface TenantCatalog {
  readonly keyId: string;
  readonly enricher: OrderEnricher;
}

/**
 * Create {@link ProductLookups}. Each tenant has its own request limit and finds its own answers alone; tenants with the same
 * key share its connections.
 */
export function createProductLookups(options: ProductLookupsOptions): ProductLookups {
  const { catalog, settings, logger } = options;
  const clients = createClients();
  const tenants = new LRUCache<TenantId, TenantCatalog>({
    ...atMost(TENANTS_KEPT),
    dispose: ({ enricher }) => enricher.close(),
  });
  const products = new LRUCache<string, KeptProduct>(atMost(PRODUCTS_KEPT));
  let opened = 0;

  async function enricherOf(tenant: TenantId): Promise<OrderEnricher | "unknown" | null> {
    if (catalog === undefined) return null;
    const { url } = catalog;
    const { catalog: own, isReadable } = await settings.of(tenant);
    // The tenant may have its own catalog, and the environment's key may belong to another merchant.
    if (!isReadable) return "unknown";
    const { apiKey, organization } = own ?? catalog;
    if (apiKey === undefined) return null;
    const key = apiKey.reveal();
    const keyId = JSON.stringify([key, organization ?? null]);
    const known = tenants.get(tenant);
    if (known?.keyId === keyId) return known.enricher;
    // Get the client for each request: it may have been closed to make room for others.
    const list: CatalogClient["products"]["list"] = (...args) =>
      clients.of(keyId, () => open(url, key, organization)).products.list(...args);
    opened += 1;
    const asked = { catalog: { products: { list } }, cache: toOwnCache(products, opened) };
    const enricher = createOrderEnricher({ ...asked, timeoutMs: LOOKUP_TIMEOUT_MS, logger });
    tenants.set(tenant, { keyId, enricher });
    return enricher;
  }

  return {
    async lookUp({ tenant, platform }, mapped) {
      // A made-up order has made-up products.
      if (platform === SANDBOX_PLATFORM || isLeftAlone(mapped)) return NO_PRODUCTS;
      const skus = listSkus(mapped);
      if (skus.every((sku) => sku === undefined)) return NO_PRODUCTS;
      try {
        const enricher = await enricherOf(tenant);
        if (enricher === null) return NO_PRODUCTS;
        if (enricher === "unknown") return UNKNOWN;
        return toFound(await enricher.lookUp(skus));
      } catch (error) {
        logger.warn({ err: error, tenant }, "an order's products couldn't be looked up");
        return UNKNOWN;
      }
    },
    async tryOut(apiKey) {
      if (catalog === undefined) {
        throw new HoldfastError("CONFIG_INVALID", "CATALOG_URL isn't set", { retryable: false });
      }
      const client = open(catalog.url, apiKey);
      try {
        return await client.organizations();
      } finally {
        await client.close();
      }
    },
    async close() {
      tenants.clear();
      await clients.close();
    },
  };
}

/** Clients by key and organization. */
function createClients() {
  const closing = new Set<Promise<void>>();
  const clients = new LRUCache<string, CatalogClient>({
    max: CLIENTS_KEPT,
    dispose(client) {
      const closed = client.close().finally(() => closing.delete(closed));
      closing.add(closed);
    },
  });
  return {
    of(keyId: string, make: () => CatalogClient): CatalogClient {
      const client = clients.get(keyId) ?? make();
      clients.set(keyId, client);
      return client;
    },
    async close(): Promise<void> {
      clients.clear();
      await Promise.all(closing);
    },
  };
}

/** One tenant's part of the shared cache. */
function toOwnCache(shared: LRUCache<string, KeptProduct>, owner: number): ProductCache {
  const toKey = (sku: string) => `${owner} ${sku}`;
  return {
    get: (sku) => shared.get(toKey(sku)),
    set: (sku, kept, { ttl }) => void shared.set(toKey(sku), kept, { ttl }),
  };
}

/** Most valuable line first, so that cheap items in the cart don't delay its lookup. */
function listSkus(mapped: MappedOrder): readonly (string | undefined)[] {
  const items = toKnown(mapped).items ?? [];
  return items
    .toSorted((one, other) => other.price * other.quantity - one.price * one.quantity)
    .map(({ sku }) => sku);
}

function toFound({ known, missing }: OrderProducts): FoundProducts {
  return { products: known, limitations: missing.length === 0 ? [] : LIMITATIONS };
}

function open(url: string, apiKey: string, organization?: string): CatalogClient {
  return createCatalogClient({
    url,
    apiKey,
    organization,
    timeoutMs: CALL_TIMEOUT_MS,
    connections: 10,
    retries: 0,
    // Don't wait for a rate limit: the next order asks again.
    maxWaitMs: 0,
  });
}

/** Orders that aren't judged. */
function isLeftAlone(mapped: MappedOrder): boolean {
  return (
    mapped.outcome === "unscreenable" && (mapped.reason === "CANCELLED" || mapped.reason === "ZERO_AMOUNT")
  );
}
