import { z } from "zod";
import { cutText } from "../order/text.ts";
import { RISK_CATEGORIES, type RiskFactor, type VerificationResult } from "../order/result.ts";
import { RISK_BANDS, RISK_LEVELS, type RiskLevel } from "../order/risk-level.ts";

/** Limits for one answer: entries of a list, and UTF-16 code units of a text. The rest is cut. */
const KEPT = {
  factors: 50,
  factor: 200,
  description: 1_000,
  reasoning: 10_000,
  recommendations: 20,
  recommendation: 500,
} as const;
/** Longest name of an unknown severity or category that is shown. */
const LABEL_LENGTH = 30;
/** Replaces an unknown severity or category; the description names the original. */
const STAND_IN = { severity: "medium", category: "behavioral" } as const;

const LABELS = { severity: "Severity", category: "Category" } as const;

/** A part of an answer that couldn't be used unchanged. */
type UnusablePart =
  | "riskScore"
  | "riskFactors"
  | "riskFactors[]"
  | "riskFactors[].severity"
  | "riskFactors[].category"
  | "reasoning"
  | "recommendations"
  | "recommendations[]";

export interface ReadResult {
  readonly result: VerificationResult;
  /** Parts that were missing or wrong, each once, without their content. Empty for a complete answer. */
  readonly unusable: readonly UnusablePart[];
}

/** The only required part of an answer. An unknown level counts as no answer. */
export const answerSchema = z.looseObject({ riskLevel: z.enum(RISK_LEVELS) });
export type LeveledAnswer = Readonly<z.infer<typeof answerSchema>>;

/**
 * Read an answer of the service. Only the level is required, since it alone decides. Other parts that are missing or
 * wrong are filled in: the score becomes the lowest of its level's band, the reasoning becomes empty text. A factor or
 * recommendation without text is left out. A factor with an unknown severity or category stays, and its description
 * names the original. Total.
 */
export function readResult(answer: LeveledAnswer): ReadResult {
  const unusable = new Set<UnusablePart>();
  const note = (part: UnusablePart) => unusable.add(part);
  const { riskLevel } = answer;

  /** Undefined leaves an entry out. */
  function readList<T>(
    part: "riskFactors" | "recommendations",
    most: number,
    read: (entry: unknown) => T | undefined,
  ) {
    const list: unknown = answer[part];
    const entries: T[] = [];
    if (!Array.isArray(list)) note(part);
    for (const entry of Array.isArray(list) ? (list as readonly unknown[]) : []) {
      const one = read(entry);
      if (one === undefined) note(`${part}[]`);
      else if (entries.push(one) === most) break;
    }
    return entries;
  }

  if (typeof answer["reasoning"] !== "string") note("reasoning");
  const result = {
    riskScore: readScore(answer["riskScore"], riskLevel, note),
    riskLevel,
    riskFactors: readList("riskFactors", KEPT.factors, (entry) => readFactor(entry, note)),
    reasoning: readText(answer["reasoning"], KEPT.reasoning),
    recommendations: readList(
      "recommendations",
      KEPT.recommendations,
      (entry) => readText(entry, KEPT.recommendation) || undefined,
    ),
  };
  return { result, unusable: [...unusable] };
}

type Note = (part: UnusablePart) => void;

function readScore(score: unknown, level: RiskLevel, note: Note): number {
  if (typeof score === "number" && score >= 0 && score <= 100) return score;
  note("riskScore");
  return RISK_BANDS[level][0];
}

function readFactor(entry: unknown, note: Note): RiskFactor | undefined {
  const fields: unknown = typeof entry === "string" ? { factor: entry } : entry;
  if (typeof fields !== "object" || fields === null) return undefined;
  const { factor, description, severity, category } = fields as Readonly<Record<string, unknown>>;
  const title = readText(factor, KEPT.factor);
  const text = readText(description, KEPT.description);
  if (title === "" && text === "") return undefined;
  const labels: string[] = [];
  const known = <T extends string>(name: keyof typeof STAND_IN, value: unknown, values: readonly T[]) => {
    const found = values.find((one) => one === value);
    if (found === undefined) {
      note(`riskFactors[].${name}`);
      labels.push(`${LABELS[name]} given: ${toLabel(value)}.`);
    }
    return found;
  };
  return {
    factor: title || cutText(text, KEPT.factor),
    severity: known("severity", severity, RISK_LEVELS) ?? STAND_IN.severity,
    category: known("category", category, RISK_CATEGORIES) ?? STAND_IN.category,
    description: [text, ...labels].filter((part) => part !== "").join(" "),
  };
}

function toLabel(value: unknown): string {
  return readText(value, LABEL_LENGTH) || "none";
}

function readText(value: unknown, max: number): string {
  return typeof value === "string" ? cutText(value.toWellFormed(), max) : "";
}
