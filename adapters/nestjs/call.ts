import type { ExecutionContext } from "@nestjs/common";
import type { WatchedResponse } from "../../src/adapter-kit.ts";
import { HoldfastError, type OrderCheck } from "../../src/index.ts";

/** The parts of an Express or Fastify request that are used; pass your own host's type to `verifyOrder`. */
export interface NestRequest {
  readonly body?: unknown;
  orderCheck?: OrderCheck | undefined;
}

/** The parts of a response that are used: Express's response and Fastify's reply both have this method. */
export interface NestResponse extends WatchedResponse {
  header(name: string, value: string): unknown;
  /** Fastify's Node response. */
  readonly raw?: WatchedResponse;
}

/** A guarded call of a handler. */
export interface Call<R> {
  readonly type: "http" | "graphql";
  readonly context: ExecutionContext;
  readonly request: R;
  readonly response: NestResponse;
  readonly keep: (check: OrderCheck | undefined) => void;
  readonly findCheck: () => OrderCheck | undefined;
}

/** One request can have several guarded fields. Each has its own `info`, the fourth argument of its resolver. */
const checksOfFields = new WeakMap<object, OrderCheck | undefined>();

/**
 * The call that a guard or a parameter's decorator sees.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a context that is neither HTTP nor GraphQL, and for a GraphQL context without
 *   the request and the response.
 */
export function findCall<R extends NestRequest>(context: ExecutionContext): Call<R> {
  const type = context.getType<string>();
  if (type === "http") return toHttpCall(context);
  if (type === "graphql") return toGraphqlCall(context);
  throw toMisuse(
    `verifyOrder guards HTTP routes and GraphQL resolvers, and this handler's context is "${type}": call screener.check there`,
  );
}

function toHttpCall<R extends NestRequest>(context: ExecutionContext): Call<R> {
  const http = context.switchToHttp();
  const request = http.getRequest<R>();
  return {
    type: "http",
    context,
    request,
    response: http.getResponse<NestResponse>(),
    keep: (check) => void (request.orderCheck = check),
    findCheck: () => request.orderCheck,
  };
}

/** What the drivers put into a GraphQL context: `req` and `res` (Apollo), or only Fastify's `reply` (Mercurius). */
interface GraphqlContext<R> {
  readonly req?: R & { readonly res?: NestResponse };
  readonly res?: NestResponse;
  readonly reply?: NestResponse & { readonly request: R };
}

function toGraphqlCall<R extends NestRequest>(context: ExecutionContext): Call<R> {
  const { req, res, reply } = context.getArgByIndex<GraphqlContext<R> | undefined>(2) ?? {};
  const info = context.getArgByIndex<object>(3);
  return {
    type: "graphql",
    context,
    request: needed(req ?? reply?.request),
    // Express also keeps the response with its request.
    response: needed(res ?? reply ?? req?.res),
    keep: (check) => void checksOfFields.set(info, check),
    findCheck: () => checksOfFields.get(info),
  };
}

function needed<T>(found: T | undefined): T {
  if (found !== undefined) return found;
  throw toMisuse(
    "verifyOrder needs the request and the response in the GraphQL context: set the context of GraphQLModule.forRoot to ({ req, res }) => ({ req, res })",
  );
}

function toMisuse(message: string): HoldfastError {
  return new HoldfastError("CONFIG_INVALID", message, { retryable: false });
}
