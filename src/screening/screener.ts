import type { Dispatcher } from "undici";
import { quoteNumber, toConfigError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { createStderrLogger } from "../base/stderr-logger.ts";
import type { OrderContext } from "../order/order-context.ts";
import { toKnown, type MappedOrder } from "../platform/platform.ts";
import { readAgent } from "../policy/agent-orders.ts";
import { readOrder, type ReadOrder } from "./read-order.ts";
import { DEFAULT_POLICY, parsePolicy, type Policy } from "../policy/policy.ts";
import { judgeOrder, toOrderCheck, type Judgement } from "./judge-order.ts";
import { createWarningLog } from "./order-warnings.ts";
import { DEFAULT_MAX_PAID_ATTEMPTS } from "../store/credits/attempt-limit.ts";
import { type VerificationClientOptions, DEFAULT_TIMEOUT_MS } from "../service/client-options.ts";
import { createVerificationClient, type VerificationClient } from "../service/client.ts";
import {
  READ_MS,
  type CheckOptions,
  type DecisionEvent,
  type DecisionListener,
  type OrderCheck,
  type Screener,
} from "./order-check.ts";
import { keepRequestAlive } from "../base/cloudflare.ts";
import { createSharedWork } from "../base/shared-work.ts";
import { prepareFirstCheck } from "./first-check.ts";
import { openScreening, type OpenScreening } from "./open-screening.ts";
import { readCheckOptions, readOptions, type ScreenerOptions } from "./screener-options.ts";

export const DEFAULT_MAX_IN_FLIGHT = 50;

/**
 * Create a {@link Screener}: it asks the verification service once per order state, decides by policy, and keeps the
 * answer so that a repeat costs nothing.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` or `POLICY_INVALID`, naming what is wrong.
 */
export function createScreener(given: ScreenerOptions): Screener {
  const options = readOptions(given);
  const { logger = createStderrLogger(), now = Date.now, tenant = "default", service, telemetry } = options;
  const maxPaidAttempts = toCount("maxPaidAttempts", options.maxPaidAttempts ?? DEFAULT_MAX_PAID_ATTEMPTS);
  const maxInFlight = toCount("maxInFlight", options.maxInFlight ?? DEFAULT_MAX_IN_FLIGHT);
  const policy = toPolicy(options);
  const timeoutMs = (service === "local" ? undefined : service.timeoutMs) ?? DEFAULT_TIMEOUT_MS;
  const client = createClient(options, { logger, now, connections: maxInFlight });
  const listeners = createDecisionListeners(logger, telemetry?.decided);
  const warnOnce = createWarningLog(logger);
  // The first check opens it, so that creating a screener does no I/O.
  const opened = createSharedWork(async () =>
    openScreening({ ...options, tenant }, client, {
      logger,
      now,
      maxPaidAttempts,
      maxInFlight,
      timeoutMs,
    }),
  );
  const first = prepareFirstCheck({ open: () => opened.get(), client, tenant, logger, service });
  const parts = { tenant, policy, client, logger, now };
  let closed: Promise<void> | undefined;

  async function checkOnce(order: unknown, options: CheckOptions | undefined): Promise<DecisionEvent> {
    const { placedNow = false, ...limits } = readCheckOptions(options);
    limits.signal?.throwIfAborted();
    const read = readOrder(order);
    warnOnce(read.warnings);
    const open = await opened.get();
    const placed = placedNow ? toPlacedNow(read, now()) : read;
    const { check, late } = await first.during(() => judge({ ...open, ...parts }, placed, limits));
    const { orderId } = read.request;
    if (late !== undefined) listeners.announceLate(orderId, late);
    const event = { orderId, check, late: false };
    listeners.announce(event);
    return event;
  }

  const check: Screener["check"] = async (order, options) => {
    const run = (): Promise<DecisionEvent> => checkOnce(order, options);
    return (await (telemetry === undefined ? run() : telemetry.check(run))).check;
  };

  return {
    check,
    async confirm(order, earlier, given) {
      const options = readCheckOptions(given);
      if (earlier?.status !== "pending" && earlier?.status !== "degraded") return check(order, options);
      const { screening } = await opened.get();
      const isSame = screening.fingerprint(tenant, readOrder(order).request) === earlier.fingerprint;
      const deadlineMs = Math.min(options.deadlineMs ?? READ_MS, READ_MS);
      return check(order, isSame ? { ...options, deadlineMs } : options);
    },
    ready: () => first.ready(),
    on: (event, listener) => listeners.on(event, listener),
    // If it isn't open yet, it's opened first, so that later checks find it closed.
    close: () => {
      first.stop();
      return (closed ??= opened.get().then((open) => shutDown(open, client)));
    },
  };
}

function createDecisionListeners(logger: Logger, first: DecisionListener | undefined) {
  const listeners = new Set<DecisionListener>(first === undefined ? [] : [first]);

  async function call(listener: DecisionListener, event: DecisionEvent): Promise<void> {
    try {
      await listener(event);
    } catch (error) {
      logger.error({ err: error }, "a decision listener failed");
    }
  }

  function announce(event: DecisionEvent): void {
    // Don't wait for listeners, but catch rejections: an unhandled one would end the host's process.
    for (const listener of listeners) keepRequestAlive(call(listener, event));
  }

  return {
    /** Add a listener; returns a function that removes it. Another event would never come. */
    on(event: string, listener: DecisionListener) {
      if (event !== "decision" || typeof listener !== "function") {
        throw toConfigError('on: expected "decision", the only event, and a function');
      }
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    announce,
    announceLate(orderId: string | undefined, late: Promise<OrderCheck>): void {
      const announced = late
        .then((check) => announce({ orderId, check, late: true }))
        .catch((error: unknown) => logger.error({ err: error }, "a late result couldn't be announced"));
      keepRequestAlive(announced);
    },
  };
}

interface CheckParts extends Pick<OpenScreening, "screening" | "local" | "keyId"> {
  readonly tenant: string;
  readonly policy: Policy;
  /** Undefined if there is no service. */
  readonly client: VerificationClient | undefined;
  readonly logger: Logger;
  readonly now: () => number;
}

/** Judge an order. If the deadline passes, `late` is the promise of the late decision. */
async function judge(parts: CheckParts, read: ReadOrder, { context, ...limits }: CheckOptions) {
  const { screening, local, keyId, tenant, policy, client, logger, now } = parts;
  const { warnings } = read;
  const mapped = readAgent(toMapped(read, context), policy);
  const request = toKnown(mapped);
  const fingerprint = screening.fingerprint(tenant, request);
  // Use the clock: customers can choose an order's own time, and an old time would hide a flood.
  const placedAtMs = now();
  const onEngineFailure = (cause: unknown) =>
    logger.error({ err: cause }, "the local engine failed; the order is decided without it");
  const judged = await judgeOrder(
    { screening, engine: local.engine, onEngineFailure },
    {
      tenant,
      mapped,
      policy,
      policyVersion: 0,
      access: client === undefined ? null : { verifier: client, keyId },
      counts: local.ofCheck({ tenant, order: request, bin: mapped.context?.bin, placedAtMs, fingerprint }),
    },
    { ...limits, placedAtMs, fingerprint },
  );
  const toCheck = (judgement: Judgement): OrderCheck => toOrderCheck(judgement, { fingerprint, warnings });
  return { check: toCheck(judged), late: judged.judgeLate?.().then(toCheck) };
}

async function shutDown(open: OpenScreening, client: VerificationClient | undefined): Promise<void> {
  await open.screening.close();
  await open.local.settle();
  await client?.close();
  await open.close();
}

/** Undefined for the local engine alone. */
function createClient(
  { service, telemetry }: ScreenerOptions,
  parts: Pick<VerificationClientOptions, "logger" | "now" | "connections">,
): VerificationClient | undefined {
  if (service === "local") return undefined;
  const client = createVerificationClient({
    ...service,
    ...parts,
    dispatcher: service.dispatcher as Dispatcher | undefined,
  });
  if (telemetry === undefined) return client;
  return { ...client, verify: (request, limits) => telemetry.call(() => client.verify(request, limits)) };
}

function toPlacedNow(read: ReadOrder, nowMs: number): ReadOrder {
  const orderTimestamp = new Date(nowMs).toISOString();
  if (read.request.orderTimestamp === undefined) return read;
  return { ...read, request: { ...read.request, orderTimestamp } } as ReadOrder;
}

function toMapped({ request, unsent, standIns }: ReadOrder, context: OrderContext | undefined): MappedOrder {
  const about = { test: false, standIns, context };
  return unsent === undefined
    ? { ...about, outcome: "screenable", request }
    : { ...about, outcome: "unscreenable", reason: unsent, known: request };
}

function toCount(option: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw toConfigError(`"${option}" must be a positive whole number, got ${quoteNumber(value)}`);
}

function toPolicy({ policy, budget }: ScreenerOptions): Policy {
  const parsed = policy === undefined ? DEFAULT_POLICY : parsePolicy(policy);
  if (parsed.lists.length > 0) {
    // List entries are digests under the app's key, so they would match nothing here.
    throw toConfigError("policy.lists: expected no entries, because lists belong to the app's database");
  }
  if (budget === undefined) return parsed;
  return parsePolicy({ ...parsed, budget: { ...parsed.budget, ...budget } });
}
