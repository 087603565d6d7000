import { setTimeout as wait } from "node:timers/promises";
import type { PartialVerificationRequest, VerificationRequest } from "../../order/request.ts";
import type { LocalEngine } from "../engine.ts";
import { findSandboxScenario, type SandboxOutcome } from "../sandbox.ts";
import { toFailure, toSuccess, type Answer, type ReadBody } from "./http.ts";
import { INVALID_BODY, STATUS_MESSAGES } from "./status.ts";
import { checkRequest } from "./strict-request.ts";

/** One order-verification call as the service saw it. */
export interface RecordedCall {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null as long as there is no answer, which for `timeout@` is for ever. */
  readonly status: number | null;
  /** Whether it cost a credit. */
  readonly metered: boolean;
  readonly orderId: string | undefined;
  readonly customerEmail: string | undefined;
  /** The parsed body, or its text when it is not JSON. */
  readonly body: unknown;
}

/** One call with what is known of it before it is judged. */
export interface DeskCall {
  readonly body: ReadBody;
  /** Whether the caller says that the body is JSON. */
  readonly isJson: boolean;
  /** Set when the caller was turned away at the gate; the call is recorded all the same. */
  readonly refusal: Answer | undefined;
  /** The most requests the caller has per window, for a forced 429. */
  readonly limit: number;
  /** The caller left, or the service closes. */
  readonly signal: AbortSignal;
}

/** Takes order-verification calls: records them, charges them, judges them. */
export interface Desk {
  /** The answer to a call, or null for none at all. Rejects when the call's signal ends it. */
  serve(call: DeskCall): Promise<Answer | null>;
  readonly calls: readonly RecordedCall[];
  readonly credits: number;
  topUp(credits: number): void;
}

/** Options of {@link createDesk}. */
export interface DeskOptions {
  readonly engine: Pick<LocalEngine, "assess">;
  readonly credits: number;
  readonly latencyMs: number;
  readonly now: () => number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type ForcedStatus = Extract<SandboxOutcome, { kind: "status" }>;

/** How long `error-429@` tells the caller to stay away. */
const FORCED_RESET_MS = 1_000;
const BROKEN_JSON = '{"success":true,"data":{"riskScore":';

/** Create the {@link Desk} of a service. A call that gets past gate and credits is paid, whatever follows. */
export function createDesk({ engine, credits, latencyMs, now }: DeskOptions): Desk {
  const calls: RecordedCall[] = [];
  let balance = credits;

  async function decide(call: DeskCall, record: Mutable<RecordedCall>): Promise<Answer | null> {
    if (call.refusal !== undefined) return call.refusal;
    const forced = findSandboxScenario(record.body as PartialVerificationRequest)?.outcome;
    if (forced?.kind === "status" && !forced.metered) return toForcedFailure(forced, call.limit, now());
    if (balance < 1) return toFailure(402, STATUS_MESSAGES[402]);
    balance -= 1;
    record.metered = true;
    if (latencyMs > 0) await wait(latencyMs, undefined, { signal: call.signal });
    return judge(call, record.body, forced);
  }

  async function judge(
    call: DeskCall,
    body: unknown,
    forced: SandboxOutcome | undefined,
  ): Promise<Answer | null> {
    const read = readRequest(call, body);
    if ("refusal" in read) return read.refusal;
    if (forced?.kind === "status") return toForcedFailure(forced, call.limit, now());
    if (forced?.kind === "silence") return null;
    if (forced?.kind === "malformed") return { status: 200, body: BROKEN_JSON };
    if (forced?.kind === "delay") await wait(forced.delayMs, undefined, { signal: call.signal });
    return assess(read.request);
  }

  function assess(request: VerificationRequest): Answer {
    try {
      // The service answers with these fields and no others, whatever else the engine knows.
      const { riskScore, riskLevel, riskFactors, reasoning, recommendations } = engine.assess(request);
      return toSuccess({ riskScore, riskLevel, riskFactors, reasoning, recommendations });
    } catch {
      return toFailure(500, STATUS_MESSAGES[500]);
    }
  }

  return {
    async serve(call) {
      const record = toRecord(call.body, now());
      calls.push(record);
      const answer = await decide(call, record);
      record.status = answer?.status ?? null;
      return answer;
    },
    calls,
    get credits() {
      return balance;
    },
    topUp(more) {
      balance += more;
    },
  };
}

function readRequest(
  call: DeskCall,
  body: unknown,
): { readonly request: VerificationRequest } | { readonly refusal: Answer } {
  if (call.body.outcome === "too-long") return { refusal: toFailure(413, STATUS_MESSAGES[413]) };
  if (!call.isJson) return { refusal: toInvalidBody("expected Content-Type application/json") };
  if (typeof body === "string") return { refusal: toInvalidBody("expected a JSON object") };
  const checked = checkRequest(body);
  return checked.valid ? { request: checked.request } : { refusal: toInvalidBody(checked.detail) };
}

function toRecord(read: ReadBody, at: number): Mutable<RecordedCall> {
  const body = read.outcome === "read" ? parseLoosely(read.text) : "";
  return {
    at,
    status: null,
    metered: false,
    orderId: pick(body, "orderId"),
    customerEmail: pick(body, "customerEmail"),
    body,
  };
}

function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function pick(body: unknown, field: "orderId" | "customerEmail"): string | undefined {
  const value =
    typeof body === "object" && body !== null ? (body as Record<string, unknown>)[field] : undefined;
  return typeof value === "string" ? value : undefined;
}

function toInvalidBody(detail: string): Answer {
  return toFailure(400, INVALID_BODY + detail);
}

function toForcedFailure({ status }: ForcedStatus, limit: number, nowMs: number): Answer {
  if (status === 400) return toInvalidBody("customerEmail: refused by the sandbox");
  const failure = toFailure(status, STATUS_MESSAGES[status]);
  if (status !== 429) return failure;
  const resetAtSeconds = Math.ceil((nowMs + FORCED_RESET_MS) / 1000);
  return { ...failure, rate: { limit, remaining: 0, resetAtSeconds } };
}
