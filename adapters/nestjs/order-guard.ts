import {
  createParamDecorator,
  HttpException,
  Inject,
  Injectable,
  mixin,
  type CanActivate,
  type ExecutionContext,
  type Type,
} from "@nestjs/common";
import {
  answerGuarded,
  checkGuardOptions,
  createOrderGuard,
  guardUntilClosed,
  isAnswered,
  PROBLEM_MEDIA_TYPE,
  toError,
  type OrderGuardOptions,
  type Problem,
  type RequestGuard,
} from "../../src/adapter-kit.ts";
import type { HoldfastError, OrderCheck, VerificationOrder } from "../../src/index.ts";
import { findCall, type Call, type NestRequest, type NestResponse } from "./call.ts";
import { SCREENER } from "./module.ts";

/** Resolves to whether the handler runs, or throws the answer to the request, for example an `HttpException`. */
export type CheckHandler = (context: ExecutionContext, check: OrderCheck) => boolean | Promise<boolean>;

/** Throws the answer to a request whose order can't be checked. `error` lists the invalid fields. */
export type InvalidOrderHandler = (
  context: ExecutionContext,
  error: HoldfastError,
) => boolean | Promise<boolean>;

/** Options of {@link verifyOrder}. */
export interface VerifyOrderOptions<R> extends Omit<
  OrderGuardOptions<R, CheckHandler, InvalidOrderHandler>,
  "screener" | "order"
> {
  /** Default: the screener of `HoldfastModule`. */
  readonly screener?: OrderGuardOptions<R>["screener"] | undefined;
  /**
   * Reads the order from a request, in the verification service's format and in major currency units. May throw
   * `ORDER_INVALID`. On a GraphQL resolver, the field's arguments are `context.getArgByIndex(1)`.
   */
  readonly order: (request: R, context: ExecutionContext) => VerificationOrder | Promise<VerificationOrder>;
}

/**
 * Create a guard class for NestJS, on Express or Fastify: `@UseGuards(verifyOrder({ order: (request) => … }))`. The handler
 * gets the result with `@CheckedOrder()`. It guards HTTP routes and GraphQL resolvers. Anywhere else, and without the
 * request and the response in the GraphQL context, every call fails with `CONFIG_INVALID`.
 *
 * `allow`, `tag` and `hold` run the handler; `cancel` throws an `HttpException` with status 403, and an invalid order one
 * with status 422. Other errors go to the exception filters. If the client disconnects during the check, or another layer
 * has answered it (a timeout), the handler doesn't run.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a `deadlineMs` that is not a positive number.
 */
export function verifyOrder<R extends NestRequest = NestRequest>(
  options: VerifyOrderOptions<R>,
): Type<CanActivate> {
  // Checked here, not when Nest creates the guard, so that the error points to the line that you wrote.
  const { screener: own, deadlineMs, order, ip, waitUntil } = checkGuardOptions(options);

  class OrderGuard implements CanActivate {
    readonly #guard: RequestGuard<Call<R>>;

    constructor(injected: OrderGuardOptions<R>["screener"]) {
      this.#guard = createOrderGuard<Call<R>>({
        screener: own ?? injected,
        deadlineMs,
        order: ({ request, context }) => order(request, context),
        ip: ip && (({ request }) => ip(request)),
        waitUntil: waitUntil && ((promise, { request }) => waitUntil(promise, request)),
      });
    }

    async canActivate(context: ExecutionContext): Promise<boolean> {
      return await activate(this.#guard, context, options);
    }
  }
  // Decorators are called as functions, so they need no compiler support.
  Injectable()(OrderGuard);
  if (own === undefined) Inject(SCREENER)(OrderGuard, undefined, 0);
  return mixin(OrderGuard);
}

async function activate<R extends NestRequest>(
  guard: RequestGuard<Call<R>>,
  context: ExecutionContext,
  { onHold, onCancel, onInvalid }: VerifyOrderOptions<R>,
): Promise<boolean> {
  const call = findCall<R>(context);
  const watched = call.response.raw ?? call.response;
  const order = await guardUntilClosed(guard, call, watched).catch((error: unknown) => {
    throw toError(error);
  });
  if ("check" in order) call.keep(order.check);
  if (order.outcome === "abandoned") return false;
  const runs = await answerGuarded<boolean>(order, {
    next: () => true,
    onHold: onHold && (async (check) => await onHold(context, check)),
    onCancel: onCancel && (async (check) => await onCancel(context, check)),
    onInvalid: onInvalid && (async (error) => await onInvalid(context, error)),
    toProblem: (problem) => throwProblem(problem, call),
  });
  return runs && !isAnswered(watched);
}

function throwProblem(problem: Problem, { type, response }: Call<NestRequest>): never {
  // A GraphQL response has its own type, and reports the exception among its errors.
  if (type === "http") setProblemHeaders(response);
  throw new HttpException(problem, problem.status);
}

function setProblemHeaders(response: NestResponse): void {
  response.header("Content-Type", PROBLEM_MEDIA_TYPE);
  response.header("Cache-Control", "no-store");
}

/** Injects the guard's result into a handler: `place(@CheckedOrder() check: OrderCheck)`. */
export const CheckedOrder = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  findCall(context).findCheck(),
);
