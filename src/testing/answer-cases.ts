import { equal, match, ok } from "node:assert/strict";
import type { z } from "zod";
import type { VerificationRequest } from "../order/request.ts";
import { verificationResultSchema } from "../order/result.ts";
import { RISK_BANDS } from "../order/risk-level.ts";
import { paid, type ContractCase } from "./contract-case.ts";
import { SMALLEST_ORDER, WHOLE_ORDER } from "./sample-request.ts";
import { readData, readFailure, type ServiceAnswer, type ServiceCaller } from "./service-caller.ts";

/** The parts of a result. */
const SCORED = verificationResultSchema.pick({ riskScore: true, riskLevel: true });
const FACTORS = verificationResultSchema.pick({ riskFactors: true });
const TEXTS = verificationResultSchema.pick({ reasoning: true, recommendations: true });
const AT_ONCE = 5;
const DAY_MS = 86_400_000;

/** Cases for the answers to orders, and for what comes with every answer. */
export function toAnswerCases(caller: ServiceCaller): readonly ContractCase[] {
  const verify: Verify = async (order) => void readData(await caller.verify(order));
  return [...toAcceptanceCases(verify), ...toResultCases(caller), ...toHttpCases(caller)];
}

type Verify = (order: VerificationRequest) => Promise<void>;

function toAcceptanceCases(verify: Verify): readonly ContractCase[] {
  return [
    paid("takes an order with the required fields alone", 1, () => verify(SMALLEST_ORDER)),
    paid("takes an order with every field", 1, () => verify(WHOLE_ORDER)),
    paid("takes no items, and an order time with an offset", 1, () =>
      verify({ ...SMALLEST_ORDER, items: [], orderTimestamp: "2026-11-20T11:00:00+01:00" }),
    ),
    paid("takes an IPv6 address", 1, () => verify({ ...SMALLEST_ORDER, ipAddress: "2001:db8::10" })),
    paid("answers orders that come at the same time", AT_ONCE, async () => {
      const orders = Array.from({ length: AT_ONCE }, (_, index) => ({
        ...WHOLE_ORDER,
        orderId: `contract-${index}`,
      }));
      await Promise.all(orders.map(verify));
    }),
  ];
}

function toResultCases(caller: ServiceCaller): readonly ContractCase[] {
  const check = async <T>(parts: z.ZodType<T>) => readData(await caller.verify(WHOLE_ORDER), parts);
  return [
    paid(
      "answers a score from 0 to 100 and one of the four levels",
      1,
      async () => void (await check(SCORED)),
    ),
    paid("answers a score in the band of its level", 1, async () => {
      const { riskScore, riskLevel } = await check(SCORED);
      const [least, most] = RISK_BANDS[riskLevel];
      ok(
        riskScore >= least && riskScore <= most,
        `expected riskScore of ${riskLevel} from ${least} to ${most}, got ${riskScore}`,
      );
    }),
    paid("answers factors of the documented shape", 1, async () => void (await check(FACTORS))),
    paid("answers its reasoning and recommendations as text", 1, async () => void (await check(TEXTS))),
  ];
}

function toHttpCases(caller: ServiceCaller): readonly ContractCase[] {
  return [
    paid("does not check orders by GET", 0, async () => {
      const { slug } = await caller.organization();
      const { status } = await caller.call(`api/${encodeURIComponent(slug)}/order-verification`);
      ok(status >= 400 && status < 500, `expected a refusal, got ${status}`);
    }),
    paid("labels every answer as JSON, failures too", 1, async () => {
      for (const answer of [
        await caller.verify(SMALLEST_ORDER),
        await caller.organizations({ apiKey: null }),
      ]) {
        match(answer.headers.get("content-type") ?? "", /^application\/json\b/i);
      }
    }),
    paid("sends the rate limit with every answer", 2, async () => {
      expectRateLimit(await caller.organizations());
      expectRateLimit(await caller.verify(SMALLEST_ORDER));
      expectRateLimit(await caller.verify("{"));
      expectRateLimit(await caller.organizations({ apiKey: null }));
    }),
  ];
}

/** Cases that need a key in a special state. */
export function toScarcityCases(
  caller: ServiceCaller,
  keys: { readonly emptyKey: string | undefined; readonly limitedKey: string | undefined },
): readonly ContractCase[] {
  const { emptyKey, limitedKey } = keys;
  return [
    ...(emptyKey === undefined ? [] : [toEmptyCase(caller, emptyKey)]),
    ...(limitedKey === undefined ? [] : [toLimitedCase(caller, limitedKey)]),
  ];
}

function toEmptyCase(caller: ServiceCaller, apiKey: string): ContractCase {
  return paid("answers 402 to a key without credits", 0, async () => {
    const message = readFailure(await caller.verify(SMALLEST_ORDER, { apiKey }), 402);
    // The interface doesn't define the exact message.
    match(message, /\bcredits?\b/i);
  });
}

function toLimitedCase(caller: ServiceCaller, apiKey: string): ContractCase {
  return paid("answers 429 past the rate limit, with the time it ends", 0, async () => {
    const first = await caller.organizations({ apiKey });
    const limit = Number(first.headers.get("x-ratelimit-limit"));
    ok(limit > 0 && limit <= 1_000, "expected limitedKey to have a limit of at most 1000 requests");
    let answer = first;
    // Twice the limit, because a window may end during the calls.
    for (let sent = 1; answer.status !== 429 && sent <= 2 * limit; sent += 1) {
      answer = await caller.organizations({ apiKey });
    }
    equal(readFailure(answer, 429), "Rate limit exceeded");
    equal(answer.headers.get("x-ratelimit-remaining"), "0");
    expectRateLimit(answer);
  });
}

function expectRateLimit({ headers, status }: ServiceAnswer): void {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) => {
    const text = headers.get(`x-ratelimit-${name}`) ?? "";
    match(text, /^\d+$/, `expected X-RateLimit-${name} with status ${status} to be a whole number`);
    return Number(text);
  }) as [number, number, number];
  ok(remaining <= limit, "expected no more requests to remain than there are");
  // The interface doesn't say whether this is in seconds or milliseconds.
  const resetMs = reset < 1e11 ? reset * 1_000 : reset;
  ok(Math.abs(resetMs - Date.now()) < 32 * DAY_MS, "expected X-RateLimit-Reset to be a timestamp near now");
}
