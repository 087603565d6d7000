import { globSync, readFileSync } from "node:fs";
import { parseAst } from "rolldown/parseAst";

/** A node of a syntax tree. */
export interface SourceNode {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is SourceNode =>
  typeof value === "object" && value !== null && typeof (value as SourceNode).type === "string";

/** The page's sources, without the catalogs. */
export const PAGE_FILES = globSync("web/**/*.{ts,tsx}").filter(
  (file) => !file.startsWith("web/texts/") && !file.endsWith(".d.ts"),
);

export function parsePage(source: string): SourceNode {
  return parseAst(source, { lang: "tsx" }) as unknown as SourceNode;
}

export function readPageSource(file: string): SourceNode {
  return parsePage(readFileSync(file, "utf8"));
}

/** Visit every node with the nodes around it, the innermost first, except types. */
export function visit(
  node: SourceNode,
  see: (node: SourceNode, around: readonly SourceNode[]) => void,
  around: readonly SourceNode[] = [],
) {
  if (/^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)/.test(node.type)) return;
  see(node, around);
  for (const value of Object.values(node)) {
    for (const one of [value].flat()) if (isNode(one)) visit(one, see, [node, ...around]);
  }
}
