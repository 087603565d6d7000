import { globSync, readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { WEB_JS_BROTLI } from "../../src/server/generated/web-script.ts";
import { WEB_CSS } from "../../src/server/generated/web-style.ts";
import { WEB_TEXTS_BROTLI } from "../../src/server/generated/web-texts.ts";
import { buildConsole } from "../../scripts/console-bundle.ts";

/**
 * The page's budget: the size of its script over the network, if the browser accepts Brotli. The product's limit is 120 kB;
 * this one is lower, so that the script's growth is noticed before that.
 */
const MAX_SCRIPT_BYTES = 117_000;

describe("the console page's files", () => {
  it("match what `npm run build:console` makes of the sources, within the budget", async () => {
    const { modules, script, compressedScript, texts } = await buildConsole();
    const STYLE = "src/server/generated/web-style.ts";
    const TEXTS = "src/server/generated/web-texts.ts";

    expect([...modules.keys()]).toEqual(["src/server/generated/web-script.ts", STYLE, TEXTS]);
    // Another release of the compressor writes other bytes for the same script.
    const committed = brotliDecompressSync(Buffer.from(WEB_JS_BROTLI, "base64")).toString();
    const stale = "is stale: run npm run build:console";
    expect(committed === script, `the console's script ${stale}`).toBe(true);
    expect(modules.get(STYLE) === readFileSync(STYLE, "utf8"), `${STYLE} ${stale}`).toBe(true);
    const committedTexts = Object.entries(WEB_TEXTS_BROTLI).map(([language, text]) => [
      language,
      brotliDecompressSync(Buffer.from(text, "base64")).toString(),
    ]);
    expect(Object.fromEntries(committedTexts), `${TEXTS} ${stale}`).toEqual(texts);
    const { length } = compressedScript;
    expect(length, `the script weighs ${length} bytes over the network`).toBeLessThan(MAX_SCRIPT_BYTES);
  });

  it("need nothing that the page's policy forbids, and contain no path of the machine that built them", async () => {
    const { script } = await buildConsole();
    const text = script + WEB_CSS;
    // Not toContain: a failure would print the whole script.
    const found = [process.cwd(), "eval(", "new Function(", "document.write", "@import"].filter((one) =>
      text.includes(one),
    );
    expect(found).toEqual([]);
  });

  it("write data from the network as text, never as HTML", () => {
    const files = globSync("web/**/*.{ts,tsx}");
    const writing = files.filter((file) =>
      /dangerouslySetInnerHTML|(?:inner|outer)HTML|insertAdjacentHTML/.test(readFileSync(file, "utf8")),
    );
    expect(writing).toEqual([]);
    expect(files.length, "the scan found no files, so it proved nothing").toBeGreaterThan(30);
  });
});
