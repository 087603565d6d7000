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
  assertDeadline,
  createOrderGuard,
  guardUntilClosed,
  PROBLEM_MEDIA_TYPE,
  toError,
  type HoldfastError,
  type OrderCheck,
  type OrderGuardOptions,
  type Problem,
  type RequestGuard,
  type Screener,
  type WatchedResponse,
} from "../../src/index.ts";
import { SCREENER } from "./module.ts";

/** What is used of a request of Express or Fastify; give `verifyOrder` your own host's type. */
export interface NestRequest {
  readonly body?: unknown;
  orderCheck?: OrderCheck | undefined;
}

/** What is used of a response: Express has a header method by this name, and Fastify its reply. */
interface NestResponse {
  header(name: string, value: string): unknown;
  /** Fastify's Node response. */
  readonly raw?: WatchedResponse;
}

/** Says whether the handler runs; or throws what answers the request, an `HttpException` for example. */
export type CheckHandler = (context: ExecutionContext, check: OrderCheck) => boolean | Promise<boolean>;

/** Throws what answers a request whose order can't be checked. `error` lists the invalid fields. */
export type InvalidOrderHandler = (
  context: ExecutionContext,
  error: HoldfastError,
) => boolean | Promise<boolean>;

/** Options of {@link verifyOrder}. */
export interface VerifyOrderOptions<R> extends Pick<OrderGuardOptions<R>, "deadlineMs" | "ip"> {
  /** Default: the one of `HoldfastModule`. */
  readonly screener?: Pick<Screener, "check"> | undefined;
  /** Reads the order from the request, in the verification service's format and in major currency units. May throw `ORDER_INVALID`. */
  readonly order: OrderGuardOptions<R>["order"];
  /** Default: the handler runs and finds `hold` in its check's action. */
  readonly onHold?: CheckHandler | undefined;
  /** Default: an `HttpException` with status 403 and a problem document that doesn't say why. */
  readonly onCancel?: CheckHandler | undefined;
  /** Default: an `HttpException` with status 422 and a problem document that lists the invalid fields. */
  readonly onInvalid?: InvalidOrderHandler | undefined;
}

/**
 * Create a guard class for NestJS, on Express or Fastify: `@UseGuards(verifyOrder({ order: (request) => … }))`. The handler gets the
 * result with `@CheckedOrder()`.
 *
 * `allow`, `tag` and `hold` run the handler; `cancel` throws an `HttpException` with status 403. What else fails goes to the
 * exception filters. If the client disconnects during the check, the handler doesn't run.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a `deadlineMs` that is not a positive number.
 */
export function verifyOrder<R extends NestRequest = NestRequest>(
  options: VerifyOrderOptions<R>,
): Type<CanActivate> {
  // Here and not when Nest makes the guard, so that the error points to where it's written.
  assertDeadline(options.deadlineMs);
  const own = options.screener;

  class OrderGuard implements CanActivate {
    readonly #guard: RequestGuard<R>;

    constructor(injected: Pick<Screener, "check">) {
      this.#guard = createOrderGuard({ ...options, screener: own ?? injected });
    }

    async canActivate(context: ExecutionContext): Promise<boolean> {
      return await activate(this.#guard, context, options);
    }
  }
  // Decorators, called as functions: they need no compiler.
  Injectable()(OrderGuard);
  if (own === undefined) Inject(SCREENER)(OrderGuard, undefined, 0);
  return mixin(OrderGuard);
}

async function activate<R extends NestRequest>(
  guard: RequestGuard<R>,
  context: ExecutionContext,
  { onHold, onCancel, onInvalid }: VerifyOrderOptions<R>,
): Promise<boolean> {
  const http = context.switchToHttp();
  const request = http.getRequest<R>();
  const response = http.getResponse<NestResponse & WatchedResponse>();
  const order = await guardUntilClosed(guard, request, response.raw ?? response).catch((error: unknown) => {
    throw toError(error);
  });
  if ("check" in order) request.orderCheck = order.check;
  if (order.outcome === "abandoned") return false;
  return await answerGuarded<boolean>(order, {
    next: () => true,
    onHold: onHold && (async (check) => await onHold(context, check)),
    onCancel: onCancel && (async (check) => await onCancel(context, check)),
    onInvalid: onInvalid && (async (error) => await onInvalid(context, error)),
    toProblem: (problem) => throwProblem(problem, response),
  });
}

function throwProblem(problem: Problem, response: NestResponse): never {
  response.header("Content-Type", PROBLEM_MEDIA_TYPE);
  response.header("Cache-Control", "no-store");
  throw new HttpException(problem, problem.status);
}

/** Gives a handler the result of its guard: `place(@CheckedOrder() check: OrderCheck)`. */
export const CheckedOrder = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<NestRequest>().orderCheck,
);
