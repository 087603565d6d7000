import express5 from "express";
import express4 from "express4";
import { describe } from "vitest";
import { createExpressHost } from "./express/express-host.ts";
import { FASTIFY_HOST } from "./fastify/fastify-host.ts";
import { FETCH_HOST } from "./fetch/fetch-host.ts";
import { describeGuard, describeNodeGuard } from "./guard-cases.ts";
import { HONO_HOST } from "./hono/hono-host.ts";
import { NEST_ON_EXPRESS, NEST_ON_FASTIFY } from "./nestjs/nest-host.ts";
import { NEXT_HOST } from "./next/next-host.ts";

const NODE_HOSTS = [
  createExpressHost("Express 4", express4),
  createExpressHost("Express 5", express5),
  FASTIFY_HOST,
  NEST_ON_EXPRESS,
  NEST_ON_FASTIFY,
];

describe.each([...NODE_HOSTS, FETCH_HOST, HONO_HOST, NEXT_HOST])("verifyOrder on $name", describeGuard);

describe.each(NODE_HOSTS)("verifyOrder on $name, which has a Node response", describeNodeGuard);
