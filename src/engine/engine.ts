import type { PartialVerificationRequest, StandIn } from "../order/request.ts";
import type { OrderContext } from "../order/order-context.ts";
import type { EssentialFact } from "../order/decision.ts";
import type { VerificationResult } from "../order/result.ts";
import { toRiskLevel } from "../order/risk-level.ts";
import { readFacts, type OrderFacts, listMissing } from "./facts/order-facts.ts";
import { toPlainOrder, withoutStandIns } from "./facts/plain-order.ts";
import { findCauses, recommend, toRiskFactor, writeReasoning } from "./reasons.ts";
import { BASE_POINTS, combineSignals, type CombinedScore } from "./combine-signals.ts";
import { EVIDENCE_GROUPS, observeSignals } from "./signals/all-signals.ts";
import { DATA_SOURCES, isStale, listDataVersions, type DataSource } from "./tables/data-sources.ts";
import type { VelocityCounts } from "./velocity/velocity-store.ts";
import { measure } from "./model/features.ts";
import { isHeldOut, keepSignals, toJudged, type KeptSignals } from "./model/kept-signals.ts";
import { listParts, shiftScore, toShift, type ModelPart, type ShopModel } from "./model/shop-model.ts";

/** Version of the signals and their points. Change it whenever the same order could be judged differently. */
export const ENGINE_VERSION = "3.17.0";

export interface LocalEngineOptions {
  /** Ignore test data (reserved domains and numbers, published test cards). Never for real orders. @default false */
  readonly sandbox?: boolean | undefined;
  /** Clock for orders without a time. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** An answer of the local engine: the service's fields and how they were computed. */
export type LocalAssessment = VerificationResult & {
  readonly engine: {
    readonly version: string;
    /** The day of each kind of data that the answer is based on, by name. */
    readonly dataVersions: Readonly<Record<string, string>>;
  };
  /** The share of an order's aspects that could be examined, 0 to 1. */
  readonly confidence: number;
  /** The facts that the order lacks and that a low risk requires. */
  readonly missing: readonly EssentialFact[];
  /** The aspects that weren't examined, in words for a reviewer. */
  readonly limitations: readonly string[];
  readonly scorecard: CombinedScore;
  /** What the shop's own model added to the scorecard's score. Absent if it had no say. */
  readonly model?: ModelSay;
  /** What the sum started from, for the shop's own model. */
  readonly signals: KeptSignals;
};

/** What a shop's own model says about an order. */
export interface ModelSay {
  /** Points, within the model's limits. */
  readonly shift: number;
  /** The parts before the limits, largest first. */
  readonly parts: readonly ModelPart[];
}

/** Judges orders without a network. */
export interface LocalEngine {
  /**
   * Judge an order from its known facts and, if available, its velocity counts. Pure: the same input gives the same answer.
   * Never throws, whatever the input.
   *
   * @param standIns - Fields that aren't evidence. Default: none.
   * @param context - Other facts from the platform. Default: not known.
   * @param model - The shop's own. Default: none.
   */
  assess(
    known: PartialVerificationRequest,
    velocity?: VelocityCounts,
    standIns?: readonly StandIn[],
    context?: OrderContext,
    model?: ShopModel,
  ): LocalAssessment;
}

/** Aspects that no order shows and that the engine has no data for. */
const NEVER_CHECKED = "The engine doesn't check whether the email address and phone number are reachable.";
const SHARED_NETWORK =
  "The IP address belongs to a relay, a company gateway or a satellite, so it doesn't show the person or the place.";
const NO_TOR_LIST = "No current list of Tor exits was given; only networks that run nothing else are known.";
const ENGINE = Object.freeze({ version: ENGINE_VERSION, dataVersions: Object.freeze(listDataVersions()) });
const PERISHABLE: readonly Required<DataSource>[] = Object.values<DataSource>(DATA_SOURCES).flatMap(
  ({ asOf, perishable }) => (perishable === undefined ? [] : [{ asOf, perishable }]),
);
const BY_AGENT =
  "An AI agent placed the order, so its device, its network and the hour say nothing about the buyer.";
const NO_TIME = "The order has no time of its own; the clock's was used.";

/** Create the local engine. It adds points for signs of fraud, subtracts credit for good signs, and explains the score. */
export function createLocalEngine(options: LocalEngineOptions = {}): LocalEngine {
  const { sandbox = false, now = Date.now } = options;
  return {
    assess(known, velocity, standIns = [], context, model) {
      const plain = withoutStandIns(toPlainOrder(known), standIns);
      const held = isHeldOut(plain.fields["orderId"]);
      return judge(readFacts(plain, { sandbox, now, velocity, context }), held, model);
    },
  };
}

function judge(facts: OrderFacts, held: boolean, shopModel: ShopModel | undefined): LocalAssessment {
  const seen = observeSignals(facts);
  const scorecard = combineSignals(seen, BASE_POINTS);
  const order = { seen, measures: measure(facts) };
  const model =
    shopModel === undefined || held
      ? undefined
      : {
          shift: toShift(shopModel, order, toJudged(order, scorecard)),
          parts: listParts(shopModel, order),
        };
  const score = model === undefined ? scorecard.score : shiftScore(scorecard.score, model.shift);
  const riskLevel = toRiskLevel(score);
  const causes = findCauses(seen, scorecard);
  const riskFactors = causes.map(toRiskFactor);
  const unknown = EVIDENCE_GROUPS.filter((group) => !group.isKnown(facts));
  const known = EVIDENCE_GROUPS.length - unknown.length;
  const confidence = Math.round((100 * known) / EVIDENCE_GROUPS.length) / 100;
  const missing = listMissing(facts, confidence);
  return {
    riskScore: score,
    riskLevel,
    riskFactors,
    reasoning: writeReasoning(riskLevel, scorecard, { score, causes, seen, known, model }),
    recommendations: recommend(riskLevel, causes),
    engine: ENGINE,
    confidence,
    missing,
    limitations: [...listLimitations(facts), ...unknown.map((group) => group.limitation), NEVER_CHECKED],
    scorecard,
    ...(model && { model }),
    signals: keepSignals(seen, {
      base: BASE_POINTS,
      missing,
      measures: order.measures,
      ...(held && { isHeldOut: true }),
      ...(model && { byModel: true }),
    }),
  };
}

function listLimitations({ ip, isAgent, nowMs, timeKnown }: OrderFacts): readonly string[] {
  return [
    ...(isAgent ? [BY_AGENT] : []),
    ...(timeKnown ? [] : [NO_TIME]),
    ...(ip?.fault === undefined ? [] : [ip.fault]),
    ...(ip?.network === "shared" ? [SHARED_NETWORK] : []),
    ...(ip === undefined ? [] : [NO_TOR_LIST]),
    ...PERISHABLE.filter((source) => isStale(source, nowMs)).map(
      ({ perishable, asOf }) => `Old data counts half: ${perishable} is as of ${asOf}.`,
    ),
  ];
}
