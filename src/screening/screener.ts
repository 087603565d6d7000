import { randomUUID } from "node:crypto";
import type { Dispatcher } from "undici";
import { quoteNumber, toConfigError } from "../base/errors.ts";
import type { CountOrders, VelocityCounts } from "../engine/velocity/velocity-store.ts";
import type { Logger } from "../base/logger.ts";
import { createStderrLogger } from "../base/stderr-logger.ts";
import { readOrder, type ReadOrder } from "./read-order.ts";
import { DEFAULT_POLICY, parsePolicy, type Policy } from "../policy/policy.ts";
import { isLeftAlone } from "../policy/choose-action.ts";
import { findSkip } from "../policy/rules.ts";
import { toOrderFacts } from "../policy/order-facts.ts";
import { toBasis, type DecisionBasis } from "./decide-order.ts";
import { createWarningLog } from "./order-warnings.ts";
import { DEFAULT_MAX_PAID_ATTEMPTS } from "../store/credits/attempt-limit.ts";
import { type VerificationClientOptions, DEFAULT_TIMEOUT_MS } from "../service/client-options.ts";
import { createVerificationClient, type VerificationClient } from "../service/client.ts";
import {
  READ_MS,
  toOrderCheck,
  toScreenedStatus,
  type CheckRules,
  type CheckOptions,
  type DecisionEvent,
  type DecisionListener,
  type OrderCheck,
  type Screener,
} from "./order-check.ts";
import { keepRequestAlive } from "../base/cloudflare.ts";
import { createSharedWork } from "../base/shared-work.ts";
import { withinDeadline } from "../base/waiting.ts";
import type { Screened } from "./screening-task.ts";
import { openScreening, type OpenScreening } from "./open-screening.ts";
import { readCheckOptions, readOptions, type ScreenerOptions } from "./screener-options.ts";
import type { SeenCheck, Velocity } from "./velocity.ts";

export const DEFAULT_MAX_IN_FLIGHT = 50;

interface CheckParts extends Pick<OpenScreening, "screening" | "velocity" | "keyId"> {
  readonly rules: CheckRules;
  readonly tenant: string;
  /** Undefined if there is no service. */
  readonly client: VerificationClient | undefined;
  readonly now: () => number;
}

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
      timeoutMs: (service === "local" ? undefined : service.timeoutMs) ?? DEFAULT_TIMEOUT_MS,
    }),
  );
  let closed: Promise<void> | undefined;

  async function decide(read: ReadOrder, { context, ...limits }: CheckOptions): Promise<OrderCheck> {
    const startedAtMs = performance.now();
    const { screening, velocity, engine, keyId } = await opened.get();
    const rules = { ...read, policy, engine, logger, context, facts: toOrderFacts(read.request, context) };
    const parts = { screening, velocity, rules, tenant, client, keyId, now };
    // Loading counts towards the first check's deadline.
    const deadlineMs = toRest(limits.deadlineMs, performance.now() - startedAtMs);
    return checkOrder(parts, read, { ...limits, deadlineMs }, (late) => {
      listeners.announceLate(read.request.orderId, late);
    });
  }

  async function checkOnce(order: unknown, options: CheckOptions | undefined): Promise<DecisionEvent> {
    const { placedNow = false, ...limits } = readCheckOptions(options);
    limits.signal?.throwIfAborted();
    const read = readOrder(order);
    warnOnce(read.warnings);
    const decided = await decide(placedNow ? toPlacedNow(read, now()) : read, limits);
    const event = { orderId: read.request.orderId, check: decided, late: false };
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
    on: (event, listener) => listeners.on(event, listener),
    // If it isn't open yet, it's opened first, so that later checks find it closed.
    close: () => (closed ??= opened.get().then((open) => shutDown(open, client))),
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

async function shutDown(open: OpenScreening, client: VerificationClient | undefined): Promise<void> {
  await open.screening.close();
  await open.velocity.settle();
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

/** Decide an order. If the deadline passes, `onLate` gets the promise of the late decision. */
async function checkOrder(
  { screening, velocity, tenant, rules, client, keyId, now }: CheckParts,
  read: ReadOrder,
  limits: CheckOptions,
  onLate: (late: Promise<OrderCheck>) => void,
): Promise<OrderCheck> {
  const { policy, facts } = rules;
  // Use the clock: customers can choose an order's own time, and an old time would hide a flood.
  const placedAtMs = now();
  const fingerprint = screening.fingerprint(tenant, read.request);
  const note = createNote(velocity, { tenant, order: read.request, placedAtMs, fingerprint });
  const unsent = findSkip(policy, facts) === null ? read.unsent : "SKIPPED_BY_RULE";
  if (unsent !== undefined || read.unsent !== undefined || client === undefined) {
    const counted = { ...rules, velocity: await withinDeadline(note.count(), limits.deadlineMs) };
    const hasService = client !== undefined;
    const basis: DecisionBasis =
      unsent === undefined ? { kind: "no-service" } : { kind: "skipped", reason: unsent, hasService };
    const status = unsent !== undefined && isLeftAlone(unsent, policy) ? "skipped" : "degraded";
    return toOrderCheck(read.request, basis, status, { creditsSpent: 0, fingerprint }, counted);
  }
  const { request } = read;
  // Without an id, every check counts as an order, even if its answer is stored.
  if (request.orderId === undefined) note.begin();
  const screened = await screening.screen({
    tenant,
    request,
    access: { verifier: client, keyId },
    budget: policy.budget,
    placedAtMs,
    fingerprint,
    ...limits,
    // Record every order for velocity. One with a stored answer was recorded before.
    onUnanswered: () => note.begin(),
  });
  const decide = async (ended: Screened, waitMs?: number): Promise<OrderCheck> => {
    const counts = ended.outcome === "answered" ? undefined : await withinDeadline(note.count(), waitMs);
    const counted = { ...rules, velocity: counts };
    return toOrderCheck(request, toBasis(ended), toScreenedStatus(ended), ended, counted);
  };
  if (screened.outcome === "answered" || screened.late === undefined) return decide(screened);
  // Without an answer, the late decision needs the same counts as this one, or it would be milder.
  onLate(screened.late.then(async (ended) => await decide(ended)));
  // After the deadline, use only counts that are there already.
  return decide(screened, 0);
}

function toPlacedNow(read: ReadOrder, nowMs: number): ReadOrder {
  const orderTimestamp = new Date(nowMs).toISOString();
  if (read.request.orderTimestamp === undefined) return read;
  return { ...read, request: { ...read.request, orderTimestamp } } as ReadOrder;
}

/** Records the order of one check for velocity, once, however often it is called. Counts only when somebody reads the counts. */
function createNote(velocity: Velocity, seen: Omit<SeenCheck, "checkId">) {
  const { orderId } = seen.order;
  let noted: Promise<CountOrders | undefined> | undefined;
  async function note(): Promise<CountOrders | undefined> {
    // Without an id, a repeat counts as another order.
    if (orderId === undefined) return velocity.noteCheck({ ...seen, checkId: randomUUID() });
    const counts = await velocity.note({ ...seen, orderId });
    return counts && (() => counts);
  }
  return {
    begin: () => void (noted ??= note()),
    count: async (): Promise<VelocityCounts | undefined> => (await (noted ??= note()))?.(),
  };
}

function toRest(limitMs: number | undefined, passedMs: number): number | undefined {
  return limitMs === undefined ? undefined : Math.max(1, limitMs - Math.floor(passedMs));
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
