import { setTimeout as wait } from "node:timers/promises";
import { parseJson } from "../base/json.ts";
import { isFields } from "../order/complete-order.ts";
import type { VerificationRequest } from "../order/request.ts";
import type { VerificationResult } from "../order/result.ts";
import type { RiskLevel } from "../order/risk-level.ts";
import {
  findForcedOutcome,
  type ForcedOutcome,
  type SandboxOutcome,
  type BrokenAnswer,
} from "./sandbox-scenarios.ts";
import {
  answerRefusal,
  checkBody,
  Refusal,
  refuseBody,
  toFailure,
  toRefusal,
  toSuccess,
  type Answer,
  STATUS_MESSAGES,
} from "./http.ts";
import { judge, toMark, type SandboxEngine } from "./scorer.ts";
import type { CreditBalance } from "./credits.ts";
import { strictRequestSchema } from "./strict-request.ts";

/** One order-verification call as the service saw it. */
export interface RecordedCall {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null until the call is answered. A `timeout@` call never is. */
  readonly status: number | null;
  /** Whether it cost a credit. */
  readonly metered: boolean;
  /** The risk level in the answer, if it has one. */
  readonly riskLevel: RiskLevel | undefined;
  /** The rule that the order asked for, e.g. `score-73`. */
  readonly rule: string | undefined;
  readonly orderId: string | undefined;
  readonly customerEmail: string | undefined;
  /** The parsed body, or its text when it is not JSON. */
  readonly body: unknown;
}

interface IncomingCall {
  /** Undefined if it was too long. */
  readonly body: string | undefined;
  readonly isJson: boolean;
  /** The balance that pays, or why the access check refused the caller. The call is recorded in both cases. */
  readonly payer: CreditBalance | Refusal;
  /** The most requests the caller has per window, for a forced 429. */
  readonly limit: number;
  /** Aborted when the caller disconnects or the service closes. */
  readonly signal: AbortSignal;
}

/** How a call ends: with an answer, a closed connection, or neither. */
export type Reply =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "disconnect"; readonly how: "reset" | "close" }
  | { readonly kind: "silence" };

/** Handles order-verification calls: records them, charges for them, and judges the orders. */
export type CallHandler = ReturnType<typeof createCallHandler>;

interface CallHandlerOptions {
  readonly engine: SandboxEngine;
  readonly latencyMs: number;
  /** How many of the last calls are kept. */
  readonly keepCalls: number;
  readonly now: () => number;
}

/** A call that has not ended. */
type OpenRecord = { -readonly [K in keyof RecordedCall]: RecordedCall[K] };
type ForcedStatus = Extract<SandboxOutcome, { kind: "status" }>;

/** How long `error-429@` tells the caller to wait, in milliseconds. */
const FORCED_RESET_MS = 1_000;
/** Header of a forced answer: the field that forced it, and the rule. */
const FORCED_HEADER = "X-Sandbox-Forced";
/** The target of `redirect@`. It doesn't exist, so following it does no harm. */
const NOWHERE = "/sandbox/redirected";

/** A call that passes the access check and has credits costs a credit, unless it forces an answer that costs none. */
export function createCallHandler({ engine, latencyMs, keepCalls, now }: CallHandlerOptions) {
  const calls: RecordedCall[] = [];

  async function decide(call: IncomingCall, record: OpenRecord, forced?: ForcedOutcome): Promise<Reply> {
    const { payer } = call;
    if (payer instanceof Refusal) throw payer;
    const unpaid = forced && toUnpaidReply(forced, call, now());
    if (unpaid !== undefined) return unpaid;
    if (!payer.spend()) throw toRefusal(402);
    record.metered = true;
    if (latencyMs > 0) await wait(latencyMs, undefined, { signal: call.signal });
    const request = readRequest(call, record.body);
    if (forced?.outcome.kind === "delay") {
      await wait(forced.outcome.delayMs, undefined, { signal: call.signal });
    }
    const reply = forced && toForcedReply(forced, call, now());
    return reply ?? answered(assess(engine, request, forced), forced);
  }

  return {
    /** The record of a call, and its reply, which rejects when the call's signal fires. */
    serve(call: IncomingCall) {
      const record = toRecord(call.body ?? "", now());
      calls.push(record);
      if (calls.length > keepCalls) calls.shift();
      // A caller that the access check refuses can't force anything: keys and limits are real.
      const forced = call.payer instanceof Refusal ? undefined : findForcedOutcome(record.body);
      record.rule = forced?.rule;
      const reply = decide(call, record, forced)
        .catch((error: unknown) => answered(answerRefusal(error)))
        .then((reply) => {
          if (reply.kind === "answer") {
            record.status = reply.answer.status;
            record.riskLevel = reply.answer.riskLevel;
          }
          return reply;
        });
      return { record: record as RecordedCall, reply };
    },
    calls: calls as readonly RecordedCall[],
  };
}

