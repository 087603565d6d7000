import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createSandboxService,
  SANDBOX_API_KEY,
  type SandboxService,
} from "../../src/sandbox/sandbox-service.ts";
import { anOrder } from "../support/orders.ts";
import { until } from "../support/until.ts";
import { CONSUMER } from "./consumer.ts";

const run = promisify(execFile);
const ROOT = new URL("../../", import.meta.url).pathname;
/** The Node that runs the tests also runs what they install, even if the system has an older one. */
const PATH = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
const SETUP_MS = 240_000;

let folder: string;
let service: SandboxService;
let storefront: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdfast-packed-"));
  service = createSandboxService();
  const env = { ...process.env, PATH };
  const packed = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: ROOT, env });
  const [tarball] = Object.values(JSON.parse(packed.stdout) as Record<string, { filename: string }>);
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name: "shop", private: true, type: "module" }),
  );
  const install = [
    "install",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    `./${tarball?.filename}`,
    "express@5.3.0",
  ];
  await run("npm", install, { cwd: folder, env });
}, SETUP_MS);

afterAll(async () => {
  storefront?.kill("SIGKILL");
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** The README's storefront, unchanged. */
async function readExample(): Promise<string> {
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const example = /## Ten lines for a storefront[\s\S]*?```js\n([\s\S]*?)```/.exec(readme)?.[1];
  if (example === undefined) throw new Error("the README has no storefront example");
  return example;
}

interface BillOfMaterials {
  readonly bomFormat: string;
  readonly metadata: { readonly component: object };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly licenses: readonly { readonly license: { readonly id: string } }[];
    readonly hashes: readonly object[];
  }[];
}

const toPackage = (id: string): string => id.split("/", id.startsWith("@") ? 2 : 1).join("/");

/** What the sources import and a shop doesn't install, with what those packages need, and their locked versions. */
async function readImportedPackages(): Promise<Map<string, string>> {
  type Locked = { readonly version: string; readonly dependencies?: Readonly<Record<string, string>> };
  const read = async (path: string) =>
    JSON.parse(await readFile(join(ROOT, path), "utf8")) as Record<string, Record<string, Locked>>;
  const [{ packages = {} }, { peerDependencies = {} }] = await Promise.all([
    read("package-lock.json"),
    read("package.json"),
  ]);
  const found = new Map<string, string>();
  const add = (name: string): void => {
    const locked = packages[`node_modules/${name}`];
    if (locked === undefined || name in peerDependencies || found.has(name)) return;
    found.set(name, locked.version);
    for (const needed of Object.keys(locked.dependencies ?? {})) add(needed);
  };
  for (const file of globSync("{src,adapters,web}/**/*.{ts,tsx}", { cwd: ROOT })) {
    const text = await readFile(join(ROOT, file), "utf8");
    for (const [, kind, id = ""] of text.matchAll(/^(import|export)(?! type)[^;]*? from "([^".][^":]*)"/gm)) {
      if (kind !== undefined) add(toPackage(id));
    }
    // Loaded when it's used.
    for (const [, id = ""] of text.matchAll(/await import\("([^".][^":]*)"\)/g)) add(toPackage(id));
  }
  return found;
}

describe("the packed package", () => {
  it("has every subpath, with types beside the code", async () => {
    const script = `
      const names = {};
      for (const path of ["", "/express", "/fetch", "/fastify", "/shopify", "/catalog", "/management", "/testing"]) {
        names["holdfast" + path] = Object.keys(await import("holdfast" + path));
      }
      console.log(JSON.stringify(names));`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd: folder });
    // OpenTelemetry isn't installed here, and none of the above needs it.
    const telemetry = run(
      process.execPath,
      ["--input-type=module", "-e", `await import("holdfast/opentelemetry")`],
      {
        cwd: folder,
      },
    );
    await expect(telemetry).rejects.toThrow("Cannot find package '@opentelemetry/api'");
    const names = JSON.parse(stdout) as Record<string, string[]>;

    expect(names["holdfast"]).toEqual(expect.arrayContaining(["createScreener", "HoldfastError"]));
    expect(names["holdfast/express"]).toContain("verifyOrder");
    expect(names["holdfast/fetch"]).toContain("verifyOrder");
    expect(names["holdfast/fastify"]).toContain("verifyOrder");
    expect(names["holdfast/shopify"]).toContain("createShopifyPlatform");
    expect(names["holdfast/testing"]).toContain("createSandboxService");
    const manifest = JSON.parse(
      await readFile(join(folder, "node_modules/holdfast/package.json"), "utf8"),
    ) as object;
    expect(manifest).toMatchObject({ name: "holdfast", license: "MIT" });
  });

  it("contains the build and the docs, and nothing else", async () => {
    const names = await readdir(join(folder, "node_modules/holdfast"));
    const documents = ["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "THIRD-PARTY-NOTICES.md"];

    expect(names.toSorted()).toEqual([...documents, "dist", "docs", "package.json"].toSorted());
  });

  it("lists every package that is bundled, with version, license, checksum and license text", async () => {
    const dist = join(folder, "node_modules/holdfast/dist");
    const bom = JSON.parse(await readFile(join(dist, "sbom.cdx.json"), "utf8")) as BillOfMaterials;
    const texts = await readFile(join(dist, "third-party-licenses.txt"), "utf8");
    const wanted = await readImportedPackages();

    expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
    expect(bom.metadata.component).toMatchObject({ name: "holdfast", version: "0.1.0" });
    expect(wanted.size, "the scan found nothing, so it proves nothing").toBeGreaterThan(8);
    expect(new Map(bom.components.map(({ name, version }) => [name, version]))).toEqual(wanted);
    for (const { name, version, purl, licenses, hashes } of bom.components) {
      expect(purl).toBe(`pkg:npm/${name.replace("@", "%40")}@${version}`);
      expect(hashes).toEqual([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
      expect(texts).toContain(`\n${name} ${version} (${licenses[0]?.license.id})\n`);
    }
    expect(texts).toContain("Copyright (c) 2025 Colin McDonnell");
  });

  it("can be wrapped by a package with declarations, where a misspelled field doesn't compile", async () => {
    const compilerOptions = {
      target: "es2024",
      module: "nodenext",
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      declaration: true,
      outDir: "built",
      typeRoots: [join(ROOT, "node_modules/@types")],
      types: ["node"],
    };
    const wrapper = join(folder, "wrapper");
    await mkdir(wrapper);
    await writeFile(join(wrapper, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    for (const [name, text] of Object.entries(CONSUMER)) await writeFile(join(wrapper, name), text);

    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    const compiled = await run(process.execPath, [tsc, "-p", wrapper]).catch((error: unknown) => error);

    expect(compiled).toMatchObject({ stdout: "" });
    const declarations = await readFile(join(wrapper, "built/catalog.d.ts"), "utf8");
    expect(declarations).toContain('import("holdfast/catalog").Product');
    expect(declarations).not.toMatch(/import\("[^"]*(?:zod|dist)/);
  });

  it("refuses what is not exported", async () => {
    const script = `await import("holdfast/dist/src/app.js")`;

    await expect(
      run(process.execPath, ["--input-type=module", "-e", script], { cwd: folder }),
    ).rejects.toThrow("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });

  it("names the Node version that the command line needs", async () => {
    const older = `data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"22.18.9"}})`;
    const main = join(folder, "node_modules/holdfast/dist/main.js");
    const started = run(process.execPath, ["--import", older, main, "--version"], { cwd: folder });

    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: "CONFIG_INVALID: Holdfast needs Node 22.19 or newer. This is Node 22.18.9\n",
    });
    expect((await run(process.execPath, [main, "--version"], { cwd: folder })).stdout).toBe("0.1.0\n");
  });

  it("runs the README's ten lines: one credit for one order, however often it is sent", async () => {
    const url = await service.listen();
    await writeFile(join(folder, "storefront.js"), await readExample());
    // Below the ports that the system assigns by itself.
    const port = 20_000 + (process.pid % 10_000);
    storefront = spawn(process.execPath, ["storefront.js"], {
      cwd: folder,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, PORT: String(port), VERIFY_URL: url.href, VERIFY_API_KEY: SANDBOX_API_KEY },
    });
    const exited = once(storefront, "exit").then(() => {
      throw new Error("the README's storefront ended");
    });
    const send = async (order: unknown) => {
      const answer = await request(`http://127.0.0.1:${port}/orders`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(order),
      });
      await answer.body.dump();
      return answer.statusCode;
    };
    await Promise.race([untilUp(port), exited]);

    const good = anOrder({ customerEmail: "low@risk.example" });
    expect([await send(good), await send(good), await send(good)].every((status) => status < 300)).toBe(true);
    expect(service.calls).toHaveLength(1);
    expect(await send(anOrder({ orderId: "2", customerEmail: "critical@risk.example" }))).toBe(403);
    // Not an email address: the local engine judges the order, and no sale is lost.
    expect(await send(anOrder({ customerEmail: "nobody" }))).toBe(201);
    expect(service.calls).toHaveLength(2);
    exited.catch(() => undefined);
  });

  it("has a command that prints its name and refuses unknown arguments", async () => {
    const bin = join(folder, "node_modules/.bin/holdfast");
    const env = { ...process.env, PATH };

    expect((await run(bin, ["--version"], { cwd: folder, env })).stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
    await expect(run(bin, ["dance"], { cwd: folder, env })).rejects.toThrow('unknown command "dance"');
  });
});

/** Wait until something answers on a port. */
const untilUp = (port: number) => until(async () => (await request(`http://127.0.0.1:${port}/`)).body.dump());
