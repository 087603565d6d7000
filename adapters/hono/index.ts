import {
  answerGuarded,
  createOrderGuard,
  guardUntilAborted,
  readJson,
  toClientSignal,
  toProblemResponse,
  type GuardedOrder,
  type OrderGuardOptions,
  type RequestGuard,
} from "../../src/adapter-kit.ts";
import type { HoldfastError, OrderCheck, Screener } from "../../src/index.ts";

/** The parts of Hono's `Context` that are used. */
export interface HonoContext {
  readonly req: {
    readonly raw: Request;
    /** The parsed body, also after a validator or another middleware has read it. */
    json(): Promise<unknown>;
  };
  /** Whether there is a response. */
  readonly finalized?: boolean;
  /** What the app's error handler answers, or has answered. */
  readonly error?: Error | undefined;
}

/** What `verifyOrder` adds to a context: `new Hono<{ Variables: OrderCheckVariables }>()`. */
export interface OrderCheckVariables {
  /** The result for this request's order. */
  orderCheck: OrderCheck;
}

/** Runs the next handler. */
export type Next = () => Promise<void>;

/** Answers the request instead of its handler, or calls `next` to continue and returns nothing. */
export type CheckHandler<C> = (
  c: C,
  check: OrderCheck,
  next: Next,
) => Response | void | Promise<Response | void>;

/** Answers a request whose order can't be checked. `error` lists the invalid fields. */
export type InvalidOrderHandler<C> = (c: C, error: HoldfastError) => Response | Promise<Response>;

/** Options of {@link verifyOrder}. */
export interface VerifyOrderOptions<C> extends OrderGuardOptions<C, CheckHandler<C>, InvalidOrderHandler<C>> {
  /** The screener, from `createScreener`. Routes can share one. */
  readonly screener: Pick<Screener, "check" | "on">;
  /**
   * Keeps a serverless function alive for an answer that comes after the deadline: `(promise, c) =>
   * c.executionCtx.waitUntil(promise)`. Default: nothing waits for it, except on Cloudflare Workers, which need no option.
   */
  readonly waitUntil?: ((promise: Promise<unknown>, c: C) => void) | undefined;
}

/** A middleware of Hono 4. */
export type OrderMiddleware<C> = (c: C, next: Next) => Promise<Response | void>;

/**
 * Create a middleware for Hono 4 that checks an order before the handler runs, and puts the result in `c.get("orderCheck")`.
 *
 * `allow`, `tag` and `hold` run the handler; `cancel` gets a 403. Other errors go to `app.onError`. When the client hangs
 * up, the check ends with the request's signal. If another middleware has answered, such as Hono's `timeout`, the handler
 * doesn't run.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for a `deadlineMs` that is not a positive number.
 */
export function verifyOrder<C extends HonoContext = HonoContext>(
  options: VerifyOrderOptions<C>,
): OrderMiddleware<C> {
  const guard = createOrderGuard(options);
  const { onHold, onCancel, onInvalid } = options;
  return async (c, nextHandler) => {
    const next = async (): Promise<void> => {
      if (!isAnswered(c)) await nextHandler();
    };
    const order = await checkUnlessAnswered(guard, c);
    if (order === undefined) return;
    if ("check" in order) keepCheck(c, order.check);
    return await answerGuarded<Response | void>(order, {
      next,
      onHold: onHold && (async (check) => await onHold(c, check, next)),
      onCancel: onCancel && (async (check) => await onCancel(c, check, next)),
      onInvalid: onInvalid && (async (error) => await onInvalid(c, error)),
      toProblem: toProblemResponse,
    });
  };
}

/**
 * Resolves to undefined if another middleware has answered. Then a failure isn't reported either: the app's error handler
 * would answer a second time.
 */
async function checkUnlessAnswered<C extends HonoContext>(
  guard: RequestGuard<C>,
  c: C,
): Promise<GuardedOrder | undefined> {
  try {
    const signal = toClientSignal(c.req.raw);
    const order = await withReadJson(c.req, async () => await guardUntilAborted(guard, c, signal));
    return isAnswered(c) ? undefined : order;
  } catch (error) {
    if (isAnswered(c)) return undefined;
    throw error;
  }
}

/** Hono's `timeout` only stops waiting for what it surrounds: all that changes is that the context has a response. */
function isAnswered({ finalized, error }: HonoContext): boolean {
  return finalized === true || error !== undefined;
}

/**
 * Run `use` while the body's `json()` rejects as {@link readJson} does. Changes it back afterwards, because Hono's context
 * can't be copied.
 */
async function withReadJson<T>(req: HonoContext["req"], use: () => Promise<T>): Promise<T> {
  const json = req.json.bind(req);
  req.json = async () => await readJson(json);
  try {
    return await use();
  } finally {
    req.json = json;
  }
}

/** Hono types a context's variables by the app, which isn't known here. */
function keepCheck(c: object, check: OrderCheck): void {
  (c as { set(key: "orderCheck", value: OrderCheck): void }).set("orderCheck", check);
}
