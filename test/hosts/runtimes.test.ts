import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { codeBlocks, readSection } from "../support/markdown.ts";
import { until } from "../support/until.ts";
import { findFreePort, installHost, type Host, type HostOptions } from "./host.ts";
import { IN_ORDER, placeOrder, stopDuringOrder } from "./shutdown.ts";

const page = readFileSync("docs/hosts/astro-bun-deno.md", "utf8");
const [checkout = ""] = codeBlocks(page, "js");
const blocksOf = (name: string): string[] => codeBlocks(readSection(page, name), "js");
const [bun = ""] = blocksOf("Bun");
const [deno = ""] = blocksOf("Deno");
const [astroRoute = "", astroStart = ""] = blocksOf("Astro");

interface Runtime extends HostOptions {
  readonly name: string;
  readonly build?: readonly string[];
  readonly start: readonly [string, ...string[]];
}

const DENO_ARGS = [
  "run",
  "--no-prompt",
  "--allow-net",
  "--allow-env=PORT,VERIFY_URL,VERIFY_API_KEY",
  "server.js",
];
const RUNTIMES: readonly Runtime[] = [
  {
    name: "Bun 1.4",
    packages: ["bun@1.4.5"],
    manifest: { allowScripts: { bun: true } },
    files: { "checkout.js": checkout, "server.js": bun },
    start: ["node_modules/.bin/bun", "server.js"],
  },
  {
    name: "Deno 2.9",
    packages: ["deno@2.9.6"],
    files: { "checkout.js": checkout, "server.js": deno },
    start: ["node_modules/.bin/deno", ...DENO_ARGS],
  },
  {
    name: "Astro 7.3",
    packages: ["astro@7.3.5", "@astrojs/node@11.1.6"],
    files: {
      "astro.config.mjs": `import node from "@astrojs/node";\nexport default { adapter: node({ mode: "standalone" }) };\n`,
      "src/checkout.js": checkout,
      "src/pages/orders.js": astroRoute,
      "server.js": astroStart,
    },
    build: ["node_modules/astro/bin/astro.mjs", "build"],
    start: [process.execPath, "server.js"],
  },
];
const ASTRO_ENV = { ASTRO_TELEMETRY_DISABLED: "1", HOST: "127.0.0.1" };

describe.each(RUNTIMES)("$name from npm, with the program from its page", ({ build, start, ...options }) => {
  const service = createSandboxService();
  let host: Host;
  let verifyUrl: string;

  beforeAll(async () => {
    host = await installHost(options);
    if (build !== undefined) await host.run(process.execPath, build, ASTRO_ENV);
    verifyUrl = (await service.listen()).href;
  });
  afterAll(async () => {
    await host?.[Symbol.asyncDispose]();
    await service.close();
  });

  async function open() {
    const port = String(await findFreePort());
    const [command, ...args] = start;
    const env = { ...ASTRO_ENV, PORT: port, VERIFY_URL: verifyUrl, VERIFY_API_KEY: SANDBOX_API_KEY };
    const child = host.start(command, args, env);
    const address = `http://127.0.0.1:${port}`;
    await until(() => fetch(address));
    return { child, url: `${address}/orders` };
  }

  it("places and refuses orders", async () => {
    const { url } = await open();

    expect(await placeOrder(url, "low@risk.example")).toEqual({ status: 201, state: "placed" });
    expect(await placeOrder(url, "high@risk.example")).toEqual({ status: 201, state: "in review" });
    expect(await placeOrder(url, "critical@risk.example")).toEqual({ status: 403, state: undefined });
  });

  it("answers the order under way at SIGTERM, and exits", async () => {
    expect(await stopDuringOrder(await open(), service)).toEqual(IN_ORDER);
  });
});
