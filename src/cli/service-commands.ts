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
    async run({ search, json }, _operand, context) {
      await listProducts(search, toServiceContext(json, context));
      return true;
    },
  },
  "catalog products get": {
    operand: "SKU",
    options: ["json"],
    async run({ json }, sku, context) {
      await showProduct(sku, toServiceContext(json, context));
      return true;
    },
  },
  "catalog products import": {
    operand: "FILE",
    options: ["json"],
    async run({ json }, file, context) {
      await importProducts(file, toServiceContext(json, context));
      return true;
    },
  },
  "catalog products export": {
    options: ["json"],
    async run({ json }, _operand, context) {
      await exportProducts(toServiceContext(json, context));
      return true;
    },
  },
  "catalog enrich": {
    options: ["category", "budget", "yes", "json"],
    run: ({ category, budget, yes, json }, _operand, context) =>
      enrichProducts({ category, budget, yes }, toServiceContext(json, context)),
  },
  "catalog jobs": {
    options: ["json"],
    async run({ json }, _operand, context) {
      await listCatalogJobs(toServiceContext(json, context));
      return true;
    },
  },
  "management me": {
    options: ["json"],
    async run({ json }, _operand, context) {
      await showMe(toServiceContext(json, context));
      return true;
    },
  },
  "management sites": {
    options: ["json"],
    async run({ json }, _operand, context) {
      await listSites(toServiceContext(json, context));
      return true;
    },
  },
  "management forms submissions": {
    options: ["since", "json"],
    async run({ since, json }, _operand, context) {
      await listSubmissions(since, toServiceContext(json, context));
      return true;
    },
  },
};
