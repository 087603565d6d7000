import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installHost, type Host } from "./host.ts";

/** The most that a storefront gets from `npm install holdfast`. */
const LIMITS = { megabytes: 10, packages: 30 };

interface Installed {
  readonly megabytes: number;
  readonly packages: number;
}

/** Everything under node_modules, in blocks as on the disk. */
async function measure(folder: string): Promise<Installed> {
  const names = await readdir(join(folder, "node_modules"), { recursive: true });
  const sizes = await Promise.all(names.map((name) => lstat(join(folder, "node_modules", name))));
  const bytes = sizes.filter((stat) => stat.isFile()).reduce((sum, { size }) => sum + size, 0);
  const isPackage = (name: string) => /(^|\/node_modules\/)(@[^/]+\/)?[^/@.][^/]*\/package\.json$/.test(name);
  return { megabytes: bytes / 1e6, packages: names.filter(isPackage).length };
}

let host: Host;
beforeAll(async () => {
  host = await installHost();
});
afterAll(() => host[Symbol.asyncDispose]());

const evaluate = (script: string) => host.run(process.execPath, ["--input-type=module", "-e", script]);

describe("npm install holdfast", () => {
  it("is light", async () => {
    const installed = await measure(host.folder);

    expect(installed.packages).toBeGreaterThan(0);
    expect(installed.packages).toBeLessThanOrEqual(LIMITS.packages);
    expect(installed.megabytes).toBeLessThanOrEqual(LIMITS.megabytes);
  });

  it("would detect a heavy dependency", async () => {
    await using heavy = await installHost({ packages: ["@shopify/shopify-api@15.0.0"] });

    expect((await measure(heavy.folder)).megabytes).toBeGreaterThan(LIMITS.megabytes);
  });

  it("has no source maps, and nothing that hides a package from bundlers", async () => {
    const folder = join(host.folder, "node_modules/holdfast/dist");
    const names = await readdir(folder, { recursive: true });
    const code = names.filter((name) => name.endsWith(".js") && !name.startsWith("types"));

    expect(code.length).toBeGreaterThan(10);
    expect(names.filter((name) => name.endsWith(".map"))).toEqual([]);
    const hiding = [];
    for (const name of code) {
      if ((await readFile(join(folder, name), "utf8")).includes("createRequire")) hiding.push(name);
    }
    expect(hiding).toEqual([]);
  });

  it("imports without the server, the database and undici", async () => {
    const script = `
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      await import("holdfast/express");
      console.log(JSON.stringify(loaded));`;
    const loaded = JSON.parse(await evaluate(script)) as string[];

    expect(loaded.length).toBeGreaterThan(3);
    expect(
      loaded.filter((url) => /node:(?:http2?|sqlite|tls)$|engine-|postgres|sqlite|pool-/.test(url)),
    ).toEqual([]);
  });

  it("names the command that installs what is missing", async () => {
    const script = `
      import { createPostgresStore } from "holdfast";
      const opened = createPostgresStore({ url: "postgres://127.0.0.1:1/x", dataKey: new Uint8Array(32) });
      await opened.catch(({ code, message }) => console.log(code, message));`;

    expect(await evaluate(script)).toBe(
      `CONFIG_INVALID The package "pg" isn't installed. Run: npm install pg@8\n`,
    );
    await expect(host.run("npx", ["holdfast", "serve"], { PORT: "0" })).rejects.toThrow(
      /isn't installed\. Run: npm install express@5 pino@10 prom-client@15 graphql@16 @shopify\/shopify-api@15/,
    );
  });

  it("works from CommonJS, with the same classes", async () => {
    const script = `
      import { createRequire } from "node:module";
      import { HoldfastError } from "holdfast";
      const required = createRequire(process.cwd() + "/x.js")("holdfast");
      console.log(required.HoldfastError === HoldfastError);`;

    expect(await evaluate(script)).toBe("true\n");
  });
});
