import express5 from "express";
import express4 from "express4";
import { describe } from "vitest";
import { createExpressHost } from "./express/express-host.ts";
import { FASTIFY_HOST } from "./fastify/fastify-host.ts";
import { FETCH_HOST } from "./fetch/fetch-host.ts";
import { describeGuard, describeNodeGuard } from "./guard-cases.ts";

const NODE_HOSTS = [
  createExpressHost("Express 4", express4),
  createExpressHost("Express 5", express5),
  FASTIFY_HOST,
];

describe.each([...NODE_HOSTS, FETCH_HOST])("verifyOrder on $name", describeGuard);

describe.each(NODE_HOSTS)("verifyOrder on $name, which has a Node response", describeNodeGuard);
