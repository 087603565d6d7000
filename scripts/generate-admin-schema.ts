/**
 * Checks the adapter's documents against Shopify's published Admin schema and writes the part that they use,
 * for the emulated Admin: `node scripts/generate-admin-schema.ts admin-2026-10.introspection.json.gz`. With `--check`
 * it writes nothing, and fails if the saved part differs from what it would write.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { buildClientSchema, printSchema, validate, parse, type IntrospectionQuery } from "graphql";
import { ADMIN_API_VERSION } from "../adapters/shopify/admin/admin-client.ts";
import { readOperations } from "./generate-admin-operations.ts";
import { toSubset } from "./schema-subset.ts";

const TARGET = new URL("../tools/emulators/shopify/generated/admin-schema.ts", import.meta.url);
const LINE_WIDTH = 108;

/** Enums with one value a line would be most of the file: several values share a line. */
function foldEnums(sdl: string): string {
  return sdl.replaceAll(/^enum (\w+) \{\n([^}]*)\}/gm, (_match, name: string, body: string) => {
    const lines = [""];
    for (const value of body.split("\n").map((line) => line.trim())) {
      const line = lines.at(-1) ?? "";
      if (line.length + value.length + 3 > LINE_WIDTH) lines.push(value);
      else lines[lines.length - 1] = `${line} ${value}`.trim();
    }
    return `enum ${name} {\n${lines.map((line) => `  ${line}`).join("\n")}\n}`;
  });
}

/** A type with one field doesn't need three lines. */
function foldSingleFields(sdl: string): string {
  return sdl.replaceAll(
    /^((?:type|interface|input) [^{\n]*\{)\n +([^\n]*)\n\}/gm,
    (whole, head: string, field: string) => {
      const line = `${head} ${field} }`;
      return line.length > LINE_WIDTH ? whole : line;
    },
  );
}

function readSchema(path: string): IntrospectionQuery {
  const packed = readFileSync(path);
  const text = path.endsWith(".gz") ? gunzipSync(packed) : packed;
  const document = JSON.parse(text.toString("utf8")) as { data: IntrospectionQuery };
  return document.data;
}

function main(path: string | undefined, check: boolean): void {
  if (path === undefined) throw new Error("expected the path of the published schema's introspection");
  const published = readSchema(path);
  const schema = buildClientSchema(published, { assumeValid: true });
  const documents = Object.entries(readOperations()).map(([name, text]) => {
    const problems = validate(schema, parse(text));
    if (problems.length > 0)
      throw new Error(`${name}: ${problems.map((problem) => problem.message).join("; ")}`);
    return parse(text);
  });
  const subset = buildClientSchema(toSubset(published, schema, documents));
  const sdl = foldSingleFields(foldEnums(printSchema(subset)));
  const escaped = sdl.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${");
  const text = [
    `// Source: Shopify Admin GraphQL ${ADMIN_API_VERSION} published schema, cut down to what the adapter's documents touch.`,
    "// Made by scripts/generate-admin-schema.ts: do not edit.",
    "// oxlint-disable max-lines -- nobody reads it as code: enums are kept whole, and one has 218 values",
    "",
    "/** The part of the Admin schema the emulator answers, as SDL. Enums and inputs are complete. */",
    `export const ADMIN_SCHEMA = \`${escaped}\n\`;`,
    "",
  ].join("\n");
  if (check && readFileSync(TARGET, "utf8") !== text) throw new Error(`${TARGET.pathname} is out of date`);
  if (!check) writeFileSync(TARGET, text);
  console.log(`${documents.length} documents are valid; ${TARGET.pathname} is up to date`);
}

main(process.argv[2], process.argv.includes("--check"));
