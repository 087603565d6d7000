import { cutText, type RiskFactor, type StepOutcome, type VerificationResult } from "../../src/index.ts";
import { CREATE_ASSESSMENT, ORDER_ASSESSMENTS } from "./operations.ts";
import { requirePayload, type Step, type StepContext, type UserError } from "./step.ts";

type AssessmentLevel = "LOW" | "MEDIUM" | "HIGH";
type Sentiment = "POSITIVE" | "NEUTRAL" | "NEGATIVE";

/** A native risk assessment. */
export interface Assessment {
  readonly riskLevel: AssessmentLevel;
  readonly facts: readonly { readonly description: string; readonly sentiment: Sentiment }[];
}

interface AssessmentsAnswer {
  readonly order: {
    readonly risk: {
      readonly assessments: readonly {
        readonly riskLevel: string;
        readonly facts: readonly { readonly description: string; readonly sentiment: string }[];
      }[];
    };
  } | null;
}

interface CreateAnswer {
  readonly orderRiskAssessmentCreate: { readonly userErrors: readonly UserError[] } | null;
}

/** Shopify's limits: more facts are an error, longer ones are cut by it, which would look like another assessment. */
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
 * Create the step that shows an order's judgement where the merchant looks: in Shopify's own risk analysis.
 *
 * `onWritten` hears of each assessment that was written, once: not again when the step is repeated because a crash or a
 * broken connection hid that it was.
 */
export function createAssess(onWritten?: (context: StepContext) => Promise<void>): Step {
  return async (context) => {
    const { target, orderGid, ask } = context;
    if (target.result === null) return { outcome: "moot", reason: "not-judged" };
    const wanted = toAssessment(target.result);
    const { order } = (await ask<AssessmentsAnswer>(ORDER_ASSESSMENTS, { id: orderGid })).data;
    if (order === null) return { outcome: "impossible", reason: "order-not-found" };
    // Assessments cannot be changed, only added: one that was written before a crash is looked for, not repeated.
    if (order.risk.assessments.some((known) => isSame(known, wanted))) {
      return { outcome: "done", detail: `assessed ${wanted.riskLevel} before` };
    }
    const outcome = await write(context, wanted);
    if (outcome.outcome === "done") await onWritten?.(context);
    return outcome;
  };
}

async function write({ orderGid, ask }: StepContext, wanted: Assessment): Promise<StepOutcome> {
  const { data } = await ask<CreateAnswer>(CREATE_ASSESSMENT, { input: { orderId: orderGid, ...wanted } });
  const { userErrors } = requirePayload(data.orderRiskAssessmentCreate);
  const code = userErrors.length === 0 ? undefined : (userErrors[0]?.code ?? "UNKNOWN");
  switch (code) {
    case undefined:
      return { outcome: "done", detail: `assessed ${wanted.riskLevel}` };
    case "ORDER_ALREADY_FULFILLED":
      return { outcome: "moot", reason: "already-fulfilled" };
    case "NOT_FOUND":
      return { outcome: "impossible", reason: "order-not-found" };
    default:
      return { outcome: "impossible", reason: `refused-${code}` };
  }
}

/** The native assessment of an answer: its level, its factors worst first, its reasoning last. */
export function toAssessment(result: VerificationResult): Assessment {
  const { riskLevel, riskFactors, reasoning } = result;
  const factors = riskFactors
    .toSorted((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity))
    .map((factor) => ({ description: toDescription(factor), sentiment: toSentiment(factor) }));
  const clean = riskLevel === "low" && riskFactors.length === 0;
  const summary = cutText(reasoning, FACT_LENGTH_MAX) || (clean ? "No risk factors were found." : "");
  const closing = { description: summary, sentiment: clean ? ("POSITIVE" as const) : ("NEUTRAL" as const) };
  const facts = [...factors.slice(0, FACTS_MAX - 1), closing].filter((fact) => fact.description !== "");
  return { riskLevel: LEVELS[riskLevel], facts };
}

function toDescription({ factor, description }: RiskFactor): string {
  const parts = [factor.trim(), description.trim()].filter((part) => part !== "");
  return cutText([...new Set(parts)].join(": "), FACT_LENGTH_MAX);
}

function toSentiment({ severity }: RiskFactor): Sentiment {
  return severity === "low" ? "NEUTRAL" : "NEGATIVE";
}

function isSame(
  known: {
    readonly riskLevel: string;
    readonly facts: readonly { readonly description: string; readonly sentiment: string }[];
  },
  wanted: Assessment,
): boolean {
  return toKey(known) === toKey(wanted);
}

/** Shopify keeps no order among facts. */
function toKey(assessment: Parameters<typeof isSame>[0]): string {
  const facts = assessment.facts.map(({ description, sentiment }) => `${sentiment} ${description}`);
  return JSON.stringify([assessment.riskLevel, ...facts.toSorted()]);
}
