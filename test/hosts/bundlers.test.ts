import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { anOrder } from "../support/orders.ts";
import { installHost, type Host } from "./host.ts";

const order = JSON.stringify(
  anOrder({ customerPhone: "+1 212 555 0100", customerEmail: "low@risk.example" }),
);
/** Checks one order and prints what the shop would see. */
const GUARD = `
const { VERIFY_URL: url, VERIFY_API_KEY: apiKey } = process.env;
const screener = createScreener({ service: { url, apiKey } });
const guard = verifyOrder({ screener, order: async (request) => await request.json(), deadlineMs: 5000 });
const request = new Request("https://shop.example/orders", { method: "POST", body: ${JSON.stringify(order)} });
guard(request, (_request, check) => Response.json(check)).then(async (response) => {
  console.log(JSON.stringify({ status: response.status, check: await response.json() }));
  await screener.close();
});
`;
const SHOP = `import { createScreener } from "holdfast";\nimport { verifyOrder } from "holdfast/fetch";\n${GUARD}`;
/** What version 0.1.0 answered for the phone plans. */
const PLANTED = `import { createRequire } from "node:module";\ncreateRequire(import.meta.url)("express");\n${SHOP}`;
const JEST = `
const { createScreener } = require("holdfast");
const { verifyOrder } = require("holdfast/express");
test("decides an order without the service", async () => {
  const screener = createScreener({ service: { url: process.env.VERIFY_URL, apiKey: "key" } });
  expect(typeof verifyOrder({ screener, order: (req) => req.body })).toBe("function");
  const check = await screener.check(${order}, { deadlineMs: 5000 });
  expect(check.status).toBe("degraded");
  expect(check.reasons).not.toContain("degraded:INTERNAL");
  await screener.close();
});
`;

/** Checks an order with a database of its own, and starts Holdfast in the shop's process. */
const STORE = `
import { createScreener, createSqliteStore } from "holdfast";
import { createHoldfast } from "holdfast/medusa";
const run = async () => {
  const store = await createSqliteStore({ path: "shop.db", dataKey: Buffer.alloc(32, 1) });
  const screener = createScreener({ service: "local", store });
  const { status } = await screener.check(${order});
  await screener.close();
  await store.close();
  const settings = { DATABASE_URL: "sqlite:./app.db", PORT: "0", CONSOLE_TOKEN: "t".repeat(40), LOG_LEVEL: "silent" };
  const holdfast = createHoldfast({ settings });
  await holdfast.start({ resolve: () => ({ graph: async () => ({ data: [] }) }) });
  const headers = { authorization: "Bearer " + settings.CONSOLE_TOKEN };
  const api = await (await fetch(new URL("/api/openapi.json", holdfast.consoleUrl()), { headers })).json();
  await holdfast.stop();
  console.log(JSON.stringify({ status, version: api.info.version }));
};
run();
`;
/** As tsup writes bundles unless told otherwise, but with the library in them. */
const TSUP = `export default { entry: ["store.js"], format: ["esm", "cjs"], noExternal: [/^holdfast/], outDir: "tsup" };`;

let host: Host;
const service = createSandboxService();
let up: NodeJS.ProcessEnv;
const DOWN = { VERIFY_URL: "http://127.0.0.1:9", VERIFY_API_KEY: "key" };

beforeAll(async () => {
  up = { VERIFY_URL: (await service.listen()).href, VERIFY_API_KEY: SANDBOX_API_KEY };
  const files = {
    "shop.js": SHOP,
    "planted.js": PLANTED,
    "store.js": STORE,
    "tsup.config.js": TSUP,
    "shop.test.cjs": JEST,
    "planted.test.cjs": `test("is CommonJS", () => void require("./planted.js"));`,
  };
  host = await installHost({
    packages: [
      "esbuild@0.28.2",
      "express@5.3.0",
      "jest@30.2.0",
      "pino@10.4.0",
      "prom-client@15.1.3",
      "tsup@9.0.0",
      "typescript@5.9.3",
    ],
    files,
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await service.close();
});

/** Bundle a file with esbuild, and run it where no package is installed. */
async function runBundle(file: string, format: "esm" | "cjs", env: NodeJS.ProcessEnv): Promise<unknown> {
  const name = `${file}.${format === "esm" ? "mjs" : "cjs"}`;
  const options = ["--bundle", "--platform=node", `--format=${format}`, "--log-level=error"];
  await host.run("npx", ["esbuild", file, ...options, `--outfile=${name}`]);
  const elsewhere = await mkdtemp(join(tmpdir(), "holdfast-bundle-"));
  try {
    await cp(join(host.folder, name), join(elsewhere, name));
    return JSON.parse(await host.run(process.execPath, [join(elsewhere, name)], env)) as unknown;
  } finally {
    await rm(elsewhere, { recursive: true });
  }
}

describe.each(["esm", "cjs"] as const)("a bundle of esbuild, %s", (format) => {
  it("decides on the spot while the service is down", async () => {
    const answer = await runBundle("shop.js", format, DOWN);

    expect(answer).toMatchObject({ status: 200, check: { status: "degraded" } });
    expect(JSON.stringify(answer)).toContain("degraded:VERIFICATION_UNREACHABLE");
    expect(JSON.stringify(answer)).not.toContain("INTERNAL");
  });

  it("asks the service while it is up", async () => {
    const answer = await runBundle("shop.js", format, up);

    // Both formats send the same order to the same service, each from its own process.
    expect(answer).toMatchObject({ status: 200, check: { status: "verified" } });
  });

  it("would detect a package that the bundler can't see", async () => {
    await expect(runBundle("planted.js", format, DOWN)).rejects.toThrow(
      /MODULE_NOT_FOUND|ERR_INVALID_ARG_VALUE/,
    );
  });
});

describe("bundles of tsup, which takes `node:` out of imports", () => {
  it("open a database, and know Holdfast's version", async () => {
    await host.run("npx", ["tsup"]);

    for (const file of ["tsup/store.js", "tsup/store.cjs"]) {
      const { status, version } = JSON.parse(await host.run(process.execPath, [file])) as Record<
        string,
        string
      >;
      expect({ status, version }).toEqual({ status: "degraded", version: "0.1.0" });
    }
  });
});

describe("Jest in CommonJS", () => {
  const jest = (file: string) =>
    host.run("npx", ["jest", "--rootDir=.", `--testMatch=**/${file}`], { ...DOWN, CI: "1" });

  it("loads the library and decides", async () => {
    await jest("shop.test.cjs");
  });

  it("would detect a module that it can't load", async () => {
    await expect(jest("planted.test.cjs")).rejects.toThrow("Cannot use import statement outside a module");
  });
});
