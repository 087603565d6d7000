import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const VALUE_IMPORT =
  /^(?:import|export)(?! type\b)[^;"']*\bfrom\s*["']([^"']+)["']|^import\s*["']([^"']+)["']/gm;

/** Everything that a file loads, packages by their names. */
function listLoaded(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  if (!file.endsWith(".ts")) return loaded;
  for (const [, from, alone] of readFileSync(file, "utf8").matchAll(VALUE_IMPORT)) {
    const specifier = from ?? alone ?? "";
    listLoaded(specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : specifier, loaded);
  }
  return loaded;
}

describe("the mapping of a host's order", () => {
  it.each([
    "src/mapping.ts",
    ...globSync("adapters/{*/from-*,{commercetools,evershop,paypal,saleor}/index}.ts"),
  ])("loads no package and no part of Node: %s", (file) => {
    const loaded = listLoaded(file);

    expect([...loaded].filter((name) => !name.endsWith(".ts"))).toEqual([]);
    expect(loaded).toContain("src/base/errors.ts");
  });

  it("would be caught loading one", () => {
    expect(listLoaded("src/order/request.ts")).toContain("zod");
    expect(listLoaded("src/order/ip-address.ts")).toContain("node:net");
  });
});
