import { percentile } from "../bench/figure.ts";
import type { LocalAssessment, LocalEngine } from "../src/engine/engine.ts";
import { RISK_LEVELS, type RiskLevel } from "../src/order/risk-level.ts";
import { calibrate, type Calibration } from "./calibration.ts";
import type { LabelledOrder } from "./labelled-order.ts";
import { rank, toRecallAt, type RocPoint, type Scored } from "./ranking.ts";

/** Orders of one risk level. Rates are null if there is nothing to divide by. */
export interface Band {
  readonly orders: number;
  /** Share of all labeled orders. */
  readonly share: number;
  readonly frauds: number;
  /** Share of these orders that was fraud. */
  readonly fraudRate: number | null;
  /** That share divided by the fraud rate of all labeled orders. */
  readonly lift: number | null;
  /** Share of all frauds. */
  readonly fraudShare: number | null;
}

/** The result of one way of judging. */
export interface Judgement {
  /** Null unless there are frauds and legitimate orders. */
  readonly auc: number | null;
  readonly aucInterval: readonly [low: number, high: number] | null;
  /** Share of the frauds caught by the lowest score that at most 5 % of the legitimate orders reach. */
  readonly recallAt5: number | null;
  readonly bands: Readonly<Record<RiskLevel, Band>>;
  readonly calibration: Calibration;
  readonly roc: readonly RocPoint[];
}

/** The engine's result on labeled orders. */
export interface Evaluation {
  /** Orders judged. */
  readonly rows: number;
  /** Orders that were fraud. */
  readonly positives: number;
  /** Orders without a known outcome. They count only in `rows` and in the times. */
  readonly unlabelled: number;
  /** Orders that made the engine throw. */
  readonly exceptions: number;
  readonly withoutVelocity: Judgement;
  /** Null when no order came with velocity counts. */
  readonly withVelocity: Judgement | null;
  /**
   * Time of one assessment in microseconds. Every order is judged twice in a row, with and without velocity counts, and
   * the shorter time counts: the longer one often includes another process.
   */
  readonly times: { readonly p50Micros: number; readonly p99Micros: number; readonly maxMicros: number };
  readonly engine: LocalAssessment["engine"] | null;
}

/** Takes labeled orders one by one. Made by {@link createEvaluator}. */
export interface Evaluator {
  add(order: LabelledOrder): void;
  evaluate(): Evaluation;
}

interface Outcome {
  /** The sum of all points before it is cut to 0 to 100: it separates orders with the same score. */
  readonly score: number;
  readonly level: RiskLevel;
  readonly fraud: boolean;
}

const FALSE_POSITIVES = 0.05;

/** Create an {@link Evaluator} of an engine. It keeps only a few numbers of each order. */
export function createEvaluator(engine: Pick<LocalEngine, "assess">): Evaluator {
  const timesMicros: number[] = [];
  const plain: Outcome[] = [];
  const informed: Outcome[] = [];
  let unlabelled = 0;
  let exceptions = 0;
  let hasVelocity = false;
  let version: LocalAssessment["engine"] | null = null;

  /** The answers without and with velocity counts. Both times are measured, see `times`. */
  function assess({
    order,
    velocity,
  }: LabelledOrder): readonly [plain: LocalAssessment, informed: LocalAssessment] {
    const startMs = performance.now();
    const informed = engine.assess(order, velocity);
    const middleMs = performance.now();
    const plain = engine.assess(order);
    const endMs = performance.now();
    timesMicros.push(Math.min(middleMs - startMs, endMs - middleMs) * 1_000);
    return [plain, informed];
  }

  return {
    add(labelled) {
      let answers;
      try {
        answers = assess(labelled);
      } catch {
        exceptions += 1;
        return;
      }
      version ??= answers[1].engine;
      if (labelled.fraud === undefined) {
        unlabelled += 1;
        return;
      }
      hasVelocity ||= labelled.velocity !== undefined;
      plain.push(toOutcome(answers[0], labelled.fraud));
      informed.push(toOutcome(answers[1], labelled.fraud));
    },
    evaluate: () => ({
      rows: plain.length + unlabelled + exceptions,
      positives: plain.filter(({ fraud }) => fraud).length,
      unlabelled,
      exceptions,
      withoutVelocity: toJudgement(plain),
      withVelocity: hasVelocity ? toJudgement(informed) : null,
      times: {
        p50Micros: percentile(timesMicros, 0.5),
        p99Micros: percentile(timesMicros, 0.99),
        maxMicros: percentile(timesMicros, 1),
      },
      engine: version,
    }),
  };
}

function toOutcome({ scorecard, riskLevel }: LocalAssessment, fraud: boolean): Outcome {
  return { score: scorecard.total, level: riskLevel, fraud };
}

function toJudgement(outcomes: readonly Outcome[]): Judgement {
  const scored: readonly Scored[] = outcomes;
  const ranking = rank(scored);
  return {
    auc: ranking?.auc ?? null,
    aucInterval: ranking?.interval ?? null,
    recallAt5: ranking === null ? null : toRecallAt(ranking, FALSE_POSITIVES),
    bands: toBands(outcomes),
    calibration: calibrate(scored),
    roc: ranking?.roc ?? [],
  };
}

function toBands(outcomes: readonly Outcome[]): Readonly<Record<RiskLevel, Band>> {
  const frauds = outcomes.filter(({ fraud }) => fraud).length;
  const groups = Map.groupBy(outcomes, ({ level }) => level);
  const toBand = (level: RiskLevel): Band => {
    const group = groups.get(level) ?? [];
    const caught = group.filter(({ fraud }) => fraud).length;
    const fraudRate = divide(caught, group.length);
    return {
      orders: group.length,
      share: divide(group.length, outcomes.length) ?? 0,
      frauds: caught,
      fraudRate,
      lift: fraudRate === null ? null : divide(fraudRate * outcomes.length, frauds),
      fraudShare: divide(caught, frauds),
    };
  };
  const [low, medium, high, critical] = RISK_LEVELS;
  return {
    low: toBand(low),
    medium: toBand(medium),
    high: toBand(high),
    critical: toBand(critical),
  };
}

function divide(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
