/** The text under a second-level heading of a document. */
export function readSection(markdown: string, title: string): string {
  const found = markdown.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  if (found === undefined) throw new Error(`the document has no section "${title}"`);
  return found;
}

/** Rows of a text's tables, as cells, without headings and rulers. */
export function readRows(markdown: string): readonly (readonly string[])[] {
  const tables = markdown.match(/(?:^\|.*\n)+/gm) ?? [];
  return tables
    .flatMap((table) => table.trimEnd().split("\n").slice(2))
    .map((row) =>
      row
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
}

/** Words in backticks. */
export function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
}

/** Code blocks of one language. */
export function codeBlocks(markdown: string, language: string): string[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? "");
}
