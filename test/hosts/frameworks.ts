import { readFileSync } from "node:fs";
import { transformWithOxc } from "vite";
import { codeBlocks } from "../support/markdown.ts";
import type { HostOptions } from "./host.ts";

/**
 * A framework with a shop's server, as its users write it. `POST /orders` places an order, `POST /quick` one with a
 * deadline of 400 ms; both answer 201 with the check's status and action. `POST /bare` reads the body, waits as long
 * and answers: the host's own time. `POST /broken` fails while it reads the order.
 */
export interface Framework extends HostOptions {
  readonly name: string;
  /** The program on its page in docs/hosts, which places an order at this path. */
  readonly page: {
    readonly file: string;
    readonly path: string;
    /** The exit code or signal of a host that handles SIGTERM itself. Default: 0. */
    readonly end?: number | string;
  };
  /** Media type of a refusal. Default: `application/problem+json`. */
  readonly problemType?: string;
  /** Node arguments for a program that has to run before the server starts. */
  readonly build?: readonly string[];
  /** Node arguments for a server on a port. Default: `server.js`, which reads `PORT`. */
  readonly serve?: (port: string) => readonly string[];
}

/** Longer than a busy machine needs for an answer of the sandbox. */
const PATIENT_MS = 30_000;
/** The deadline of `POST /quick`, and how long `POST /bare` waits. */
export const DEADLINE_MS = 400;
const SCREENER = `
import { setTimeout as pause } from "node:timers/promises";
import { createScreener } from "holdfast";
const { PORT, VERIFY_URL: url, VERIFY_API_KEY: apiKey } = process.env;
`;
const CREATE = `const screener = createScreener({ service: { url, apiKey } });`;

const EXPRESS = `${SCREENER}
import express from "express";
import { verifyOrder } from "holdfast/express";
${CREATE}
const app = express();
const order = (req) => req.body;
const place = (req, res) => res.status(201).json({ status: req.orderCheck.status, action: req.orderCheck.action });
const broken = () => { throw new Error("broken"); };
app.post("/orders", express.json(), verifyOrder({ screener, order, deadlineMs: ${PATIENT_MS} }), place);
app.post("/quick", express.json(), verifyOrder({ screener, order, deadlineMs: ${DEADLINE_MS} }), place);
app.post("/bare", express.json(), (req, res) => void setTimeout(() => res.status(201).json({ status: "bare" }), ${DEADLINE_MS}));
app.post("/broken", express.json(), verifyOrder({ screener, order: broken }), place);
app.listen(PORT, "127.0.0.1");
`;

const FASTIFY = `${SCREENER}
import fastify from "fastify";
import { verifyOrder } from "holdfast/fastify";
${CREATE}
const app = fastify();
const order = (request) => request.body;
const place = async (request, reply) => reply.code(201).send({ status: request.orderCheck.status, action: request.orderCheck.action });
const broken = () => { throw new Error("broken"); };
app.post("/orders", { preHandler: verifyOrder({ screener, order, deadlineMs: ${PATIENT_MS} }) }, place);
app.post("/quick", { preHandler: verifyOrder({ screener, order, deadlineMs: ${DEADLINE_MS} }) }, place);
app.post("/bare", async (request, reply) => {
  await pause(${DEADLINE_MS});
  return reply.code(201).send({ status: "bare" });
});
app.post("/broken", { preHandler: verifyOrder({ screener, order: broken }) }, place);
await app.listen({ port: Number(PORT), host: "127.0.0.1" });
`;

/** With a validator before the check: it has read the body. */
const HONO = `${SCREENER}
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { validator } from "hono/validator";
import { verifyOrder } from "holdfast/hono";
${CREATE}
const app = new Hono();
const body = validator("json", (value) => value);
const order = async (c) => await c.req.json();
const place = (c) => c.json({ status: c.get("orderCheck").status, action: c.get("orderCheck").action }, 201);
const broken = () => { throw new Error("broken"); };
app.post("/orders", body, verifyOrder({ screener, order, deadlineMs: ${PATIENT_MS} }), place);
app.post("/quick", body, verifyOrder({ screener, order, deadlineMs: ${DEADLINE_MS} }), place);
app.post("/bare", body, async (c) => {
  await pause(${DEADLINE_MS});
  return c.json({ status: "bare" }, 201);
});
app.post("/broken", body, verifyOrder({ screener, order: broken }), place);
serve({ fetch: app.fetch, port: Number(PORT), hostname: "127.0.0.1" });
`;

/** Decorators called as functions, so that no compiler is needed. */
const NEST = `import "reflect-metadata";
${SCREENER}
import { Controller, Module, Post, UseGuards } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { CheckedOrder, HoldfastModule, verifyOrder } from "holdfast/nestjs";
${CREATE}
class ShopController {
  orders(check) { return { status: check.status, action: check.action }; }
  quick(check) { return { status: check.status, action: check.action }; }
  async bare() {
    await pause(${DEADLINE_MS});
    return { status: "bare" };
  }
  broken() {}
}
Controller()(ShopController);
const order = (request) => request.body;
const broken = () => { throw new Error("broken"); };
const guards = {
  orders: verifyOrder({ order, deadlineMs: ${PATIENT_MS} }),
  quick: verifyOrder({ order, deadlineMs: ${DEADLINE_MS} }),
  broken: verifyOrder({ order: broken }),
};
Post("bare")(ShopController.prototype, "bare", Object.getOwnPropertyDescriptor(ShopController.prototype, "bare"));
for (const [name, guard] of Object.entries(guards)) {
  const method = Object.getOwnPropertyDescriptor(ShopController.prototype, name);
  CheckedOrder()(ShopController.prototype, name, 0);
  Post(name)(ShopController.prototype, name, method);
  UseGuards(guard)(ShopController.prototype, name, method);
}
class AppModule {}
Module({ imports: [HoldfastModule.forRoot(screener)], controllers: [ShopController] })(AppModule);
const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(Number(PORT), "127.0.0.1");
`;

