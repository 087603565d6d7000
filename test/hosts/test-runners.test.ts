import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { codeBlocks } from "../support/markdown.ts";
import { installHost } from "./host.ts";

const [, code = ""] = codeBlocks(readFileSync("docs/hosts/testing.md", "utf8"), "js");
const withoutImport = code.split("\n").slice(1).join("\n");

const [, inShopify = ""] = codeBlocks(readFileSync("docs/hosts/testing.md", "utf8"), "js").filter((block) =>
  block.includes("node:test"),
);

describe("the test on the page about testing passes with the packed package", () => {
  it("under vitest", async () => {
    await using host = await installHost({ packages: ["vitest@5.1.0"], files: { "shop.test.js": code } });

    const printed = await host.run(
      process.execPath,
      ["node_modules/vitest/vitest.mjs", "run", "--reporter=tap-flat"],
      {
        // A test run inside a test run.
        VITEST: undefined,
      },
    );

    expect(printed).toMatch(/^ok 1 - shop\.test\.js > a risky order is held/m);
    expect(printed).not.toMatch(/^not ok/m);
  });

  it("under Jest", async () => {
    await using host = await installHost({
      packages: ["jest@30.5.2"],
      files: { "shop.test.js": withoutImport },
    });

    const printed = await host.run(process.execPath, ["node_modules/jest/bin/jest.js", "--json"], {
      NODE_OPTIONS: "--experimental-vm-modules",
    });

    expect(JSON.parse(printed)).toMatchObject({ numPassedTests: 1, numTotalTests: 1, success: true });
  });

  it("of a Shopify shop, under Node's own runner, offline", async () => {
    await using host = await installHost({
      packages: [
        "@shopify/shopify-api@15.0.0",
        "express@5.3.0",
        "graphql@16.15.0",
        "pino@10.4.0",
        "prom-client@15.1.3",
      ],
      manifest: { type: "module" },
      files: { "shop.test.js": inShopify },
    });

    const printed = await host.run(process.execPath, ["--test", "--test-reporter=tap"], {
      NODE_TEST_CONTEXT: undefined,
    });

    expect(printed).toMatch(/^ok 1 - a risky order is held/m);
    expect(inShopify.trim().split("\n").length).toBeLessThanOrEqual(16);
  });

  it("of a Shopify shop, names the command that installs what is missing", async () => {
    await using host = await installHost({
      manifest: { type: "module" },
      files: { "start.js": `await (await import("holdfast/testing/shopify")).startShopifyTest();` },
    });

    await expect(host.run(process.execPath, ["start.js"])).rejects.toThrow(/CONFIG_INVALID[^]*npm install/);
  });
});
