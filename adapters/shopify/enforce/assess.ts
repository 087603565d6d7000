import {
  cutText,
  explainUnchecked,
  type Decision,
  type RiskFactor,
  type RiskLevel,
  type StepOutcome,
  type VerificationResult,
} from "../../../src/adapter-kit.ts";
import type { WrittenAssessment } from "../operations/generated/operations.ts";
import { mutate } from "../admin/ask.ts";
import { ORDER_NOT_FOUND, SHIPPED_BEFORE, toCodes, toRefusal, type Step, type StepContext } from "./step.ts";

type AssessmentLevel = "NONE" | "LOW" | "MEDIUM" | "HIGH";
type Sentiment = "POSITIVE" | "NEUTRAL" | "NEGATIVE";

export interface Assessment {
  readonly riskLevel: AssessmentLevel;
  readonly facts: readonly { readonly description: string; readonly sentiment: Sentiment }[];
}

/**
 * Shopify's limits. More facts cause an error. Longer facts are cut by Shopify, and would then look like another
 * assessment.
 */
const FACTS_MAX = 20;
const FACT_LENGTH_MAX = 256;

/** Shopify has no fourth level. */
const LEVELS: Readonly<Record<VerificationResult["riskLevel"], AssessmentLevel>> = {
  low: "LOW",
  medium: "MEDIUM",
  high: "HIGH",
  critical: "HIGH",
};

const SEVERITIES: readonly RiskFactor["severity"][] = ["critical", "high", "medium", "low"];

/**
 * Create the step that writes an order's assessment to Shopify's own risk analysis, where the merchant sees it.
 *
 * `onWritten` is called once for each assessment that was written. It isn't called again when the step repeats because a
 * crash or a broken connection hid the result.
 */
export function createAssess(onWritten?: (context: StepContext) => Promise<void>): Step {
  return async (context) => {
    const { target, orderGid, ask } = context;
    const wanted = toAssessment(target.decision, target.result);
    if (wanted === null) return { outcome: "moot", reason: "not-judged" };
    const { order } = (await ask("OrderAssessments", { id: orderGid })).data;
    if (order === null) return ORDER_NOT_FOUND;
    // Assessments can't be changed, only added, so look for one from before a crash instead of writing it again.
    if (order.risk.assessments.some((known) => toKey(known) === toKey(wanted))) {
      return { outcome: "done", detail: `assessed ${wanted.riskLevel} before` };
    }
    const outcome = await write(context, wanted);
    if (outcome.outcome === "done") await onWritten?.(context);
    return outcome;
  };
}

async function write({ orderGid, ask }: StepContext, wanted: Assessment): Promise<StepOutcome> {
  const input = { orderId: orderGid, ...wanted };
  const { userErrors } = await mutate(ask, "CreateAssessment", { input });
  const [code] = toCodes(userErrors);
  if (code === undefined) return { outcome: "done", detail: `assessed ${wanted.riskLevel}` };
  if (code === "ORDER_ALREADY_FULFILLED") return { ...SHIPPED_BEFORE, outcome: "moot" };
  return code === "NOT_FOUND" ? ORDER_NOT_FOUND : toRefusal([code]);
}

/**
 * The native assessment of a decision: its level, the factors with the worst first, then the reasoning. An order without
 * a level gets NONE ("will not provide a recommendation"), with the reason first. Null when there is nothing to write.
 */
export function toAssessment(decision: Decision, result: VerificationResult | null): Assessment | null {
  const note = explainUnchecked(decision);
  const riskLevel = decision.guess === undefined ? (result?.riskLevel ?? null) : null;
  if (riskLevel === null && note === null) return null;
  const factors = (result?.riskFactors ?? [])
    .toSorted((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity))
    .map((factor) => ({ description: toDescription(factor), sentiment: toSentiment(factor) }));
  const notes = note === null ? [] : [{ description: note, sentiment: "NEUTRAL" as const }];
  // Without a level, the reasoning repeats the note.
  const closing = riskLevel === null || result === null ? [] : [toClosing(riskLevel, result)];
  const most = FACTS_MAX - notes.length - closing.length;
  const facts = [...notes, ...factors.slice(0, most), ...closing];
  return {
    riskLevel: riskLevel === null ? "NONE" : LEVELS[riskLevel],
    facts: facts.filter((fact) => fact.description !== ""),
  };
}

function toClosing(riskLevel: RiskLevel, { riskFactors, reasoning }: VerificationResult) {
  const clean = riskLevel === "low" && riskFactors.length === 0;
  const summary = cutText(reasoning, FACT_LENGTH_MAX) || (clean ? "No risk factors were found." : "");
  return { description: summary, sentiment: clean ? ("POSITIVE" as const) : ("NEUTRAL" as const) };
}

function toDescription({ factor, description }: RiskFactor): string {
  const parts = [factor, description].filter((part) => part !== "");
  return cutText([...new Set(parts)].join(": "), FACT_LENGTH_MAX);
}

function toSentiment({ severity }: RiskFactor): Sentiment {
  return severity === "low" ? "NEUTRAL" : "NEGATIVE";
}

/** Shopify doesn't keep the order of facts. */
function toKey(assessment: WrittenAssessment): string {
  const facts = assessment.facts.map(({ description, sentiment }) => `${sentiment} ${description}`);
  return JSON.stringify([assessment.riskLevel, ...facts.toSorted()]);
}
