import { equal, match, ok } from "node:assert/strict";
import type { VerificationRequest } from "../order/request.ts";
import { RISK_BANDS, RISK_LEVELS, type RiskLevel } from "../order/risk-level.ts";
import { paid, type ContractCase } from "./contract-case.ts";
import { SMALLEST_ORDER, WHOLE_ORDER } from "./sample-request.ts";
import { readData, readFailure, type ServiceAnswer, type ServiceCaller } from "./service-caller.ts";

const CATEGORIES = new Set(["customer", "address", "technical", "behavioral"]);
const LEVELS: ReadonlySet<unknown> = new Set(RISK_LEVELS);
const AT_ONCE = 5;
const DAY_MS = 86_400_000;

/** Cases for the answers to orders, and for what comes with every answer. */
export function toAnswerCases(caller: ServiceCaller): readonly ContractCase[] {
  const verify: Verify = async (order) => readData(await caller.verify(order));
  return [...toAcceptanceCases(verify), ...toResultCases(verify), ...toHttpCases(caller)];
}

type Verify = (order: VerificationRequest) => Promise<object>;

function toAcceptanceCases(verify: Verify): readonly ContractCase[] {
  return [
    paid("takes an order with the required fields alone", 1, async () => {
      await verify(SMALLEST_ORDER);
    }),
    paid("takes an order with every field", 1, async () => {
      await verify(WHOLE_ORDER);
    }),
    paid("takes no items, and an order time with an offset", 1, async () => {
      await verify({ ...SMALLEST_ORDER, items: [], orderTimestamp: "2026-11-20T11:00:00+01:00" });
    }),
    paid("takes an IPv6 address", 1, async () => {
      await verify({ ...SMALLEST_ORDER, ipAddress: "2001:db8::10" });
    }),
    paid("answers orders that come at the same time", AT_ONCE, async () => {
      const orders = Array.from({ length: AT_ONCE }, (_, index) => ({
        ...WHOLE_ORDER,
        orderId: `contract-${index}`,
      }));
      await Promise.all(orders.map(verify));
    }),
  ];
}

function toResultCases(verify: Verify): readonly ContractCase[] {
  return [
    paid("answers a score from 0 to 100 and one of the four levels", 1, async () => {
      const { riskScore, riskLevel } = (await verify(WHOLE_ORDER)) as Record<string, unknown>;
      ok(
        typeof riskScore === "number" && riskScore >= 0 && riskScore <= 100,
        "expected riskScore from 0 to 100",
      );
      ok(LEVELS.has(riskLevel), `expected riskLevel to be one of ${RISK_LEVELS.join(", ")}`);
    }),
    paid("answers a score in the band of its level", 1, async () => {
      const { riskScore, riskLevel } = (await verify(WHOLE_ORDER)) as {
        riskScore: number;
        riskLevel: RiskLevel;
      };
      const [least, most] = RISK_BANDS[riskLevel] ?? [];
      ok(
        least !== undefined && riskScore >= least && riskScore <= most,
        `expected riskScore of ${riskLevel} from ${least} to ${most}, got ${riskScore}`,
      );
    }),
    paid("answers factors of the documented shape", 1, async () => expectFactors(await verify(WHOLE_ORDER))),
    paid("answers its reasoning and recommendations as text", 1, async () => {
      const { reasoning, recommendations } = (await verify(WHOLE_ORDER)) as Record<string, unknown>;
      ok(typeof reasoning === "string", "expected reasoning to be text");
      const isListOfText =
        Array.isArray(recommendations) && recommendations.every((one) => typeof one === "string");
      ok(isListOfText, "expected recommendations to be a list of text");
    }),
  ];
}

function toHttpCases(caller: ServiceCaller): readonly ContractCase[] {
  return [
    paid("does not check orders by GET", 0, async () => {
      const { slug } = await caller.organization();
      const { status } = await caller.call(`api/${encodeURIComponent(slug)}/order-verification`);
      ok(status >= 400 && status < 500, `expected a refusal, got ${status}`);
    }),
    paid("says that an answer is JSON, also a failure", 1, async () => {
      for (const answer of [
        await caller.verify(SMALLEST_ORDER),
        await caller.organizations({ apiKey: null }),
      ]) {
        match(answer.headers.get("content-type") ?? "", /^application\/json\b/i);
      }
    }),
    paid("tells the rate limit with every answer", 2, async () => {
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

function expectFactors(data: object): void {
  const { riskFactors } = data as { riskFactors?: unknown };
  ok(Array.isArray(riskFactors), "expected riskFactors to be a list");
  for (const entry of riskFactors as readonly Record<string, unknown>[]) {
    ok(typeof entry["factor"] === "string", "expected every factor to be text");
    ok(typeof entry["description"] === "string", "expected every description to be text");
    ok(LEVELS.has(entry["severity"]), `expected every severity to be one of ${RISK_LEVELS.join(", ")}`);
    ok(
      CATEGORIES.has(String(entry["category"])),
      `expected every category to be one of ${[...CATEGORIES].join(", ")}`,
    );
  }
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
