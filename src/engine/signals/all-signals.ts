import type { OrderFacts } from "../facts/order-facts.ts";
import {
  FACTOR_POINTS,
  type EvidenceGroup,
  type Observation,
  type SeenSignal,
  type Signal,
  type SignalGroup,
  type SignalGroupName,
} from "./signal.ts";
import { ACCOUNT_SIGNALS } from "./account.ts";
import { ADDRESS_SIGNALS } from "./address.ts";
import { AMOUNT_SIGNALS } from "./amount.ts";
import { CARD_SIGNALS } from "./card.ts";
import { COMBINATION_SIGNALS } from "./combination.ts";
import { EMAIL_SIGNALS } from "./email.ts";
import { GEO_SIGNALS } from "./geo.ts";
import { HISTORY_SIGNALS } from "./history.ts";
import { IP_SIGNALS } from "./ip.ts";
import { ITEM_SIGNALS } from "./items.ts";
import { PHONE_SIGNALS } from "./phone.ts";
import { TIME_SIGNALS } from "./time.ts";
import { USER_AGENT_SIGNALS } from "./user-agent.ts";
import { fill } from "./sentence.ts";
import { VELOCITY_SIGNALS } from "./velocity.ts";

/** The aspects of an order that can be known or unknown. The known share is an answer's confidence. */
export const EVIDENCE_GROUPS: readonly EvidenceGroup[] = [
  EMAIL_SIGNALS,
  PHONE_SIGNALS,
  GEO_SIGNALS,
  ADDRESS_SIGNALS,
  CARD_SIGNALS,
  AMOUNT_SIGNALS,
  ITEM_SIGNALS,
  ACCOUNT_SIGNALS,
  HISTORY_SIGNALS,
  TIME_SIGNALS,
  VELOCITY_SIGNALS,
  USER_AGENT_SIGNALS,
  IP_SIGNALS,
];

/** All groups, including those that only combine other signals. */
export const ALL_GROUPS: readonly SignalGroup[] = [...EVIDENCE_GROUPS, COMBINATION_SIGNALS];

export function observeSignals(facts: OrderFacts): readonly SeenSignal[] {
  const all: SeenSignal[] = [];
  for (const group of ALL_GROUPS) {
    for (const signal of group.signals) {
      if (facts.sandbox && signal.testData === true) continue;
      const seen = signal.observe(facts);
      if (seen !== null) all.push(toSeen(seen, signal, group.name, facts));
    }
  }
  return sayOnce(all);
}

function toSeen(seen: Observation, signal: Signal, group: SignalGroupName, facts: OrderFacts): SeenSignal {
  const { code, category, shakesTrust = false, voidsTrust = false, isClaim = false, joins = [] } = signal;
  return {
    ...seen,
    description: fill(seen.says),
    code,
    category,
    title: seen.title ?? signal.title,
    shakesTrust,
    voidsTrust,
    isClaim,
    isPlace: signal.isPlace?.(facts) ?? false,
    joins,
    group,
  };
}

/** Two signals may rest on one fact. The answer says it once, in the sentence of the signal that is about it. */
function sayOnce(all: readonly SeenSignal[]): readonly SeenSignal[] {
  const factors = new Map(
    all.filter(({ points }) => points >= FACTOR_POINTS).map((signal) => [signal.code, signal]),
  );
  return all.map((signal) => {
    const { beside } = signal;
    const isTold = beside?.codes.some((code) => {
      const other = factors.get(code);
      return other !== undefined && (beside.isFirst !== true || isListedFirst(other, signal));
    });
    return beside === undefined || isTold !== true
      ? signal
      : { ...signal, says: beside.says, description: fill(beside.says) };
  });
}

/** As an answer lists two factors of one group: the stronger first, then by code. */
function isListedFirst(one: SeenSignal, other: SeenSignal): boolean {
  return one.points === other.points ? one.code < other.code : one.points > other.points;
}
