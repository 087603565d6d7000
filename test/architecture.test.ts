import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const SPECIFIER =
  /\b(?:import|export)\b[^;"'`]*?\bfrom\s*["']([^"']+)["']|\bimport\s*\(?\s*["']([^"']+)["']/g;

/** Everything a file imports, also dynamically and for its effects. */
function importsOf(source: string): string[] {
  return [...source.replaceAll(COMMENT, "").matchAll(SPECIFIER)].map((match) => match[1] ?? match[2] ?? "");
}

function resolve(file: string, specifier: string): string {
  return specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : specifier;
}

/** The one file in `src` that puts core and adapters together. */
const COMPOSITION_ROOT = "src/main.ts";
/** What only the app's own HTTP side may use. */
const HTTP_SERVER = new Set(["express"]);

/** Why an import breaks the house's directions, or null when it does not. */
function findFault(file: string, target: string): string | null {
  if (file === COMPOSITION_ROOT) return null;
  return file.startsWith("adapters/") ? findAdapterFault(file, target) : findCoreFault(file, target);
}

function findAdapterFault(file: string, target: string): string | null {
  const ownFolder = file.split("/").slice(0, 2).join("/");
  if (target.startsWith("adapters/")) return target.startsWith(`${ownFolder}/`) ? null : "a sibling adapter";
  return target.startsWith("src/") && target !== "src/index.ts" ? "past the public API" : null;
}

function findCoreFault(file: string, target: string): string | null {
  if (target.startsWith("adapters/") || target.startsWith("@shopify/")) return "core knows no host";
  if (HTTP_SERVER.has(target) && !file.startsWith("src/console/")) return "only the console serves HTTP";
  if (file.startsWith("src/policy/") && DOES_IO.test(target) && !PURE_TYPES.has(target))
    return "policy is pure";
  return null;
}

const DOES_IO = /^src\/(?:store|pipeline|console|screening|verification\/client)/;
/** Types that the pure policy shares with the pipeline; they import nothing that does I/O. */
const PURE_TYPES = new Set(["src/platform/platform.ts"]);

describe("import directions", () => {
  const files = [...globSync("src/**/*.ts"), ...globSync("adapters/**/*.ts")];

  it("hold for every shipped file", () => {
    const faults = files.flatMap((file) =>
      importsOf(readFileSync(file, "utf8")).flatMap((specifier) => {
        const fault = findFault(file, resolve(file, specifier));
        return fault === null ? [] : [`${file} -> ${specifier}: ${fault}`];
      }),
    );

    expect(faults).toEqual([]);
    expect(files.length, "the scan found no files, so it proved nothing").toBeGreaterThan(50);
  });

  it("would be seen broken in every way an import can be written", () => {
    const source = [
      'import { a } from "../../adapters/express/index.ts";',
      'import {\n  b,\n} from "../../adapters/fetch/index.ts";',
      'export * from "../../adapters/shopify/index.ts";',
      'import "@shopify/shopify-api/adapters/node";',
      'const c = await import("../../adapters/express/middleware.ts");',
      '// import { d } from "../../adapters/commented/out.ts";',
    ].join("\n");

    const faults = importsOf(source).filter((specifier) =>
      findFault("src/policy/x.ts", resolve("src/policy/x.ts", specifier)),
    );

    expect(faults).toHaveLength(5);
  });

  it.each([
    ["src/policy/decide.ts", "../../adapters/express/index.ts"],
    ["src/app.ts", "../adapters/shopify/index.ts"],
    ["src/pipeline/intake/intake.ts", "express"],
    ["src/policy/decide.ts", "../store/store.ts"],
    ["adapters/express/index.ts", "../shopify/index.ts"],
    ["adapters/express/index.ts", "../../src/policy/decide.ts"],
    ["adapters/fastify/middleware.ts", "../express/middleware.ts"],
    ["src/index.ts", "../adapters/fastify/index.ts"],
  ])("would report %s importing %s", (file, specifier) => {
    expect(findFault(file, resolve(file, specifier))).not.toBeNull();
  });

  it("allow what the shape allows", () => {
    expect(findFault("src/main.ts", "adapters/shopify/index.ts")).toBeNull();
    expect(findFault("adapters/express/index.ts", "src/index.ts")).toBeNull();
    expect(findFault("src/server/server.ts", "express")).toBeNull();
  });
});
