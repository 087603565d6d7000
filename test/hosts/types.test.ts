import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeBlocks } from "../support/markdown.ts";
import { installHost, type Host } from "./host.ts";

const SHOP = `
import { createScreener, HoldfastError, type OrderCheck, type VerificationRequest } from "holdfast";
import { verifyOrder as forExpress } from "holdfast/express";
import { verifyOrder as forFastify } from "holdfast/fastify";
import { verifyOrder as forFetch } from "holdfast/fetch";
import { fromMedusaCart } from "holdfast/medusa";
import { createSandboxService } from "holdfast/testing";
import { fromVendureOrder } from "holdfast/vendure";

const screener = createScreener({ service: "local", policy: { mode: "shadow" } });
export const guards = [
  forExpress({ screener, order: (req) => req.body }),
  forFastify({ screener, order: (request) => request.body as VerificationRequest }),
  forFetch({ screener, order: async (request) => (await request.json()) as VerificationRequest }),
];
export const level = (check: OrderCheck): string => check.riskLevel ?? "none";
export const isOurs = (error: unknown): boolean => error instanceof HoldfastError;
export const amount = (order: VerificationRequest): number => order.orderAmount;
export const service = createSandboxService();
export const mappings = [fromMedusaCart, fromVendureOrder];
`;
/** If the types of a subpath weren't found, they would be `any`, and nothing would be wrong here. */
const WRONG = `
import { createScreener, type OrderCheck } from "holdfast";
import { createSandboxService } from "holdfast/testing";
createScreener({ service: 5 });
createSandboxService({ latencyMs: "long" });
export const level = (check: OrderCheck): number => check.riskLevel;
`;
/** Types that aren't installed. */
const PLANTED = `export type { Plugin } from "not-installed";\n`;

const RESOLUTIONS = [
  ["node16", "node16"],
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
] as const;

let host: Host;
beforeAll(async () => {
  host = await installHost({
    packages: [
      "typescript@7.0.2",
      "typescript5.4@npm:typescript@5.4.5",
      "typescript5.9@npm:typescript@5.9.3",
      "@types/node@24.19.2",
      "@types/express@5.0.6",
      "express@5.3.0",
      "fastify@5.12.8",
    ],
    files: {
      "shop.ts": SHOP,
      "planted.ts": PLANTED,
      "commonjs/package.json": '{ "type": "commonjs" }',
      "commonjs/shop.ts": SHOP,
      "commonjs/wrong.ts": WRONG,
    },
  });
});
afterAll(() => host[Symbol.asyncDispose]());

const STRICT = "--noEmit --strict --skipLibCheck false --types node".split(" ");
const check = (
  file: string,
  module: string,
  resolution: string,
  compiler = "typescript",
  more: readonly string[] = [],
) => {
  const options =
    compiler === "typescript" ? ["--ignoreConfig", "--target", "es2024"] : ["--target", "es2022"];
  const modules = ["--module", module, "--moduleResolution", resolution];
  const tsc = `node_modules/${compiler}/bin/tsc`;
  return host.run("node", [tsc, file, ...STRICT, ...options, ...modules, ...more]);
};

describe.each(RESOLUTIONS)(
  "TypeScript, module %s, moduleResolution %s, skipLibCheck false",
  (module, resolution) => {
    it("accepts the library's types in an ECMAScript module", async () => {
      await check("shop.ts", module, resolution);
    });

    it("accepts the library's types in CommonJS", async () => {
      await check("commonjs/shop.ts", module, resolution);
    });

    it("knows the types of functions and values in CommonJS", async () => {
      const faults = check("commonjs/wrong.ts", module, resolution).catch(String);
      expect((await faults).match(/wrong\.ts\(\d+,\d+\): error/g)).toHaveLength(3);
    });

    it("would detect types that aren't installed", async () => {
      await expect(check("planted.ts", module, resolution)).rejects.toThrow("TS2307");
    });
  },
);

it("TypeScript 5.4, whose Uint8Array has no parameter, accepts the library's types", async () => {
  await check("shop.ts", "nodenext", "nodenext", "typescript5.4");
});

// TypeScript 7 has no node10 any more. It doesn't read `exports`.
it.each(["typescript5.4", "typescript5.9"])(
  "%s, module commonjs, moduleResolution node10, finds the types of the package and its subpaths",
  async (compiler) => {
    // Fastify's own dependencies need the option.
    await check("commonjs/shop.ts", "commonjs", "node10", compiler, ["--esModuleInterop"]);
  },
);

/** What its starter's tsconfig.json says, without what concerns the output. */
const NEST_STARTER = {
  module: "nodenext",
  moduleResolution: "nodenext",
  resolvePackageJsonExports: true,
  esModuleInterop: true,
  isolatedModules: true,
  emitDecoratorMetadata: true,
  experimentalDecorators: true,
  target: "ES2023",
  skipLibCheck: true,
  strictNullChecks: true,
  noImplicitAny: false,
  strictBindCallApply: false,
};

it("NestJS 11's starter, which is CommonJS, compiles the program on its page", async () => {
  const [program = ""] = codeBlocks(readFileSync("docs/hosts/nestjs.md", "utf8"), "ts");
  const own = ["common", "core", "platform-express"].map((name) => `@nestjs/${name}@11.2.10`);
  await using nest = await installHost({
    packages: [
      ...own,
      "reflect-metadata@0.2.2",
      "rxjs@7.8.2",
      "typescript@5.9.3",
      "@types/node@24.19.2",
      "@types/express@5.0.6",
    ],
    manifest: { type: "commonjs" },
    files: {
      "tsconfig.json": JSON.stringify({ compilerOptions: NEST_STARTER, include: ["src"] }),
      "src/main.ts": program,
      "planted/tsconfig.json": JSON.stringify({ extends: "../tsconfig.json", include: ["."] }),
      "planted/main.ts": program.replace("void start();", "await start();"),
    },
  });
  const compile = (project: string) =>
    nest.run("node", ["node_modules/typescript/bin/tsc", "--noEmit", "-p", project]);

  await compile(".");
  // What the page once had.
  await expect(compile("planted")).rejects.toThrow("TS1309");
});
