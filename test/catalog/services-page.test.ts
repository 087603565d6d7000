import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CATALOG_OPERATIONS } from "../../src/catalog/operations/catalog-operations.ts";
import type { Operation } from "../../src/catalog/operations/operation.ts";
import { MANAGEMENT_ROUTES, type ManagementRoute } from "../../src/management/operations.ts";
import { catalogServiceContract, managementServiceContract } from "../../src/testing.ts";
import { quoted, readRows, readSection } from "../support/markdown.ts";

const page = readFileSync("docs/services.md", "utf8");
const url = "https://service.example";

/** The entries of a table of tables, by their names. */
function named<T>(
  table: Readonly<Record<string, Readonly<Record<string, T>>>>,
): readonly (readonly [string, T])[] {
  return Object.entries(table).flatMap(([group, entries]) =>
    Object.entries(entries).map(([name, entry]) => [`${group}.${name}`, entry] as const),
  );
}

describe("docs/services.md", () => {
  it("has every operation of the catalog: route, method, credits, repetition and contract cases", () => {
    const cases = catalogServiceContract({ url, apiKey: "key" }).map(({ name }) => name.split(": "));
    const casesOf = (method: string) => cases.filter(([prefix]) => prefix === method).map(([, what]) => what);
    const expected = named<Operation>(CATALOG_OPERATIONS).map(([name, operation]) => {
      const { method, path, fixed, send } = operation;
      return [
        `${method} \`${path}${fixed === undefined ? "" : ` ${JSON.stringify(fixed)}`}\``,
        `\`${name}\``,
        operation.spends === undefined ? "no" : "yes",
        send === "once" ? "no" : "yes",
        "yes",
        casesOf(name).join("; "),
      ];
    });
    const organizations = [
      "GET `/api/organizations/get`",
      "`organizations`",
      "no",
      "yes",
      "yes",
      casesOf("organizations").join("; "),
    ];

    expect(readRows(readSection(page, "Catalog operations"))).toEqual([organizations, ...expected]);
    expect(expected.filter((row) => row.at(-1) === "")).toEqual([]);
  });

  it("has every route of the management interface, with its method and its case", () => {
    const cases = new Set(managementServiceContract({ url, token: "key" }).map(({ name }) => name));
    const expected = named<ManagementRoute>(MANAGEMENT_ROUTES).map(([name, { method, path }]) => [
      `${method} \`${path}\``,
      `\`${name}\``,
      "yes",
      `${name}: ${method} ${path}`,
    ]);

    expect(readRows(readSection(page, "Management routes"))).toEqual(expected);
    expect(expected.filter((row) => !cases.has(row.at(-1) ?? ""))).toEqual([]);
  });

  it("names every option of both clients", () => {
    const options = readRows(readSection(page, "Options")).flatMap(([cell = ""]) => quoted(cell));
    const sources = [
      "src/service/client-options.ts",
      "src/service/retrying.ts",
      "src/catalog/catalog-client.ts",
    ];
    const members = ["ServiceClientOptions", "RetryOptions", "CatalogClientOptions"].flatMap(
      (name, index) => {
        const source = readFileSync(sources[index] ?? "", "utf8");
        const body =
          new RegExp(`^export interface ${name}[^{]*\\{\\n([\\s\\S]*?)^\\}`, "m").exec(source)?.[1] ?? "";
        return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map((match) => match[1] ?? "");
      },
    );

    expect(options.toSorted()).toEqual([...new Set([...members, "token"])].toSorted());
  });
});
