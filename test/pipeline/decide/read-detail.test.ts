import { expect, it } from "vitest";
import { enrich } from "../../../src/pipeline/decide/read-detail.ts";
import type { FoundProducts } from "../../../src/pipeline/tasks.ts";
import type { MappedOrder, Platform } from "../../../src/platform/platform.ts";
import { DEFAULT_POLICY } from "../../../src/policy/policy.ts";
import type { OrderRecord } from "../../../src/store/store.ts";
import { anOrder } from "../../support/orders.ts";

function mappedWith(skus: readonly string[], products: FoundProducts["products"] = []): MappedOrder {
  const items = skus.map((sku) => ({ name: sku, quantity: 1, price: 1, sku }));
  return { outcome: "screenable", request: { ...anOrder(), items }, test: false, context: { products } };
}

it("keeps what is known about goods that are still bought when the catalog stops answering about them", async () => {
  const known = [
    { sku: "card", category: "Gift cards" },
    { sku: "sock", category: "Socks" },
    { sku: "gone", category: "Hats" },
  ];
  const order = {
    orderId: "1",
    tenant: "t",
    mapped: mappedWith(["card", "sock", "gone"], known),
  } as OrderRecord;
  const platform = {
    enrich: async (_tenant: string, { mapped }: { readonly mapped: MappedOrder }) => ({
      mapped,
      limitations: [],
    }),
  } as Pick<Platform, "enrich"> as Platform;
  const found = { products: [{ sku: "sock", category: "Wool socks" }], limitations: ["PRODUCTS_UNKNOWN"] };

  const { mapped, limitations } = await enrich(
    {
      platform,
      policyOf: async () => ({ policy: DEFAULT_POLICY, version: 0 }),
      lookUpProducts: async () => found,
      signal: new AbortController().signal,
    },
    order,
    mappedWith(["card", "sock"]),
  );

  expect(mapped.context?.products).toEqual([
    { sku: "sock", category: "Wool socks" },
    { sku: "card", category: "Gift cards" },
  ]);
  expect(limitations).toEqual(["PRODUCTS_UNKNOWN"]);
});
