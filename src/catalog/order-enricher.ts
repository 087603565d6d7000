import { LRUCache } from "lru-cache";
import { atMost } from "../base/entry-limit.ts";
import { SILENT_LOGGER, type Logger } from "../base/logger.ts";
import { checkOptions, type OptionRules } from "../base/options.ts";
import { withinDeadline } from "../base/waiting.ts";
import type { KnownProduct } from "../order/order-context.ts";
import { cutText } from "../order/text.ts";
import { checkNumber } from "../service/client-options.ts";
import type { CatalogMethods } from "./operations/catalog-operations.ts";
import { createPacedQueue } from "./paced-queue.ts";

/** The catalog's data about a product. */
export interface ProductFacts {
  /** Levels from the top, e.g. `Shoes > Boots`. */
  readonly category: string | null;
  readonly brand: string | null;
  readonly manufacturer: string | null;
}

/** The catalog's data about an order's lines. Each list has a value only once. */
export interface OrderProducts {
  readonly productCategory: readonly string[];
  readonly brand: readonly string[];
  readonly manufacturer: readonly string[];
  /** What is known about each product, in the format of a check's `context.products`. */
  readonly known: readonly KnownProduct[];
  /** By SKU. */
  readonly products: ReadonlyMap<string, ProductFacts>;
  /** SKUs that the catalog does not have. */
  readonly unknown: readonly string[];
  /** SKUs without an answer in time, or that aren't on the first of several pages of search results. */
  readonly missing: readonly string[];
}

/** The cached data of a SKU; `null` if the catalog doesn't have it. */
export interface KeptProduct {
  readonly facts: ProductFacts | null;
}

/** Keeps answers by SKU, each for `ttl` milliseconds at most. */
export interface ProductCache {
  get(sku: string): KeptProduct | undefined;
  set(sku: string, kept: KeptProduct, options: { readonly ttl: number }): void;
}

