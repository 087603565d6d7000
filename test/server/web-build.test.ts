import { globSync, readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { WEB_JS } from "../../src/server/generated/web-script.ts";
import { WEB_JS_BROTLI } from "../../src/server/generated/web-script-brotli.ts";
import { buildConsole } from "../../scripts/console-bundle.ts";

/** The page's budget: its script over the network, where browsers take Brotli. */
const MAX_SCRIPT_BYTES = 60_000;
const BROTLI = "src/server/generated/web-script-brotli.ts";

describe("the console page's files", () => {
  it("are what `npm run build:console` makes of the sources, within the budget", async () => {
    const { modules, compressedScript } = await buildConsole();

    expect([...modules.keys()]).toEqual([
      "src/server/generated/web-script.ts",
      BROTLI,
      "src/server/generated/web-style.ts",
    ]);
    for (const [path, text] of modules) {
      // Another release of the compressor gives other bytes for the same text.
      if (path === BROTLI) continue;
      const committed = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
      expect(committed === text, `${path} is stale: run npm run build:console`).toBe(true);
    }
    expect(
      brotliDecompressSync(Buffer.from(WEB_JS_BROTLI, "base64")).toString() === WEB_JS,
      `${BROTLI} is stale: run npm run build:console`,
    ).toBe(true);
    const { length } = compressedScript;
    expect(length, `the script weighs ${length} bytes over the network`).toBeLessThan(MAX_SCRIPT_BYTES);
  });

  it("need nothing that the page's policy forbids, and know no path of the machine that built them", async () => {
    const { modules } = await buildConsole();
    const text = [...modules.values()].join("\n");
    // Not toContain: a failure would print the whole script.
    const found = [process.cwd(), "eval(", "new Function(", "document.write", "@import"].filter((one) =>
      text.includes(one),
    );
    expect(found).toEqual([]);
  });

  it("write what came over the network as text, never as HTML", () => {
    const files = globSync("web/**/*.{ts,tsx}");
    const writing = files.filter((file) =>
      /dangerouslySetInnerHTML|(?:inner|outer)HTML|insertAdjacentHTML/.test(readFileSync(file, "utf8")),
    );
    expect(writing).toEqual([]);
    expect(files.length, "the scan found no files, so it proved nothing").toBeGreaterThan(30);
  });
});