/** A forced reply that is sent before any work, so that it costs nothing. */
function toUnpaidReply(forced: ForcedOutcome, call: IncomingCall, nowMs: number): Reply | undefined {
  const { outcome } = forced;
  return "metered" in outcome && !outcome.metered ? toForcedReply(forced, call, nowMs) : undefined;
}

function toForcedReply(forced: ForcedOutcome, call: IncomingCall, nowMs: number): Reply | undefined {
  const { outcome } = forced;
  if (outcome.kind === "status") return answered(toForcedFailure(outcome, call.limit, nowMs), forced);
  if (outcome.kind === "redirect")
    return answered(toFailure(302, STATUS_MESSAGES[302], { Location: NOWHERE }), forced);
  return outcome.kind === "silence" || outcome.kind === "disconnect" ? outcome : undefined;
}

function assess(engine: SandboxEngine, request: VerificationRequest, forced?: ForcedOutcome): Answer {
  try {
    const result = judge(engine, request, forced);
    if (forced?.outcome.kind === "broken") return BREAKERS[forced.outcome.how](result);
    return { ...toSuccess(result), riskLevel: result.riskLevel };
  } catch (error) {
    return error instanceof Refusal ? answerRefusal(error) : toFailure(500, STATUS_MESSAGES[500]);
  }
}

function readRequest(call: IncomingCall, body: unknown): VerificationRequest {
  if (call.body === undefined) throw toRefusal(413);
  if (!call.isJson) throw refuseBody("expected Content-Type application/json");
  if (typeof body === "string") throw refuseBody("expected a JSON object");
  return checkBody(strictRequestSchema, body);
}

function toRecord(text: string, at: number): OpenRecord {
  const parsed = parseJson(text);
  const body = parsed === undefined ? text : parsed;
  return {
    at,
    status: null,
    metered: false,
    riskLevel: undefined,
    rule: undefined,
    orderId: pick(body, "orderId"),
    customerEmail: pick(body, "customerEmail"),
    body,
  };
}

function pick(body: unknown, field: "orderId" | "customerEmail"): string | undefined {
  const value = isFields(body) ? body[field] : undefined;
  return typeof value === "string" ? value : undefined;
}

export function answered(answer: Answer, forced?: ForcedOutcome): Reply {
  return { kind: "answer", answer: forced === undefined ? answer : markForced(answer, forced) };
}

/** Mark an answer as forced: in a header, since some answers have no body for it, and in a failure's body. */
function markForced(answer: Answer, forced: ForcedOutcome): Answer {
  const { sandbox } = toMark(forced);
  const headers = { ...answer.headers, [FORCED_HEADER]: `${sandbox.by}; ${sandbox.rule}` };
  if (answer.status === 200) return { ...answer, headers };
  const failure = JSON.parse(answer.body) as object;
  return { ...answer, headers, body: JSON.stringify({ ...failure, sandbox }) };
}

function toForcedFailure({ status }: ForcedStatus, limit: number, nowMs: number): Answer {
  if (status === 400) return answerRefusal(refuseBody("customerEmail: refused by the sandbox"));
  const failure = toFailure(status, STATUS_MESSAGES[status]);
  if (status !== 429) return failure;
  const resetAtSeconds = Math.ceil((nowMs + FORCED_RESET_MS) / 1000);
  return { ...failure, rate: { limit, remaining: 0, resetAtSeconds } };
}

/** Larger than any answer that a client should accept. */
const OVERSIZED_CHARACTERS = 8 * 1024 * 1024;
const BROKEN_JSON = '{"success":true,"data":{"riskScore":';
const PAGE = "<!doctype html><title>Maintenance</title><p>Be right back.</p>\n";

/** Answers with status 200 that break the interface, each made from the correct answer. */
const BREAKERS: Readonly<Record<BrokenAnswer, (result: VerificationResult) => Answer>> = {
  malformed: () => ({ status: 200, body: BROKEN_JSON }),
  truncated: (result) => ({ ...toSuccess(result), breaksOff: true }),
  oversized: (result) => toSuccess({ ...result, reasoning: "x".repeat(OVERSIZED_CHARACTERS) }),
  html: () => ({ status: 200, body: PAGE, headers: { "Content-Type": "text/html; charset=utf-8" } }),
  "unknown-level": (result) => toSuccess({ ...result, riskScore: 73, riskLevel: "severe" }),
  "wrong-shape": () =>
    toSuccess({
      riskScore: "73",
      riskLevel: "high",
      riskFactors: null,
      reasoning: 7,
      recommendations: "none",
    }),
};