/** Options of {@link createOrderEnricher}. */
export interface OrderEnricherOptions {
  /** Pass a separate client: its `timeoutMs` and `retries` limit how long a late answer is awaited. */
  readonly catalog: { readonly products: Pick<CatalogMethods["products"], "list"> };
  /** Time limit of a lookup, in milliseconds. Default 300. */
  readonly timeoutMs?: number | undefined;
  /** Most requests per second, after those of `burst`. Default 1. */
  readonly perSecond?: number | undefined;
  /** Most requests at once after a quiet time. Default 1. */
  readonly burst?: number | undefined;
  /** How long an answer is kept, in milliseconds. Default a day; a SKU that the catalog does not have, an hour at most. */
  readonly keepMs?: number | undefined;
  /** Most SKUs that are kept. Default 10000. */
  readonly keepSkus?: number | undefined;
  /** Where answers are kept. `keepSkus` doesn't apply to it. Default: in the enricher's own cache. */
  readonly cache?: ProductCache | undefined;
  readonly logger?: Logger | undefined;
  /** Clock of the request limit, in milliseconds. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** Looks up the products of an order's lines. */
export type OrderEnricher = ReturnType<typeof createOrderEnricher>;

const DEFAULTS = { timeoutMs: 300, perSecond: 1, burst: 1, keepMs: 86_400_000, keepSkus: 10_000 };
const OPTIONS: OptionRules<OrderEnricherOptions> = {
  catalog: {
    expected: "the result of createCatalogClient",
    is: (catalog) => typeof (catalog as Partial<CatalogMethods> | undefined)?.products?.list === "function",
    isRequired: true,
  },
  timeoutMs: true,
  perSecond: true,
  burst: true,
  keepMs: true,
  keepSkus: true,
  cache: { expected: "functions get and set", is: ["get", "set"] },
  logger: "logger",
  now: "function",
};
/** A newly added product should be found soon. */
const MAX_KEEP_UNKNOWN_MS = 3_600_000;
/** Most SKUs that are looked up for one order. */
const MAX_SKUS = 50;
/** The catalog's longest SKU. */
const MAX_SKU_LENGTH = 64;
/** The longest text of a product that the catalog documents. */
const TEXT_LENGTH = 256;
/** After a failure, the catalog isn't called for this long: orders don't wait for it, and the log stays short. */
const PAUSE_MS = 10_000;
/** Most SKUs that wait or are being requested. Further ones are `missing`: a slow catalog can't pile them up. */
const MAX_OPEN = 100;

function check(options: OrderEnricherOptions): typeof DEFAULTS {
  const limits = { ...DEFAULTS };
  for (const name of Object.keys(DEFAULTS) as (keyof typeof DEFAULTS)[]) {
    const { [name]: value = DEFAULTS[name] } = options;
    limits[name] = checkNumber(`\`${name}\``, value, { isPositive: true });
  }
  return limits;
}

/**
 * Create an {@link OrderEnricher} over a catalog. It only reads, so it spends no credits. It sends only an order's
 * SKUs.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` naming the option at fault.
 */
export function createOrderEnricher(given: OrderEnricherOptions) {
  const options = checkOptions("createOrderEnricher", given, OPTIONS);
  const { timeoutMs, perSecond, burst, keepMs, keepSkus } = check(options);
  const { catalog, logger = SILENT_LOGGER, now = () => performance.now() } = options;
  const kept: ProductCache =
    options.cache ?? new LRUCache<string, KeptProduct>({ ...atMost(Math.ceil(keepSkus)), ttl: keepMs });
  const queue = createPacedQueue({ ask, perSecond, burst, most: MAX_OPEN, now });

  /** Ask for one SKU. The catalog searches many fields, so only an exact match counts. */
  async function ask(sku: string): Promise<KeptProduct | undefined> {
    try {
      const { entries, totalPages } = await catalog.products.list({ search: sku, limit: 100 }).page(1);
      const found = entries.find((product) => product.sku === sku);
      // It may be on a later page, which would cost another request.
      if (found === undefined && totalPages > 1) return undefined;
      const facts = found === undefined ? null : pickFacts(found);
      const ttl = facts === null ? Math.min(keepMs, MAX_KEEP_UNKNOWN_MS) : keepMs;
      kept.set(sku, { facts }, { ttl });
      return { facts };
    } catch (error) {
      if (queue.pause(PAUSE_MS)) logger.warn({ err: error }, "the catalog couldn't be asked for a product");
      return undefined;
    }
  }

  return {
    /**
     * Look SKUs up, within the time limit. Never throws: SKUs without an answer are `missing`, and are fetched afterwards
     * for the next order. SKUs are looked up in the given order: put the most important ones first.
     */
    async lookUp(skus: readonly (string | undefined)[]): Promise<OrderProducts> {
      const wanted = [...new Set(skus)].filter(
        (sku): sku is string => typeof sku === "string" && sku.trim() !== "" && sku.length <= MAX_SKU_LENGTH,
      );
      const found = new Map<string, KeptProduct>();
      const over = new AbortController();
      const all = wanted.slice(0, MAX_SKUS).map(async (sku) => {
        const answer = kept.get(sku) ?? (await queue.ask(sku, over.signal));
        if (answer !== undefined) found.set(sku, answer);
      });
      await withinDeadline(Promise.all(all), timeoutMs);
      over.abort();
      return toProducts(wanted, found);
    },
    /** Send no further requests. Cached products are still found. */
    close: () => queue.close(),
  };
}

function pickFacts({ category, brand, manufacturer }: ProductFacts): ProductFacts {
  return { category, brand, manufacturer };
}

function toTexts(facts: ProductFacts): Omit<KnownProduct, "sku"> {
  const known = Object.entries(facts).filter(([, text]) => text !== null && text.trim() !== "");
  return Object.fromEntries(known.map(([name, text]) => [name, cutText(text ?? "", TEXT_LENGTH)]));
}

function toProducts(wanted: readonly string[], found: ReadonlyMap<string, KeptProduct>): OrderProducts {
  // A copy, so that late answers don't change the returned result.
  const products = new Map([...found].flatMap(([sku, { facts }]) => (facts === null ? [] : [[sku, facts]])));
  const values = (field: keyof ProductFacts) => [
    ...new Set([...products.values()].map((facts) => facts[field]).filter((value) => value !== null)),
  ];
  return {
    productCategory: values("category"),
    brand: values("brand"),
    manufacturer: values("manufacturer"),
    known: [...products].map(([sku, facts]) => ({ sku, ...toTexts(facts) })),
    products,
    unknown: wanted.filter((sku) => found.get(sku)?.facts === null),
    missing: wanted.filter((sku) => !found.has(sku)),
  };
}
