import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SECTIONS = [
  ["Storefronts and hosts", "docs/hosts/*.md"],
  ["Guides", "docs/*.md"],
  ["Reference", "docs/reference/*.md"],
] as const;
/** Longer descriptions are cut at a word. */
const LONGEST = 220;

/**
 * The docs as a list for programs that read them, in the form of llmstxt.org: each page with its title, its place and what it is
 * about. The pages themselves are in the package, so they aren't repeated.
 *
 * @param root - The folder with the README and `docs`.
 * @param toRoot - From the list's place to that folder, such as `../`.
 */
export function toLlmsText(root: string, toRoot: string): string {
  const toLine = (file: string): string => {
    const { title, about } = readPage(readFileSync(join(root, file), "utf8"));
    return `- [${title}](${toRoot}${file})${about === "" ? "" : `: ${about}`}`;
  };
  const { title, about } = readPage(readFileSync(join(root, "README.md"), "utf8"));
  const sections = SECTIONS.map(([name, pages]) => {
    const files = globSync(pages, { cwd: root }).map((file) => file.replaceAll("\\", "/"));
    return `## ${name}\n\n${files.toSorted().map(toLine).join("\n")}\n`;
  });
  const start = `Begin with [the README](${toRoot}README.md): install, ten lines for a storefront, Shopify in five steps.\n`;
  return [`# ${title}\n`, `> ${about}\n`, start, ...sections].join("\n");
}

/** A page's title, and the beginning of its first paragraph as plain text. */
function readPage(page: string): { readonly title: string; readonly about: string } {
  const [, title = ""] = /^# (.+)$/m.exec(page) ?? [];
  const paragraphs = page.split(/\n{2,}/);
  const first = paragraphs.find((text) => /^(?:[A-Z"*]|`(?!``))/.test(text)) ?? "";
  const plain = first
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return { title: title.replaceAll("`", ""), about: toBeginning(plain) };
}

/** Whole sentences as long as they fit, else whole words. */
function toBeginning(text: string): string {
  if (text.length <= LONGEST) return text;
  const cut = text.slice(0, LONGEST);
  const end = Math.max(cut.lastIndexOf(". "), cut.lastIndexOf(": "));
  return end > 0 ? cut.slice(0, end + 1).replace(/:$/, ".") : `${cut.slice(0, cut.lastIndexOf(" "))} …`;
}
