import type { Request, Response } from "express";
import type { OutgoingHttpHeaders } from "node:http";
import type { z } from "zod";
import type { TenantId } from "../../platform/platform.ts";
import type { Role } from "../../store/people/person.ts";

export interface ApiSession {
  readonly tenant: TenantId;
  /** As timelines name people: `person:ID`. */
  readonly actor: string;
  /** Display name; null if there is none. */
  readonly name: string | null;
  readonly role: Role;
  /** A console session, or a token with each call. */
  readonly signedInBy: "cookie" | "bearer";
}

/** Methods of the API. `GET` also answers `HEAD`. */
export type ApiMethod = "GET" | "PUT" | "POST" | "DELETE";

/** Types of responses that aren't JSON. */
type TextType = "text/csv" | "text/event-stream";
/** Types of responses that are files of bytes. */
type FileType = "application/pdf" | "application/octet-stream";

/**
 * The definition of a route. The server checks each request with it, the page and the handler get their types from it, and
 * `/api/openapi.json` is generated from it.
 */
export interface RouteDefinition {
  /** Stable name, camel case, unique: `listOrders`. */
  readonly id: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  /** The minimum role; other callers get a 403. Null: no sign-in. */
  readonly role: Role | null;
  /** Whether it only reads, and so stops when the caller disconnects. Default: whether its method is `GET`. */
  readonly isRead?: boolean;
  /** Whether a platform's own pages may call it from their origins, with a session token. Default: no. */
  readonly crossOrigin?: boolean;
  /** Path parameters. An invalid value is answered with 404. Default: any text. */
  readonly params?: z.ZodObject;
  /** Query parameters. Invalid or unknown parameters are answered with 400. Default: the query isn't read. */
  readonly query?: z.ZodObject;
  /** The body. An invalid one is answered with 422. It is optional if the schema accepts undefined. Default: none. */
  readonly body?: z.ZodType;
  /** The most bytes that the body may have. Default 8 KiB. */
  readonly maxBodyBytes?: number;
  /** Successful responses by status. Null: without a body. */
  readonly answers: Readonly<Record<number, z.ZodType | TextType | FileType | null>>;
  /** Problem statuses of only this route, besides the common ones and those of its path and body. */
  readonly problems?: readonly number[];
}

/** Definitions by method and Express path below `/api`: `GET /orders/:orderId`. */
export type RouteDefinitions = Readonly<Record<`${ApiMethod} /${string}`, RouteDefinition>>;

type ParamName<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** A route's path parameters, as the caller writes them. */
export type ParamsOf<Route> = Readonly<Record<ParamName<Route>, string>>;
/** A route's body, as the caller writes it. */
export type BodyOf<D extends RouteDefinition> = D["body"] extends z.ZodType ? z.input<D["body"]> : undefined;
export type QueryNameOf<D extends RouteDefinition> = D["query"] extends z.ZodObject
  ? keyof z.input<D["query"]>
  : never;
export type AnswerOf<
  D extends RouteDefinition,
  Status extends keyof D["answers"] = keyof D["answers"],
> = D["answers"][Status] extends infer Answer
  ? Answer extends TextType
    ? string
    : Answer extends FileType
      ? Blob
      : Output<Answer>
  : never;

/** One call of a route, with valid parameters, query and body. */
export interface ApiCall<Route = string, D extends RouteDefinition = RouteDefinition> {
  readonly req: Request;
  readonly res: Response;
  /** Fires if a read's caller disconnects and so gets no answer. Never fires for a write, which completes anyway. */
  readonly signal: AbortSignal;
  /** Only for routes with a role. */
  readonly session: D["role"] extends null ? undefined : ApiSession;
  readonly params: D["params"] extends z.ZodObject ? z.output<D["params"]> : ParamsOf<Route>;
  readonly query: Output<D["query"]>;
  readonly body: Output<D["body"]>;
  /** Answer with JSON, or without a body. */
  readonly answer: <Status extends keyof D["answers"] & number>(
    status: Status,
    body: AnswerOf<D, Status>,
    headers?: OutgoingHttpHeaders,
  ) => void;
}

export type CallOf<Definitions, Route extends keyof Definitions> = Definitions[Route] extends infer D extends
  RouteDefinition
  ? ApiCall<Route, D>
  : never;

/** A route with its handler. A rejection becomes a 503 or, for internal errors, a 500 with an error ID. */
export interface ApiOperation extends RouteDefinition {
  // Each handler takes calls of its own route; `handleRoutes` checks the types.
  readonly handle: (call: never) => Promise<void> | void;
}

/** One address of the API, below `/api`. Methods without an operation are answered with 405. */
export interface ApiRoute {
  /** Express path, e.g. `/orders/:orderId`. */
  readonly path: string;
  readonly operations: Readonly<Partial<Record<ApiMethod, ApiOperation>>>;
}

export function handleRoutes<const Definitions extends RouteDefinitions>(
  definitions: Definitions,
  handlers: {
    readonly [Route in keyof Definitions]: (call: CallOf<Definitions, Route>) => Promise<void> | void;
  },
): { readonly [Route in keyof Definitions]: Definitions[Route] & Pick<ApiOperation, "handle"> } {
  const operations = Object.entries(definitions).map(([route, definition]) => {
    return [route, { ...definition, handle: handlers[route as keyof Definitions] }] as const;
  });
  // There is a handler for each definition, but the types can't express that.
  return Object.fromEntries(operations) as never;
}

/** The fields of a value that a schema names, so that a new field isn't exposed by accident. */
export function pick<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  value: z.infer<z.ZodObject<Shape>>,
): z.infer<z.ZodObject<Shape>> {
  const names = Object.keys(shape) as (keyof typeof value)[];
  return Object.fromEntries(names.map((name) => [name, value[name]])) as typeof value;
}

/** The methods of an address's operations that `isWanted` accepts. `GET` also answers `HEAD`. */
export function toMethods(
  { operations }: ApiRoute,
  isWanted: (operation: ApiOperation) => boolean,
): readonly string[] {
  return Object.entries(operations).flatMap(([method, operation]) => {
    if (!isWanted(operation)) return [];
    return method === "GET" ? ["GET", "HEAD"] : [method];
  });
}
