import { describe, expect, it } from "vitest";
import { SILENT_LOGGER } from "../../../src/base/logger.ts";
import { Secret } from "../../../src/base/secret.ts";
import { createProductLookups } from "../../../src/pipeline/decide/product-lookups.ts";
import type { MappedOrder } from "../../../src/platform/platform.ts";
import { UNSET, type OwnCatalog } from "../../../src/settings/tenant-settings.ts";
import { startServer, type SeenRequest } from "../../service/loopback.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";
import { anOrder } from "../../support/orders.ts";
import { until } from "../../support/until.ts";

const ORDER = { tenant: "shopify:one.example", effects: "live" } as const;
const PRODUCT = {
  id: "1",
  sku: "MUG-1",
  name: "Mug",
  category: "Mugs",
  brand: " ",
  manufacturer: "W".repeat(300),
};

function mappedWith(...skus: readonly string[]): MappedOrder {
  const items = skus.map((sku) => ({ name: sku, quantity: 1, price: 1, sku }));
  return { outcome: "screenable", request: { ...anOrder(), items }, test: false };
}

/** A catalog with one product, and the requests it received. */
async function start(
  options: {
    readonly hasKey?: boolean;
    readonly isReadable?: boolean;
    readonly isDown?: boolean;
    readonly own?: () => OwnCatalog | null;
  } = {},
) {
  const server = await startServer((response) =>
    response.writeHead(options.isDown === true ? 503 : 200).end(
      JSON.stringify({
        success: true,
        data: { products: [PRODUCT], pagination: { page: 1, limit: 100, total: 1, totalPages: 1 } },
      }),
    ),
  );
  const { hasKey = true, isReadable = true, own = () => null } = options;
  const { logger, lines } = createLogRecorder();
  const apiKey = hasKey ? new Secret("environment-key") : undefined;
  const lookups = createProductLookups({
    catalog: { url: server.url, apiKey, organization: "shared" },
    settings: { of: async () => ({ ...UNSET, isReadable, catalog: own() }) },
    logger,
  });
  return { server, lookups, lines };
}

const toAsked = ({ url, headers }: SeenRequest) => [headers["x-api-key"], url].join(" ");

