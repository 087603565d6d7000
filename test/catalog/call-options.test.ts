import { expect, it } from "vitest";
import type { CatalogClient } from "../../src/catalog.ts";
import { startCatalog } from "./catalog-stage.ts";

it.each([
  ["call", (client: CatalogClient, options: never) => client.products.get("id", {}, options)],
  ["list", async (client: CatalogClient, options: never) => client.products.list({}, options).all()],
  ["download", (client: CatalogClient, options: never) => client.brandJobs.download("id", {}, options)],
  ["list of organizations", (client: CatalogClient, options: never) => client.organizations(options)],
])("a %s refuses a signal that is none", async (_, call) => {
  const { client } = await startCatalog();

  const answer = call(client, { signal: {} } as never);

  await expect(answer).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining('"signal"'),
  });
});
