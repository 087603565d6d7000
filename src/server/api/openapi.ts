import type { RequestHandler } from "express";
import { z } from "zod";
import { PROBLEM_MEDIA_TYPE } from "../../base/problem.ts";
import type { ApiMethod, ApiOperation, ApiRoute } from "./api-route.ts";
import { sendJson } from "../http/responses.ts";

/** A JSON value. */
type Json = { readonly [key: string]: unknown };

/** What every call can end with beside its own answers. */
const COMMON_PROBLEMS: Readonly<Record<number, string>> = {
  400: "The query or the body is invalid.",
  401: "The token is missing or isn't accepted.",
  403: "Your role doesn't allow this, or the request doesn't come from the console.",
  429: "Too many requests.",
  500: "Something went wrong in Holdfast. Search the log for `errorId`.",
  503: "A required service is unavailable. Try again after `Retry-After` seconds.",
};

const OTHER_PROBLEMS: Readonly<Record<number, string>> = {
  404: "Not found in your shop.",
  408: "The body did not arrive in time.",
  409: "Not possible in the current state. `detail` says why.",
  412: "Someone else changed it first. Read it again.",
  413: "The body is too large.",
  415: "The body isn't JSON.",
  422: "Some fields are invalid. `errors` lists them.",
};

/**
 * Describe the API as an OpenAPI 3.1 document, made from the very schemas that the routes are typed with.
 *
 * @param version - Of the package.
 */
export function toOpenApi(routes: readonly ApiRoute[], version: string): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Holdfast",
      version,
      summary: "Read and decide orders, manage the policy and settings, and see credit usage.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/api" }],
    security: [{ bearer: [] }, { cookie: [] }],
    paths: Object.fromEntries(routes.map((route) => [toTemplate(route.path), toPathItem(route)])),
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "The console token, a personal token, or a platform session token.",
        },
        cookie: {
          type: "apiKey",
          in: "cookie",
          name: "holdfast_session",
          description:
            "Set by POST /session. Requests that change something also need the header `X-Holdfast: 1`.",
        },
      },
      schemas: { Problem: toSchema(problemJson, "output") },
    },
  };
}

/** `GET /api/openapi.json`. It describes every installation of this version, so anybody may read it. */
export function createOpenApi(routes: readonly ApiRoute[], version: string): RequestHandler {
  let document: Json | undefined;
  return (_req, res) => {
    document ??= toOpenApi(routes, version);
    sendJson(res, 200, document);
  };
}

const problemJson = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  code: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  errorId: z.string().optional(),
});

/** `/orders/:orderId` as `/orders/{orderId}`. */
function toTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}

function toPathItem({ path, operations }: ApiRoute): Json {
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => {
    return { name, in: "path", required: true, schema: { type: "string" } };
  });
  const described = Object.entries(operations).map(([method, operation]) => {
    return [method.toLowerCase(), toOperation(method as ApiMethod, operation)];
  });
  return { ...(parameters.length > 0 && { parameters }), ...Object.fromEntries(described) };
}

function toOperation(method: ApiMethod, operation: ApiOperation): Json {
  const { id, summary, role, query, body } = operation;
  return {
    operationId: id,
    summary,
    description: role === null ? "No sign-in required." : `Requires the ${role} role.`,
    ...(role === null && { security: [] }),
    ...(query !== undefined && { parameters: toParameters(query) }),
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: toSchema(body, "input") } },
      },
    }),
    responses: toResponses(method, operation),
  };
}

function toParameters(query: z.ZodObject): readonly Json[] {
  return Object.entries(query.shape).map(([name, schema]) => {
    const { description, ...rest } = toSchema(schema as z.ZodType, "input");
    return {
      name,
      in: "query",
      required: false,
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}

function toResponses(method: ApiMethod, { answers, problems = [] }: ApiOperation): Json {
  const good = Object.entries(answers).map(([status, schema]) => [status, toAnswer(method, schema)]);
  const codes = [...Object.keys(COMMON_PROBLEMS).map(Number), ...problems];
  const bad = codes.map((status) => {
    const description = OTHER_PROBLEMS[status] ?? COMMON_PROBLEMS[status] ?? "";
    const schema = { $ref: "#/components/schemas/Problem" };
    return [String(status), { description, content: { [PROBLEM_MEDIA_TYPE]: { schema } } }];
  });
  return Object.fromEntries([...bad, ...good]);
}

function toAnswer(method: ApiMethod, schema: z.ZodType | null): Json {
  const description = method === "GET" ? "Success." : "Done.";
  if (schema === null) return { description };
  return { description, content: { "application/json": { schema: toSchema(schema, "output") } } };
}

/** JSON Schema 2020-12, which is the dialect of OpenAPI 3.1. */
function toSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
}
