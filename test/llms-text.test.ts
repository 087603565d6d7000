import { globSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { toLlmsText } from "../scripts/llms-text.ts";

describe("toLlmsText", () => {
  const text = toLlmsText(".", "../");
  const entries = [...text.matchAll(/^- \[(.+)\]\(\.\.\/(.+\.md)\): (.+)$/gm)].map(
    ([, title, file, about]) => ({
      title,
      file,
      about,
    }),
  );

  it("lists each page of the docs once, with what it is about", () => {
    const pages = globSync("docs/{,hosts/,reference/}*.md").map((file) => file.replaceAll("\\", "/"));

    expect(entries).toHaveLength(pages.length);
    expect(new Set(entries.map(({ file }) => file))).toEqual(new Set(pages));
    expect(new Set(entries.map(({ title }) => title)).size).toBe(pages.length);
  });

  it("is plain text that fits a line", () => {
    for (const { about = "" } of entries) {
      expect(about.length).toBeLessThanOrEqual(222);
      expect(about).not.toMatch(/```|\]\(|mermaid/);
    }
  });
});