const nextRoute = (order: string, options: string): string => `import { after } from "next/server";
import { verifyOrder } from "holdfast/next";
import { screener } from "../../screener.js";
const order = ${order};
const place = (request, check) => Response.json({ status: check.status, action: check.action }, { status: 201 });
export const POST = verifyOrder({ screener, order, waitUntil: after${options} }, place);
`;
const NEXT_BARE = `import { setTimeout as pause } from "node:timers/promises";
export async function POST(request) {
  await request.json();
  await pause(${DEADLINE_MS});
  return Response.json({ status: "bare" }, { status: 201 });
}
`;
/** Keeps the check in a database, which only this route has. */
export const NEXT_STORED = "app/stored/route.js";
const STORED = `import { createScreener, createSqliteStore } from "holdfast";
export async function POST(request) {
  const store = await createSqliteStore({ path: "shop.db", dataKey: Buffer.alloc(32, 1) });
  const screener = createScreener({ service: "local", store });
  const { status, action } = await screener.check(await request.json());
  await screener.close();
  await store.close();
  return Response.json({ status, action }, { status: 201 });
}
`;
const READ_BODY = "async (request) => await request.json()";

const NEXT = "node_modules/next/dist/bin/next";

function listNestPackages(version: string): string[] {
  const own = ["common", "core", "platform-express"].map((name) => `@nestjs/${name}@${version}`);
  // The page's compiled decorators need the last one.
  return [...own, "reflect-metadata@0.2.2", "rxjs@7.8.2", "@oxc-project/runtime@0.158.0"];
}

/** Code of a page in docs/hosts, without its types and decorators. */
async function readPage(name: string, block = 0): Promise<string> {
  const page = readFileSync(`docs/hosts/${name}.md`, "utf8");
  const [typed] = codeBlocks(page, "ts");
  if (typed === undefined) return codeBlocks(page, "js")[block] ?? "";
  const decorator = { legacy: true, emitDecoratorMetadata: true };
  return (await transformWithOxc(typed, "page.ts", { decorator })).code;
}

const program = async (
  server: string,
  page: string,
  end?: string,
): Promise<Pick<Framework, "files" | "page">> => ({
  files: { "server.js": server, "page.js": await readPage(page) },
  page: { file: "page.js", path: "/carts/7/order", ...(end === undefined ? {} : { end }) },
});

/** A built shop, by Turbopack unless told otherwise. */
const next = async (config: Record<string, string> = {}): Promise<Omit<Framework, "name">> => ({
  packages: ["next@16.4.6", "react@19.3.1", "react-dom@19.3.1"],
  files: {
    ...config,
    "app/layout.js":
      "export default function Layout({ children }) { return <html><body>{children}</body></html>; }\n",
    "app/page.js": "export default function Page() { return <p>Shop</p>; }\n",
    "screener.js": await readPage("next"),
    "app/carts/route.js": await readPage("next", 1),
    "app/orders/route.js": nextRoute(READ_BODY, `, deadlineMs: ${PATIENT_MS}`),
    "app/quick/route.js": nextRoute(READ_BODY, `, deadlineMs: ${DEADLINE_MS}`),
    "app/bare/route.js": NEXT_BARE,
    [NEXT_STORED]: STORED,
    "app/broken/route.js": nextRoute('() => { throw new Error("broken"); }', ""),
  },
  page: { file: NEXT, path: "/carts", end: 143 },
  build: [NEXT, "build"],
});
const STANDALONE = `export default { output: "standalone", outputFileTracingRoot: import.meta.dirname };\n`;

/** Every framework that has an adapter, in the supported versions. */
export const FRAMEWORKS: readonly Framework[] = [
  { name: "Express 4", packages: ["express@4.22.3"], ...(await program(EXPRESS, "express")) },
  { name: "Express 5", packages: ["express@5.3.0"], ...(await program(EXPRESS, "express")) },
  { name: "Fastify 5", packages: ["fastify@5.12.8"], ...(await program(FASTIFY, "fastify")) },
  {
    name: "Hono 4",
    packages: ["hono@4.13.19", "@hono/node-server@2.1.8"],
    ...(await program(HONO, "hono")),
  },
  {
    name: "NestJS 11",
    packages: listNestPackages("11.2.10"),
    ...(await program(NEST, "nestjs", "SIGTERM")),
    // Its Express adapter replaces every other error type with this one.
    problemType: "application/json",
  },
  { name: "NestJS 12", packages: listNestPackages("12.5.1"), ...(await program(NEST, "nestjs", "SIGTERM")) },
  { name: "Next 16", ...(await next()), serve: (port) => [NEXT, "start", "-H", "127.0.0.1", "-p", port] },
  // The standalone server has only what webpack found of the library: the rest is missing when the service is down.
  {
    name: "Next 16, by webpack, standalone",
    ...(await next({ "next.config.mjs": STANDALONE })),
    build: [NEXT, "build", "--webpack"],
    serve: () => [".next/standalone/server.js"],
  },
];
