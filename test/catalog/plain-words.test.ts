import { expect, it } from "vitest";
import { CATALOG_OPERATIONS } from "../../src/catalog/operations/catalog-operations.ts";
import { createCatalogClient } from "../../src/catalog.ts";
import type { Operation } from "../../src/catalog/operations/operation.ts";
import { MANAGEMENT_ROUTES, type ManagementRoute } from "../../src/management/operations.ts";
import { parseInput } from "../../src/service/checked-data.ts";
import type { HoldfastError } from "../../src/index.ts";

const groups = Object.entries({ ...CATALOG_OPERATIONS, ...MANAGEMENT_ROUTES });
const bodies = groups.flatMap(([group, routes]) =>
  Object.entries(routes as Readonly<Record<string, Operation | ManagementRoute>>).flatMap(
    ([name, { body }]) => (body === undefined ? [] : [{ name: `${group}.${name}`, body }]),
  ),
);
const VALUES = [undefined, null, 5, 1e9, -1, 1.5, "", "x", "x".repeat(5_000), true, [], {}, [5], [{}]];

it.each(bodies)("$name says what is wrong in plain words", ({ body }) => {
  const keys = "shape" in body ? Object.keys(body.shape as object) : [];
  const wrong = VALUES.map((value) => Object.fromEntries(keys.map((key) => [key, value])));
  const messages = [...VALUES, ...wrong].flatMap((given) => toMessages(() => parseInput(body, given)));

  expect(messages.filter((message) => !/^(?:expected|unknown field|is missing)/.test(message))).toEqual([]);
});

it("names an unknown field at its path", async () => {
  const client = createCatalogClient({ url: "http://127.0.0.1:9", apiKey: "key" });
  const product = { sku: "A1", name: "Boot", brandd: "Acme" };

  await expect(client.products.create(product as never)).rejects.toMatchObject({
    code: "INPUT_INVALID",
    fields: [{ path: "brandd", message: "unknown field" }],
  });
  await client.close();
});

function toMessages(run: () => unknown): readonly string[] {
  try {
    run();
    return [];
  } catch (error) {
    return (error as HoldfastError).fields.map(({ message }) => message);
  }
}
