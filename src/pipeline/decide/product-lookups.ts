import type { Dispatcher } from "undici";
import { LRUCache } from "lru-cache";
import { atMost } from "../../base/entry-limit.ts";
import { toConfigError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import {
  createCatalogClient,
  type CatalogClient,
  type CatalogClientOptions,
} from "../../catalog/catalog-client.ts";
import {
  createOrderEnricher,
  type KeptProduct,
  type OrderEnricher,
  type ProductCache,
} from "../../catalog/order-enricher.ts";
import { isNothingLeft } from "../../order/skip-reasons.ts";
import { isMadeUp } from "../../order/order-effects.ts";
import { toKnown, type MappedOrder, type TenantId } from "../../platform/platform.ts";
import { createClientPool } from "../../service/client-pool.ts";
import type { ServiceConfig } from "../../service/client-options.ts";
import type { CurrentSettings } from "../../settings/current-settings.ts";
import type { FoundProducts, ProductLookup } from "../tasks.ts";

/** The result if there is nothing to look up or no catalog. */
export const NO_PRODUCTS: FoundProducts = { products: [], limitations: [] };
const LIMITATIONS = ["PRODUCTS_UNKNOWN"];
const UNKNOWN: FoundProducts = { products: [], limitations: LIMITATIONS };

export type ProductLookups = ReturnType<typeof createProductLookups>;

export interface ProductLookupsOptions {
  /** The catalog's address, and the key for tenants without their own. Undefined if there is no catalog. */
  readonly catalog: Omit<ServiceConfig, "timeoutMs"> | undefined;
  /** Sends the calls. @default its own connections */
  readonly dispatcher?: Dispatcher | undefined;
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

/** Each tenant has its own request limit and sees only its own answers. Tenants with the same key share connections. */
export function createProductLookups(options: ProductLookupsOptions) {
  const { catalog, dispatcher, settings, logger } = options;
  const clients = createClientPool(CLIENTS_KEPT, (target: CatalogTarget) => open({ ...target, dispatcher }));
  const tenants = new LRUCache<TenantId, { readonly keyId: string; readonly enricher: OrderEnricher }>({
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
    const target = { url, apiKey: apiKey.reveal(), organization };
    const keyId = JSON.stringify([target.apiKey, organization ?? null]);
    const known = tenants.get(tenant);
    if (known?.keyId === keyId) return known.enricher;
    const list: CatalogClient["products"]["list"] = (...args) =>
      clients.of(keyId, target).products.list(...args);
    opened += 1;
    const asked = { catalog: { products: { list } }, cache: toOwnCache(products, opened) };
    const enricher = createOrderEnricher({ ...asked, timeoutMs: LOOKUP_TIMEOUT_MS, logger });
    tenants.set(tenant, { keyId, enricher });
    return enricher;
  }

  const lookUp: ProductLookup = async (order, mapped) => {
    // A made-up order has made-up products.
    if (isMadeUp(order) || isNeverJudged(mapped)) return NO_PRODUCTS;
    const skus = listSkus(mapped);
    if (skus.every((sku) => sku === undefined)) return NO_PRODUCTS;
    try {
      const enricher = await enricherOf(order.tenant);
      if (enricher === null) return NO_PRODUCTS;
      if (enricher === "unknown") return UNKNOWN;
      const { known, missing } = await enricher.lookUp(skus);
      return { products: known, limitations: missing.length === 0 ? [] : LIMITATIONS };
    } catch (error) {
      logger.warn({ err: error, tenant: order.tenant }, "an order's products couldn't be looked up");
      return UNKNOWN;
    }
  };

  return {
    lookUp,
    /**
     * Check a new key with the free call: the organizations that it reaches.
     *
     * @throws {HoldfastError} like the catalog client, and `CONFIG_INVALID` without a catalog.
     */
    async tryOut(apiKey: string) {
      if (catalog === undefined) throw toConfigError("CATALOG_URL isn't set");
      return clients.tryOut({ url: catalog.url, apiKey });
    },
    /** Finish requests under way, and close all connections. */
    async close(): Promise<void> {
      tenants.clear();
      await clients.close();
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

type CatalogTarget = Pick<CatalogClientOptions, "url" | "apiKey" | "organization">;

function open(target: CatalogTarget & Pick<CatalogClientOptions, "dispatcher">): CatalogClient {
  return createCatalogClient({
    ...target,
    timeoutMs: CALL_TIMEOUT_MS,
    connections: 10,
    retries: 0,
    // Don't wait for a rate limit: the next order asks again.
    maxWaitMs: 0,
  });
}

/** Orders that aren't judged. */
function isNeverJudged(mapped: MappedOrder): boolean {
  return mapped.outcome === "unscreenable" && isNothingLeft(mapped.reason);
}
