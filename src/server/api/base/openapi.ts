import type { RequestHandler } from "express";
import { z } from "zod";
import { FIELD_CODES } from "../../../base/field-codes.ts";
import { CONFLICT_CODES, PROBLEM_MEDIA_TYPE, SHOP_CODES } from "../../../base/problem.ts";
import { ERROR_CODES } from "../../../base/errors.ts";
import { REFUSAL_CODES } from "../../../base/refusals.ts";
import { PERSON_ACTS } from "../../../order/decision.ts";
import type { ApiRoute, RouteDefinition } from "../../http/api-route.ts";
import { sendJson } from "../../http/responses.ts";

/** A JSON object. */
type Json = { readonly [key: string]: unknown };

const PROBLEMS: Readonly<Record<number, string>> = {
  400: "The query or the body is invalid.",
  401: "The token is missing or isn't accepted.",
  403: "Your role doesn't allow this, or the request doesn't come from the console.",
  429: "Too many requests.",
  404: "Not found in your shop.",
  408: "The body did not arrive in time.",
  409: "Not possible in the current state. `detail` says why.",
  412: "Someone else changed it first. Read it again.",
  413: "The body is too large.",
  415: "The body isn't JSON.",
  422: "Some fields are invalid. `errors` lists them.",
  500: "Something went wrong in Holdfast. Search the log for `errorId`.",
  501: "This installation can't do it. `detail` says what it needs.",
  503: "A required service is unavailable. Try again after `Retry-After` seconds.",
};

/** Statuses of the problems that a call can end with: common ones, those of its path and its body, and its own. */
export function listProblems(path: string, { body, problems = [] }: RouteDefinition): readonly number[] {
  const ofPath = path.includes(":") ? [404] : [];
  const ofBody = body === undefined ? [] : [408, 413, 415, 422];
  return [400, 401, 403, 429, 500, 503, ...ofPath, ...ofBody, ...problems];
}

/**
 * Describe the API as an OpenAPI 3.1 document, generated from the schemas that type the routes.
 *
 * @param version - Of the package.
 */
function toOpenApi(routes: readonly ApiRoute[], version: string): Json {
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
    paths: Object.fromEntries(routes.map(toPathItem)),
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
          name: "holdfast_session_SHOP",
          description:
            "Set by POST /session, one for each shop (`SHOP`: its `shopKey`). Requests that change something also need the header `X-Holdfast: 1`. With sessions of several shops, the header `X-Holdfast-Shop` names the shop.",
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

/** Why a request is refused. */
export const refusalJson = z.object({
  detail: z.string(),
  refusal: z.enum(REFUSAL_CODES).describe("the same as `detail`, for programs"),
  params: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .optional()
    .describe("what `detail` names, such as a limit"),
});

/** Every error of the API (RFC 9457). */
export const problemJson = z.object({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int(),
  ...refusalJson.shape,
  code: z.enum([...ERROR_CODES, ...CONFLICT_CODES, ...SHOP_CODES]).optional(),
  errors: z
    .array(
      z.object({
        path: z.string(),
        message: z.string(),
        code: z.enum(FIELD_CODES).optional().describe("what is wrong, for programs"),
        params: z
          .record(z.string(), z.union([z.string(), z.number()]))
          .optional()
          .describe("what the message of the code names, such as a limit"),
      }),
    )
    .optional()
    .describe("every field at fault, without the values"),
  decision: z
    .object({ act: z.enum(PERSON_ACTS), by: z.string(), at: z.iso.datetime() })
    .optional()
    .describe("with `ALREADY_DECIDED` and `UNDO_TOO_LATE`: the decision that stands"),
  errorId: z.string().optional(),
});
export type Problem = z.infer<typeof problemJson>;

/** `/orders/:orderId` as `/orders/{orderId}`, with its methods. */
function toPathItem({ path, operations }: ApiRoute): readonly [template: string, item: Json] {
  const methods = Object.entries(operations).map(([method, operation]) => {
    return [method.toLowerCase(), toOperation(method, path, operation)];
  });
  return [path.replaceAll(/:(\w+)/g, "{$1}"), Object.fromEntries(methods)];
}

function toOperation(method: string, path: string, operation: RouteDefinition): Json {
  const { id, summary, role, params, query, body } = operation;
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const texts = z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
  const parameters = [...toParameters("path", params ?? texts), ...toParameters("query", query)];
  return {
    operationId: id,
    summary,
    description: role === null ? "No sign-in required." : `Requires the ${role} role.`,
    ...(role === null && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: !body.safeParse(undefined).success,
        content: { "application/json": { schema: toSchema(body, "input") } },
      },
    }),
    responses: toResponses(method, path, operation),
  };
}

/** Described by their parsed types, although all of them arrive as text. */
function toParameters(place: "path" | "query", parameters?: z.ZodObject): readonly Json[] {
  return Object.entries(parameters?.shape ?? {}).map(([name, schema]) => {
    const { description, ...rest } = toSchema(schema as z.ZodType, "output");
    return {
      name,
      in: place,
      required: place === "path",
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}

function toResponses(method: string, path: string, definition: RouteDefinition): Json {
  const good = Object.entries(definition.answers).map(([status, answer]) => [
    status,
    toAnswer(method, answer),
  ]);
  const bad = listProblems(path, definition).map((status) => {
    const description = PROBLEMS[status] ?? "";
    const schema = { $ref: "#/components/schemas/Problem" };
    return [String(status), { description, content: { [PROBLEM_MEDIA_TYPE]: { schema } } }];
  });
  return Object.fromEntries([...bad, ...good]);
}

function toAnswer(method: string, answer: RouteDefinition["answers"][number]): Json {
  const description = method === "GET" ? "Success." : "Done.";
  if (answer === null) return { description };
  if (typeof answer === "string")
    return {
      description,
      content: {
        [answer]: {
          schema: { type: "string", ...(answer.startsWith("application/") && { format: "binary" }) },
        },
      },
    };
  return { description, content: { "application/json": { schema: toSchema(answer, "output") } } };
}

/** JSON Schema 2020-12, which is the dialect of OpenAPI 3.1. */
export function toSchema(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema }) {
      // In OpenAPI, read-only means that callers must not send a property. Here, it means that our code doesn't change it.
      delete jsonSchema.readOnly;
      if (zodSchema._zod.def.type === "undefined") jsonSchema.not = {};
    },
  });
  return json;
}