describe("createProductLookups", () => {
  it("finds an order's products with the environment's key, each SKU once, with bounded text lengths", async () => {
    const { server, lookups } = await start();
    const mapped = mappedWith("MUG-1", "MUG-1");

    const found = await until(async () => {
      const result = await lookups.lookUp(ORDER, mapped);
      return result.products.length > 0 && result;
    });
    const again = await lookups.lookUp(ORDER, mapped);

    const products = [{ sku: "MUG-1", category: "Mugs", manufacturer: "W".repeat(256) }];
    expect(found).toEqual({ products, limitations: [] });
    expect(again).toEqual(found);
    expect(server.seen.map(toAsked)).toEqual(["environment-key /api/shared/products/get"]);
    await lookups.close();
  });

  it("looks up the most valuable line first, wherever it is in the cart", async () => {
    const { server, lookups } = await start();
    const items = [
      { name: "decoy", quantity: 3, price: 2, sku: "D-1" },
      { name: "decoy", quantity: 1, price: 5, sku: "D-2" },
      { name: "Mug", quantity: 2, price: 90, sku: "MUG-1" },
    ];

    await lookups.lookUp(ORDER, { outcome: "screenable", request: { ...anOrder(), items }, test: false });

    expect(JSON.parse(server.seen[0]?.body ?? "")).toMatchObject({ search: "MUG-1" });
    await lookups.close();
  });

  it("asks with the tenant's own key as soon as there is one, and shares no answers between tenants", async () => {
    let own: OwnCatalog | null = null;
    const { server, lookups } = await start({ own: () => own });

    await lookups.lookUp(ORDER, mappedWith("MUG-1"));
    await lookups.lookUp({ ...ORDER, tenant: "shopify:two.example" }, mappedWith("MUG-1"));
    own = { apiKey: new Secret("own-key"), organization: "mine", savedAtMs: 1 };
    await lookups.lookUp(ORDER, mappedWith("MUG-1"));
    await lookups.close();

    expect(server.seen.map(toAsked)).toEqual([
      "environment-key /api/shared/products/get",
      "environment-key /api/shared/products/get",
      "own-key /api/mine/products/get",
    ]);
  });

  it("asks once for each of many tenants, over the key's few connections", async () => {
    const { server, lookups } = await start();
    const tenants = Array.from({ length: 250 }, (_, index) => `shopify:${index}.example`);
    for (const tenant of tenants) await lookups.lookUp({ ...ORDER, tenant }, mappedWith("MUG-1"));
    await until(() => server.seen.length === tenants.length);

    const again = await Promise.all(
      tenants.map((tenant) => lookups.lookUp({ ...ORDER, tenant }, mappedWith("MUG-1"))),
    );
    await lookups.close();

    expect(again.filter(({ products }) => products.length === 1)).toHaveLength(tenants.length);
    expect(server.seen).toHaveLength(tenants.length);
    expect(server.connections()).toBeLessThanOrEqual(10);
  });

  it("pauses a catalog that failed, even after many other tenants' orders", async () => {
    const { server, lookups } = await start({ isDown: true });
    const tenants = Array.from({ length: 250 }, (_, index) => `shopify:${index}.example`);
    for (const tenant of [...tenants, ...tenants])
      await lookups.lookUp({ ...ORDER, tenant }, mappedWith("MUG-1"));
    await lookups.close();

    expect(server.seen).toHaveLength(tenants.length);
  });

  it("asks nothing about sandbox, canceled or free orders, or without a key", async () => {
    const { server, lookups } = await start();
    const { lookups: keyless, server: unasked } = await start({ hasKey: false });
    const known = { items: [{ name: "Mug", quantity: 1, price: 1, sku: "MUG-1" }] };
    const ended = { outcome: "unscreenable", reason: "CANCELLED", known, test: false } as const;

    const found = await Promise.all([
      lookups.lookUp({ ...ORDER, effects: "none" }, mappedWith("MUG-1")),
      lookups.lookUp(ORDER, ended),
      lookups.lookUp(ORDER, { ...ended, reason: "ZERO_AMOUNT" }),
      lookups.lookUp(ORDER, mappedWith()),
      keyless.lookUp(ORDER, mappedWith("MUG-1")),
    ]);

    expect(found).toEqual(found.map(() => ({ products: [], limitations: [] })));
    expect([...server.seen, ...unasked.seen]).toEqual([]);
  });

  it("doesn't ask with the environment's key when the tenant's settings can't be decrypted", async () => {
    const { server, lookups } = await start({ isReadable: false });

    const found = await lookups.lookUp(ORDER, mappedWith("MUG-1"));
    await lookups.close();

    expect(found).toEqual({ products: [], limitations: ["PRODUCTS_UNKNOWN"] });
    expect(server.seen).toEqual([]);
  });

  it("finds nothing when the settings can't be read, and logs it without the key", async () => {
    const { logger, lines } = createLogRecorder();
    const lookups = createProductLookups({
      catalog: { url: "https://catalog.example", apiKey: new Secret("environment-key"), organization: "o" },
      settings: { of: () => Promise.reject(new Error("the database is down")) },
      logger,
    });

    expect(await lookups.lookUp(ORDER, mappedWith("MUG-1"))).toEqual({
      products: [],
      limitations: ["PRODUCTS_UNKNOWN"],
    });
    expect(JSON.stringify(lines)).not.toContain("environment-key");
    expect(lines).toHaveLength(1);
  });

  it("uses memory as products arrive, not the maximum from the start", async () => {
    const used = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
    const options = { catalog: undefined, settings: { of: async () => UNSET }, logger: SILENT_LOGGER };
    const before = used();

    const all = Array.from({ length: 20 }, () => createProductLookups(options));

    expect((used() - before) / all.length).toBeLessThan(500_000);
    await Promise.all(all.map((lookups) => lookups.close()));
  });
});
