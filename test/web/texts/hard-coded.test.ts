import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PAGE_FILES, parsePage, readPageSource, type SourceNode, visit } from "./page-sources.ts";

/** Properties that a person reads or hears. */
const SHOWN =
  /^(?:about|alt|aria-label|aria-description|caption|confirm|hint|keep|label|lead|placeholder|region|saveLabel|title|unit)$/;
/** What is the same in every language: the product's name, the beginning of an address. */
const NAMES = new Set(["Holdfast", "https://"]);

const isText = (value: unknown): value is string =>
  typeof value === "string" && /\p{L}{2}/u.test(value) && !NAMES.has(value.trim());

/** A sentence or a heading, rather than a code, a path or a list of classes. */
const isSentence = (value: unknown): boolean =>
  isText(value) && /^\p{Lu}\p{Ll}+(?:[,:]? [\p{L}\d(]|[.!?…]$)/u.test(value);

/** The text of a node that belongs into a catalog; null if there is none. */
function findText(node: SourceNode, [around]: readonly SourceNode[]): string | null {
  if (node.type === "JSXText") return isText(node["value"]) ? node["value"].trim() : null;
  if (node.type === "TemplateElement") {
    const { cooked } = node["value"] as { readonly cooked: string };
    return isSentence(cooked) ? cooked : null;
  }
  if (node.type !== "Literal") return null;
  const { value } = node as { readonly value?: unknown };
  if (around?.type === "JSXAttribute" && SHOWN.test(toName(around))) return isText(value) ? value : null;
  return isSentence(value) ? String(value) : null;
}

function toName(attribute: SourceNode): string {
  const { name } = attribute["name"] as { readonly name: string };
  return name;
}

function findHardCoded(root: SourceNode): string[] {
  const found: string[] = [];
  visit(root, (node, around) => {
    const text = findText(node, around);
    if (text !== null) found.push(text);
  });
  return found;
}

/** Texts that a style adds before or after an element. */
function findStyled(css: string): readonly string[] {
  return [...css.matchAll(/content:\s*"([^"]*)"/g)].map(([, text = ""]) => text).filter(isText);
}

describe("the console's sources", () => {
  it("have no text of their own", () => {
    const found = PAGE_FILES.flatMap((file) =>
      findHardCoded(readPageSource(file)).map((text) => `${file}: ${text}`),
    );

    expect(found).toEqual([]);
    expect(PAGE_FILES.length, "the scan found no files, so it proved nothing").toBeGreaterThan(80);
  });

  it("have no text in their styles", () => {
    const styles = globSync("web/styles/*.css").map((file) => readFileSync(file, "utf8"));

    expect(styles.flatMap(findStyled)).toEqual([]);
    expect(findStyled('.sum::before { content: "Sum: "; }')).toEqual(["Sum: "]);
    expect(styles.length, "the scan found no files, so it proved nothing").toBeGreaterThan(5);
  });

  it.each([
    ["<p>Two words</p>", "Two words"],
    ['<Button label="Save" />', "Save"],
    ['const WORDS = { held: "Held for review" };', "Held for review"],
    ["const text = `Held by ${name}`;", "Held by "],
  ])("would be found out by %s", (source, text) => {
    expect(findHardCoded(parsePage(source))).toEqual([text]);
  });

  it.each([
    '<a class="two words" href="/orders" />',
    'call("GET /orders");',
    'const path = "M8 2L1.5 13.5h13z";',
  ])("may have %s", (source) => {
    expect(findHardCoded(parsePage(source))).toEqual([]);
  });
});
