import { ACTION_WORDS, LEVEL_WORDS, nameState, type OrderStanding } from "../data/api/words.ts";
import type { Action, OrderRow, RiskLevel } from "../data/api/api-types.ts";
import { rich, t } from "../data/base/texts.ts";

/** Each level has a shape as well as a color: more corners, more risk. */
const SHAPES: Readonly<Record<RiskLevel, string>> = {
  low: "M5 1.2a3.8 3.8 0 1 0 0 7.6a3.8 3.8 0 1 0 0-7.6",
  medium: "M1.4 1.4h7.2v7.2H1.4z",
  high: "M5 .6L9.6 8.8H.4z",
  critical: "M3.1.4h3.8L9.6 3.1v3.8L6.9 9.6H3.1L.4 6.9V3.1z",
};

export function LevelShape({ level }: { readonly level: RiskLevel }) {
  return (
    <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true" focusable="false">
      <path d={SHAPES[level]} />
    </svg>
  );
}

interface LevelBadgeProps {
  readonly level: RiskLevel | null;
  /** The configured service did not check the order. */
  readonly isUnchecked?: boolean | undefined;
  readonly score?: number | null | undefined;
}

export function LevelBadge({ level, isUnchecked = false, score }: LevelBadgeProps) {
  if (level === null)
    return (
      <span class="badge none">
        {isUnchecked ? t("components.not-checked") : t("components.no-risk-level")}
      </span>
    );
  return (
    <span class="badge" data-level={level}>
      <LevelShape level={level} />
      {LEVEL_WORDS[level]}
      {typeof score === "number" && (
        <b class="digits strong">
          {rich("components.score", {
            score: String(score),
            unseen: (text) => <span class="unseen">{text}</span>,
          })}
        </b>
      )}
    </span>
  );
}

type Judged = Pick<OrderRow, "riskLevel" | "riskScore" | "unchecked">;

export function OrderLevel({ order: { riskLevel, riskScore, unchecked } }: { readonly order: Judged }) {
  return <LevelBadge level={riskLevel} score={riskScore} isUnchecked={unchecked !== null} />;
}

export function StateLabel({ order }: { readonly order: OrderStanding }) {
  return (
    <span class="state no-wrap" data-state={order.state}>
      {nameState(order)}
    </span>
  );
}

export function ActionLabel({ action }: { readonly action: Action | null }) {
  return <span>{action === null ? "–" : ACTION_WORDS[action]}</span>;
}
