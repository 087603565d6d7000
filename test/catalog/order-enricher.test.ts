import { describe, expect, it } from "vitest";
import { createOrderEnricher, type OrderEnricherOptions } from "../../src/catalog.ts";
import { startServer } from "../service/loopback.ts";
import { until } from "../support/until.ts";
import { startCatalog, type CatalogStage } from "./catalog-stage.ts";

/** A catalog of three products, and an enricher with a request limit that doesn't interfere. */
async function start(options: Partial<OrderEnricherOptions> = {}) {
  const stage = await startCatalog();
  const { client } = stage;
  await client.products.bulkCreate({
    products: [
      { sku: "B-1", name: "Boot", brand: "Acme", category: "Shoes > Boots", manufacturer: "Acme Inc" },
      { sku: "B-10", name: "Boot, black", brand: "Acme", category: "Shoes > Boots" },
      { sku: "C-1", name: "Gift card", category: "Gift cards" },
    ],
  });
  const enricher = createOrderEnricher({
    catalog: client,
    perSecond: 1_000_000,
    timeoutMs: 60_000,
    ...options,
  });
  return { ...stage, enricher };
}

/** A catalog client that counts the lists requested from it. */
function counting({ client }: CatalogStage) {
  const searched: (string | undefined)[] = [];
  const list: typeof client.products.list = (query, options) => {
    searched.push(query?.search);
    return client.products.list(query, options);
  };
  return { searched, catalog: { products: { list } } };
}

