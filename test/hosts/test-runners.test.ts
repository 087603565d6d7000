import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { codeBlocks } from "../support/markdown.ts";
import { installHost } from "./host.ts";

const [, code = ""] = codeBlocks(readFileSync("docs/hosts/testing.md", "utf8"), "js");
const withoutImport = code.split("\n").slice(1).join("\n");

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
});
