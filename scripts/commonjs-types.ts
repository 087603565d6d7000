import { dirname, relative } from "node:path";

/**
 * The declarations of an entry point for CommonJS. They repeat nothing: each name points to the ECMAScript declarations, which
 * TypeScript lets CommonJS read only as types. So a value is declared as having the type of the other one.
 *
 * @param entry - The path of the ECMAScript declarations.
 * @param values - What the built module exports, by name.
 * @param path - Where the declarations for CommonJS will be.
 */
export function toCommonJsTypes(
  entry: string,
  values: Readonly<Record<string, unknown>>,
  path: string,
): string {
  const from = JSON.stringify(relative(dirname(path), entry).replace(/\.d\.ts$/, ".js"));
  const mode = `with { "resolution-mode": "import" }`;
  const original = `import(${from}, { with: { "resolution-mode": "import" } })`;
  const lines = Object.entries(values).map(([name, value]) =>
    isClass(value)
      ? `declare const ${name}: typeof ${original}.${name};\ntype ${name} = ${original}.${name};\nexport { ${name} };`
      : `export declare const ${name}: typeof ${original}.${name};`,
  );
  return [`export type * from ${from} ${mode};`, ...lines, ""].join("\n");
}

const isClass = (value: unknown): boolean => typeof value === "function" && /^class\b/.test(String(value));