describe("createOrderEnricher", () => {
  it("finds products by their exact SKU, each value once", async () => {
    const { enricher } = await start();

    const found = await enricher.lookUp(["B-1", "B-10", undefined, "", "B-1", "C-1", "b-1", "nothing"]);

    expect(found).toMatchObject({
      productCategory: ["Shoes > Boots", "Gift cards"],
      brand: ["Acme"],
      manufacturer: ["Acme Inc"],
      unknown: ["b-1", "nothing"],
      missing: [],
    });
    expect(found.known).toEqual([
      { sku: "B-1", category: "Shoes > Boots", brand: "Acme", manufacturer: "Acme Inc" },
      { sku: "B-10", category: "Shoes > Boots", brand: "Acme" },
      { sku: "C-1", category: "Gift cards" },
    ]);
    expect(found.products.get("C-1")).toEqual({ category: "Gift cards", brand: null, manufacturer: null });
  });

  it("reports a SKU as missing, not unknown, if there are results beyond the first page", async () => {
    const { enricher, client } = await start();
    const products = Array.from({ length: 101 }, (_, index) => ({ sku: `D-1-${index}`, name: "Doormat" }));
    await client.products.bulkCreate({ products });

    expect(await enricher.lookUp(["D-1", "D-1-100"])).toMatchObject({ missing: ["D-1"], unknown: [] });
  });

  it("asks for a SKU once, and after a burst for no more than allowed per second", async () => {
    const stage = await start();
    const { searched, catalog } = counting(stage);
    let nowMs = 0;
    const asking = { perSecond: 100, burst: 5, timeoutMs: 60_000, now: () => nowMs };
    const enricher = createOrderEnricher({ catalog, ...asking });
    const skus = ["1", "2", "3", "4", "5", "B-1", "C-1"];

    const [all, same] = [enricher.lookUp(skus), enricher.lookUp(["B-1"])];
    await enricher.lookUp(skus.slice(0, 5));
    expect(searched, "five at once").toEqual(skus.slice(0, 5));
    nowMs = 9;
    expect(await enricher.lookUp(["1"])).toMatchObject({ unknown: ["1"] });
    expect(searched).toHaveLength(5);
    nowMs = 10;
    expect((await same).missing).toEqual([]);
    expect(searched).toEqual(skus.slice(0, 6));
    nowMs = 20;

    expect(await all).toMatchObject({ brand: ["Acme"], productCategory: ["Shoes > Boots", "Gift cards"] });
    expect(searched).toEqual(skus);
  });

  it("asks for at most one SKU per second by default", async () => {
    const stage = await start();
    const { searched, catalog } = counting(stage);
    let nowMs = 0;
    const enricher = createOrderEnricher({ catalog, timeoutMs: 20, now: () => nowMs });

    await enricher.lookUp(["1", "2"]);
    nowMs = 999;
    await enricher.lookUp(["3"]);
    expect(searched).toEqual(["1"]);
    nowMs = 1_000;
    await enricher.lookUp(["2"]);
    await until(() => searched.length > 1);

    expect(searched).toEqual(["1", "2"]);
    enricher.close();
  });

  it("waits for its turn within its limit, so that an earlier SKU doesn't hide later ones", async () => {
    const { enricher } = await start({ perSecond: 50, burst: 1 });

    expect(await enricher.lookUp(["decoy", "B-1", "C-1"])).toMatchObject({ unknown: ["decoy"], missing: [] });
  });

  it("fetches in the background what an order didn't wait for", async () => {
    const stage = await start();
    const { searched, catalog } = counting(stage);
    let nowMs = 0;
    const enricher = createOrderEnricher({
      catalog,
      timeoutMs: 20,
      perSecond: 100,
      burst: 1,
      now: () => nowMs,
    });

    const first = await enricher.lookUp(["decoy", "B-1"]);
    nowMs = 10;
    await until(() => searched.length === 2);
    const next = await until(async () => {
      const found = await enricher.lookUp(["B-1"]);
      return found.missing.length === 0 && found;
    });

    expect(first.missing).toContain("B-1");
    expect(next.brand).toEqual(["Acme"]);
    expect(searched).toEqual(["decoy", "B-1"]);
  });

  it("asks nothing once it is closed, and lets no caller wait", async () => {
    const stage = await start();
    const { searched, catalog } = counting(stage);
    const enricher = createOrderEnricher({ catalog, timeoutMs: 60_000, burst: 1, now: () => 0 });
    await enricher.lookUp(["B-1"]);

    const waiting = enricher.lookUp(["B-1", "C-1"]);
    enricher.close();

    expect(await waiting).toMatchObject({ brand: ["Acme"], missing: ["C-1"] });
    expect(await enricher.lookUp(["1"])).toMatchObject({ missing: ["1"] });
    expect(searched).toEqual(["B-1"]);
  });

  it("takes no longer than its limit, and stores late results for the next order", async () => {
    let answer: (() => void) | undefined;
    const server = await startServer((response) => {
      answer = () =>
        response.end(
          JSON.stringify({
            success: true,
            data: {
              products: [{ id: "1", sku: "B-1", name: "Boot", brand: "Acme" }],
              pagination: { page: 1, limit: 100, total: 1, totalPages: 1 },
            },
          }),
        );
    });
    const { connect } = await start();
    const enricher = createOrderEnricher({ catalog: connect({ url: server.url }), timeoutMs: 20 });

    const inTime = await enricher.lookUp(["B-1"]);
    await until(() => answer !== undefined);
    answer?.();
    const later = await until(async () => {
      const found = await enricher.lookUp(["B-1"]);
      return found.missing.length === 0 && found;
    });

    expect(inTime).toMatchObject({ brand: [], missing: ["B-1"] });
    expect(later).toMatchObject({ brand: ["Acme"], missing: [] });
    expect(server.seen).toHaveLength(1);
  });

  it("finds nothing and doesn't throw if the catalog is down or answers nonsense", async () => {
    const server = await startServer((response) => response.end("nonsense"));
    const { connect, service, client } = await start();
    await service.close();

    const down = createOrderEnricher({ catalog: client, timeoutMs: 60_000 });
    const odd = createOrderEnricher({ catalog: connect({ url: server.url, retries: 0 }), timeoutMs: 60_000 });

    for (const enricher of [down, odd]) {
      expect(await enricher.lookUp(["B-1"])).toMatchObject({ productCategory: [], missing: ["B-1"] });
    }
    expect(service.calls).toHaveLength(0);
  });

  it("doesn't use a catalog that failed for ten seconds", async () => {
    const server = await startServer((response) => response.end("nonsense"));
    const { connect } = await start();
    let nowMs = 0;
    const enricher = createOrderEnricher({
      catalog: connect({ url: server.url, retries: 0 }),
      timeoutMs: 60_000,
      perSecond: 1_000,
      now: () => nowMs,
    });

    await enricher.lookUp(["B-1"]);
    nowMs = 9_999;
    expect(await enricher.lookUp(["B-1", "B-2"])).toMatchObject({ missing: ["B-1", "B-2"] });
    expect(server.seen).toHaveLength(1);
    nowMs = 10_000;
    await enricher.lookUp(["B-1"]);
    expect(server.seen).toHaveLength(2);
  });

  it("refuses invalid options", () => {
    const catalog = { products: { list: () => expect.fail("not asked") } } as OrderEnricherOptions["catalog"];

    for (const option of ["timeoutMs", "perSecond", "burst", "keepMs", "keepSkus"]) {
      for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(() => createOrderEnricher({ catalog, [option]: value })).toThrow(`\`${option}\``);
      }
    }
  });
});
