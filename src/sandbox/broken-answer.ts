import type { VerificationResult } from "../order/result.ts";
import type { BrokenAnswer } from "../engine/forced-outcomes.ts";
import { toSuccess, type Answer } from "./http.ts";

/** Larger than any client should take for one answer. */
const OVERSIZED_CHARACTERS = 8 * 1024 * 1024;
const BROKEN_JSON = '{"success":true,"data":{"riskScore":';
const PAGE = "<!doctype html><title>Maintenance</title><p>Be right back.</p>\n";

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

/** An answer with status 200 that breaks the interface, made from what would have been one. */
export function toBrokenAnswer(how: BrokenAnswer, result: VerificationResult): Answer {
  return BREAKERS[how](result);
}
