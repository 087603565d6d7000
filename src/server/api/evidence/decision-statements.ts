import { toIso } from "../../../base/iso-time.ts";
import { toPersonAct, type Decision, type DecisionSource } from "../../../order/decision.ts";
import type { VerificationResult } from "../../../order/result.ts";
import type { OrderRecord, TimelineEntry } from "../../../store/store.ts";
import { toBankTime, type Statement } from "./statement.ts";

/** Who judged the order. The local engine's level isn't the service's. */
const JUDGES: Readonly<Record<DecisionSource, Statement["source"]>> = {
  service: "service",
  cache: "service",
  local: "local",
  policy: "holdfast",
  person: "person",
};

const JUDGE_WORDS: Readonly<Record<"service" | "local", string>> = {
  service: "An order verification service",
  local: "The shop's own fraud check",
};

/** How the order was checked and decided, and the signals behind it. */
export function decisionStatements(
  { decision, result, decidedAtMs }: OrderRecord,
  timeline: readonly TimelineEntry[],
): readonly Statement[] {
  if (decision === null) return [];
  const machine = toMachine(decision);
  return [
    ...(machine === null
      ? []
      : [
          toChecked(machine, findCheckedMs(decision, decidedAtMs, timeline)),
          ...toSignals(machine.source, result),
        ]),
    ...toReviewed(decision, decidedAtMs),
  ];
}

/** A person who took an order out of the queue gave no verdict on it. */
function toReviewed(decision: Decision, decidedAtMs: number | null): readonly Statement[] {
  const act = toPersonAct(decision);
  if (decision.source !== "person" || decidedAtMs === null || act === "handle") return [];
  const verdict = act === "decline" ? "declined" : "approved";
  const text = `A member of the shop's staff reviewed the order on ${toBankTime(decidedAtMs)} and ${verdict} it.`;
  return [{ section: "decision", source: "person", at: toIso(decidedAtMs), text }];
}

interface Machine {
  readonly source: "service" | "local";
  readonly level: string;
  readonly score: number | null;
}

/** What a machine said of the order, also if a person decided in the end; null if none judged it. */
function toMachine(decision: Decision): Machine | null {
  const judged = decision.machine ?? decision;
  const source = JUDGES[judged.source];
  if (decision.riskLevel === null || (source !== "service" && source !== "local")) return null;
  return { source, level: decision.riskLevel, score: decision.riskScore };
}

/** An order can be checked several times, and by the local engine before the service. The stored answer is the last one. */
function findCheckedMs(
  decision: Decision,
  decidedAtMs: number | null,
  timeline: readonly TimelineEntry[],
): number | null {
  const { source } = decision.machine ?? decision;
  const checked = timeline.findLast(({ event }) => event.kind === "decided" && event.source === source);
  // The time of a person's decision isn't the check's.
  return checked?.atMs ?? (decision.machine === undefined ? decidedAtMs : null);
}

function toChecked({ source, level, score }: Machine, atMs: number | null): Statement {
  const when = atMs === null ? "" : ` on ${toBankTime(atMs)}`;
  const points = score === null ? "" : `, ${score} of 100 points`;
  const text = `${JUDGE_WORDS[source]} checked the order${when}. Its risk level: ${level}${points}.`;
  return { section: "decision", source, at: toIso(atMs), text };
}

function toSignals(source: Machine["source"], result: VerificationResult | null): readonly Statement[] {
  return (result?.riskFactors ?? []).map(({ factor, severity, description }) => {
    const words = description.replace(/\s*\[[A-Z][A-Z\d_]*\]$/, "").trim();
    const text =
      words === "" ? `Signal (${severity}): ${factor}` : `Signal (${severity}): ${factor}: ${words}`;
    return { section: "decision", source, at: null, text };
  });
}
