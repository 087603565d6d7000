import { describe, expect, it } from "vitest";
import {
  exportProducts,
  importProducts,
  listCatalogJobs,
  listProducts,
  showProduct,
} from "../../src/cli/catalog.ts";
import { startProductJob } from "../../src/cli/catalog-enrich.ts";
import { parseConfig, type Config } from "../../src/config.ts";
import { parseCsvRecords } from "../../src/base/csv.ts";
import { startCatalog } from "./catalog-terminal.ts";

const FILE = [
  "\uFEFFsku,name,brand,category,color",
  'A-1,"Boot, ""black""",Acme,Shoes > Boots,black',
  "A-2,Sandal,,Shoes,red",
  "A-3,Hat,Acme,Hats,\u001B[31m",
  "",
].join("\r\n");

describe("holdfast catalog", () => {
  it("imports a file once, lists, shows and exports it", async () => {
    const { context, told, write } = await startCatalog();
    const file = write(FILE);

    await importProducts(file, context);
    await importProducts(file, context);
    await listProducts("boot", context);
    await showProduct("A-2", context);
    const before = told.lines.length;
    await exportProducts(context);

    expect(told.lines.slice(0, 2)).toEqual([
      "3 products imported, 0 were there already",
      "0 products imported, 3 were there already",
    ]);
    expect(told.lines[2]).toContain('A-1  Boot, "black"');
    expect(told.lines[3]).toMatch(/^sku +A-2$/m);
    expect(told.problems).toEqual(["not imported: color", "not imported: color", "3 products exported"]);
    expect(parseCsvRecords(told.lines.slice(before).join("\n")).map(({ cells }) => cells)).toMatchObject([
      { sku: "A-1", name: 'Boot, "black"' },
      { sku: "A-2", brand: "" },
      { sku: "A-3", category: "Hats" },
    ]);
  });

  it("imports names with quotes unchanged, and refuses a file whose quotes don't match", async () => {
    const { context, told, write } = await startCatalog();

    await importProducts(write('sku,name\rA2,5" nail\rA3,"6"" nail"\r'), context);
    await exportProducts(context);
    const unclosed = importProducts(write('sku,name\nA4,Nail\nA5,"7"" nail\nA6,Nail\n'), context);

    await expect(unclosed).rejects.toThrow(/products\.csv: line 3: expected a cell/);
    expect(told.lines).toContain("2 products imported, 0 were there already");
    expect(told.lines.at(-2)).toMatch(/^A2,"5"" nail",/);
    expect(told.lines.at(-1)).toMatch(/^A3,"6"" nail",/);
  });

  it("gives the line of a product that can't be imported", async () => {
    const { context, write } = await startCatalog();
    const file = write(`sku,name\nA1,"Two\nlines"\n\nA2,${"n".repeat(257)}\n,Nail\n`);

    await expect(importProducts(file, context)).rejects.toThrow(
      /products\.csv: line 5: name: expected at most 256 characters; line 6: sku: /,
    );
  });

  it.each([
    ["sku", "sku,name,externalId\nA-1,Hat,1\nA-2,Cap,\nA-3,Bag,\nA-1,Hat,2\n"],
    ["externalId", "sku,name,externalId\nA-1,Hat,1\nA-2,Cap,\nA-3,Bag,\nA-4,Hat,1\n"],
  ])("refuses a file that has a %s twice, and imports nothing of it", async (name, text) => {
    const { context, told, write } = await startCatalog();

    await expect(importProducts(write(text), context)).rejects.toThrow(
      `products.csv: line 5: ${name}: the same as in line 2`,
    );
    await listProducts(undefined, context);
    expect(told.problems).toEqual(["no products"]);
  });

  it("exports nothing that a spreadsheet runs as a formula", async () => {
    const { context, told, write } = await startCatalog();
    await importProducts(write('sku,name,brand\nA-1,"=cmd()",@x \n'), context);

    await exportProducts(context);

    expect(told.lines.at(-2)).toBe("sku,name,manufacturer,brand,category");
    expect(told.lines.at(-1)).toBe("A-1,'=cmd(),,'@x ,");
  });

  it("enriches within its budget and category after a question, and continues a running job", async () => {
    const { context, told, write, service } = await startCatalog();
    await importProducts(write(FILE), context);

    expect(
      await startProductJob("enrichment", { category: "Shoes", budget: "10", yes: false }, context),
    ).toBe(true);
    expect(
      await startProductJob("enrichment", { category: " shoes ", budget: "10", yes: false }, context),
    ).toBe(true);
    await listCatalogJobs(context);

    expect(told.questions).toEqual(["Enrich 2 products? This spends credits of sandbox."]);
    expect(told.lines.slice(1)).toEqual([
      expect.stringMatching(/^completed: 2 enriched, 0 failed/),
      "nothing to enrich: all 2 products were enriched before",
      expect.stringContaining("2 of 2 done, 0 failed"),
    ]);
    expect(told.bars.some((bar) => bar.includes("of 2"))).toBe(true);
    expect(service.credits).toBe(998);
  });

  it("gives the reason why products failed", async () => {
    for (const json of [false, true]) {
      const { context, told, write } = await startCatalog({ credits: 1, json });
      await importProducts(write(FILE), context);

      expect(await startProductJob("enrichment", { budget: "10", yes: true }, context)).toBe(false);

      const message = "Credit balance limit has been reached.";
      if (json) {
        expect(JSON.parse(told.lines.at(-1) ?? "")).toMatchObject({ failures: [{ message, count: 2 }] });
      } else {
        expect(told.lines.at(-1)).toMatch(/^partial: 1 enriched, 2 failed/);
        expect(told.problems.at(-1)).toBe(`2 failed: ${message}`);
      }
    }
  });

  it("refuses a category without products, and reports when there is nothing at all", async () => {
    const { context, told, write } = await startCatalog();
    await listProducts(undefined, context);
    await listCatalogJobs(context);
    await startProductJob("enrichment", { budget: "10", yes: true }, context);
    await importProducts(write(FILE), context);

    const misspelled = startProductJob("enrichment", { category: "Shoo", budget: "10", yes: true }, context);

    await expect(misspelled).rejects.toThrow("--category: no product is in Shoo");
    for (const category of ["", " > "]) {
      const unset = startProductJob("enrichment", { category, budget: "10", yes: true }, context);
      await expect(unset).rejects.toThrow("--category: expected the name of a category");
    }
    expect(told.problems.slice(0, 2)).toEqual(["no products", "no jobs"]);
    expect(told.lines[0]).toBe("nothing to enrich: the catalog has no products");
  });

  it("shows the progress of an export apart from its lines", async () => {
    const { context, told, write } = await startCatalog();
    const lines = Array.from({ length: 201 }, (_, index) => `A-${index},Boot`);
    await importProducts(write(["sku,name", ...lines].join("\n")), context);
    told.bars.length = 0;

    await exportProducts({ ...context, now: () => 0 });

    expect(told.bars.filter((bar) => bar !== "")).toEqual([
      expect.stringMatching(/^exporting .* 100 of 201$/),
      expect.stringMatching(/^exporting .* 200 of 201$/),
      expect.stringMatching(/^exporting .* 201 of 201$/),
    ]);
    expect(told.bars.at(-1)).toBe("");
    expect(told.problems.at(-1)).toBe("201 products exported");
    expect(told.lines).toHaveLength(203);
  });

  it("asks about the credits of the catalog's organization, not the verification service's", async () => {
    const { context, told, write } = await startCatalog({ answer: false });
    await importProducts(write(FILE), context);
    const { url, apiKey, organization } = context.config.service as NonNullable<Config["service"]>;
    const service = { ...context.config.service, organization: "elsewhere" } as Config["service"];

    for (const own of [organization, "sandbox"]) {
      const config = { ...context.config, service, catalog: { url, apiKey, organization: own } };
      await startProductJob("enrichment", { budget: "1", yes: false }, { ...context, config });
    }

    const question = "Enrich 1 product? This spends credits of sandbox.";
    expect(told.questions).toEqual([question, question]);
  });

  it("does nothing when the answer is no, or nobody can be asked", async () => {
    for (const isInteractive of [true, false]) {
      const { context, told, write, service } = await startCatalog({ answer: false });
      await importProducts(write(FILE), context);
      const silent = { ...context, terminal: { ...context.terminal, isInteractive } };

      expect(await startProductJob("enrichment", { budget: "2", yes: false }, silent)).toBe(false);

      expect(told.questions).toHaveLength(isInteractive ? 1 : 0);
      expect(told.problems.at(-1)).toContain("Nothing was done");
      expect(service.credits).toBe(1_000);
    }
  });

  it("lists what it needs", async () => {
    const { context, write } = await startCatalog();
    const without = { ...context, config: parseConfig({}) };

    await expect(listProducts(undefined, without)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    // Never with the key of another service, at its address.
    const catalog = { url: "http://127.0.0.1:9", apiKey: undefined, organization: undefined };
    const keyless = { ...context, config: { ...context.config, catalog } };
    await expect(listProducts(undefined, keyless)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(importProducts(write("name\nBoot\n"), context)).rejects.toThrow("columns sku and name");
    await expect(importProducts("/nowhere.csv", context)).rejects.toThrow("can't be read: it doesn't exist");
    await expect(showProduct("nothing", context)).rejects.toMatchObject({ code: "SERVICE_NOT_FOUND" });
    for (const budget of [undefined, "0", "5001", "1.5"]) {
      await expect(startProductJob("enrichment", { budget, yes: true }, context)).rejects.toThrow("--budget");
    }
  });
});
