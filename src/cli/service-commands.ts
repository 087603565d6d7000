import { readConfig } from "../config.ts";
import { exportProducts, importProducts, listCatalogJobs, listProducts, showProduct } from "./catalog.ts";
import { enrichProducts } from "./catalog-enrich.ts";
import type { Command, CommandContext, ServiceContext } from "./command.ts";
import { listSites, listSubmissions, showMe } from "./management.ts";

const toServiceContext = (json: boolean, { terminal, now }: CommandContext): ServiceContext => ({
  config: readConfig(),
  terminal,
  json,
  now,
});

/** The commands of the catalog and of the management interface. */
export const SERVICE_COMMANDS: Readonly<Record<string, Command>> = {
  "catalog products list": {
    options: ["search", "json"],
    run: ({ search, json }, _operand, context) => listProducts(search, toServiceContext(json, context)),
  },
  "catalog products get": {
    operand: "SKU",
    options: ["json"],
    run: ({ json }, sku, context) => showProduct(sku, toServiceContext(json, context)),
  },
  "catalog products import": {
    operand: "FILE",
    options: ["json"],
    run: ({ json }, file, context) => importProducts(file, toServiceContext(json, context)),
  },
  "catalog products export": {
    options: ["json"],
    run: ({ json }, _operand, context) => exportProducts(toServiceContext(json, context)),
  },
  "catalog enrich": {
    options: ["category", "budget", "yes", "json"],
    run: ({ category, budget, yes, json }, _operand, context) =>
      enrichProducts({ category, budget, yes }, toServiceContext(json, context)),
  },
  "catalog jobs": {
    options: ["json"],
    run: ({ json }, _operand, context) => listCatalogJobs(toServiceContext(json, context)),
  },
  "management me": {
    options: ["json"],
    run: ({ json }, _operand, context) => showMe(toServiceContext(json, context)),
  },
  "management sites": {
    options: ["json"],
    run: ({ json }, _operand, context) => listSites(toServiceContext(json, context)),
  },
  "management forms submissions": {
    options: ["since", "json"],
    run: ({ since, json }, _operand, context) => listSubmissions(since, toServiceContext(json, context)),
  },
};
