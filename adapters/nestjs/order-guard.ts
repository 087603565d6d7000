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

/** The parts of an Express or Fastify request that are used; pass your own host's type to `verifyOrder`. */
export interface NestRequest {
  readonly body?: unknown;
  orderCheck?: OrderCheck | undefined;
}

/** The parts of a response that are used: Express's response and Fastify's reply both have this method. */
interface NestResponse {
  header(name: string, value: string): unknown;
  /** Fastify's Node response. */
  readonly raw?: WatchedResponse;
}

/** Resolves to whether the handler runs, or throws the answer to the request, for example an `HttpException`. */
export type CheckHandler = (context: ExecutionContext, check: OrderCheck) => boolean | Promise<boolean>;

/** Throws the answer to a request whose order can't be checked. `error` lists the invalid fields. */
export type InvalidOrderHandler = (
  context: ExecutionContext,
  error: HoldfastError,
) => boolean | Promise<boolean>;

/** Options of {@link verifyOrder}. */
export interface VerifyOrderOptions<R> extends Omit<OrderGuardOptions<R>, "screener"> {
  /** Default: the screener of `HoldfastModule`. */
  readonly screener?: Pick<Screener, "check"> | undefined;
  /** Default: the handler runs and finds `hold` in its check's action. */
  readonly onHold?: CheckHandler | undefined;
  /** Default: an `HttpException` with status 403 and a problem document that doesn't say why. */
  readonly onCancel?: CheckHandler | undefined;
  /** Default: an `HttpException` with status 422 and a problem document that lists the invalid fields. */
  readonly onInvalid?: InvalidOrderHandler | undefined;
}

/**
 * Create a guard class for NestJS, on Express or Fastify: `@UseGuards(verifyOrder({ order: (request) => … }))`. The handler
 * gets the result with `@CheckedOrder()`.
 *
 * `allow`, `tag` and `hold` run the handler; `cancel` throws an `HttpException` with status 403. Other errors go to the
 * exception filters. If the client disconnects during the check, the handler doesn't run.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a `deadlineMs` that is not a positive number.
 */
export function verifyOrder<R extends NestRequest = NestRequest>(
  options: VerifyOrderOptions<R>,
): Type<CanActivate> {
  // Checked here, not when Nest creates the guard, so that the error points to the line that you wrote.
  const { screener: own } = checkGuardOptions(options);

  class OrderGuard implements CanActivate {
    readonly #guard: RequestGuard<R>;

    constructor(injected: Pick<Screener, "check">) {
      this.#guard = createOrderGuard({ ...options, screener: own ?? injected });
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

/** Injects the guard's result into a handler: `place(@CheckedOrder() check: OrderCheck)`. */
export const CheckedOrder = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<NestRequest>().orderCheck,
);
