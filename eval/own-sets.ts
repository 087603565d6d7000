import { join } from "node:path";
import { createLocalEngine, type LocalEngine } from "../src/engine/engine.ts";
import { createEvaluator, type Evaluation } from "./evaluation.ts";
import type { LabelledOrder } from "./labelled-order.ts";
import { openOrdersFile } from "./orders-file.ts";
import { rank, type Scored } from "./ranking.ts";
import { replayFrauds, type Replay } from "./replay.ts";
import { generateOrders, type SyntheticOptions } from "./synthetic/synthetic-orders.ts";

/** A goal. */
export interface Goal {
  readonly name: string;
  readonly value: number;
  readonly goal: { readonly atLeast: number } | { readonly atMost: number };
  readonly isMet: boolean;
}

/** An evaluated set of orders; `name` also names its pictures. */
export interface NamedEvaluation {
  readonly name: string;
  readonly title: string;
  readonly evaluation: Evaluation;
  /** Synthetic orders only: the AUC of points that equal the lifts the orders were drawn from. */
  readonly ceiling?: { readonly auc: number | null; readonly aucWithVelocity: number | null };
}

/** The results for the orders in this repository. */
export interface OwnSets {
  readonly sets: readonly NamedEvaluation[];
  readonly replay: Replay;
  readonly goals: readonly Goal[];
}

const DATA = join(import.meta.dirname, "data");
const SYNTHETIC_ORDERS = 30_000;
const WARM_UP_ORDERS = 2_000;
const SEED = 20_261_120;
/** Real counters rise together far more often than not; nobody has published how often. */
const LINKED = 0.7;

interface SyntheticSet {
  readonly name: string;
  readonly title: string;
  readonly options: SyntheticOptions;
}

const SYNTHETIC: readonly SyntheticSet[] = [
  {
    name: "synthetic-best",
    title: "Synthetic orders, full data, independent counts",
    options: { orders: SYNTHETIC_ORDERS, seed: SEED, linked: 0, detail: "full" },
  },
  {
    name: "synthetic-sober",
    title: "Synthetic orders, coded, counts rise together",
    options: { orders: SYNTHETIC_ORDERS, seed: SEED + 1, linked: LINKED, detail: "coded" },
  },
];

/**
 * Evaluate the engine on everything that comes with this repository.
 *
 * @param onProgress Called with the progress, 0 to 1, and the current step.
 */
export async function evaluateOwnSets(onProgress: (share: number, what: string) => void): Promise<OwnSets> {
  const engine = createLocalEngine();
  warmUp(engine);
  const parts = SYNTHETIC.length + 2;
  onProgress(0, "aws-cold-start");
  const [whole, withoutIp] = await evaluateColdStart(engine);
  onProgress(1 / parts, "ms-frauds");
  const frauds = await openOrdersFile(join(DATA, "ms-frauds.csv"));
  const replay = await replayFrauds(frauds.orders, engine);
  const synthetic = SYNTHETIC.map((set, index) =>
    evaluateSynthetic(engine, set, (share) => onProgress((2 + index + share) / parts, set.name)),
  );
  const coldStart = [
    { name: "aws-cold-start", title: "AWS cold start", evaluation: whole },
    { name: "aws-cold-start-no-ip", title: "AWS cold start, IP removed", evaluation: withoutIp },
  ];
  return { sets: [...coldStart, ...synthetic], replay, goals: toGoals(whole, withoutIp, replay) };
}

/** Judge some orders first: a shop's process has long done so, and a cold one says nothing about the time per order. */
export function warmUp(engine: Pick<LocalEngine, "assess">): void {
  for (const { order, velocity } of generateOrders({ orders: WARM_UP_ORDERS, seed: SEED })) {
    engine.assess(order, velocity);
  }
}

/** Once as the file is, for the engine's robustness, and once without its IP addresses, from all over the world. */
async function evaluateColdStart(
  engine: LocalEngine,
): Promise<readonly [whole: Evaluation, withoutIp: Evaluation]> {
  const whole = createEvaluator(engine);
  const withoutIp = createEvaluator(engine);
  const file = await openOrdersFile(join(DATA, "aws-cold-start.csv"));
  for await (const labelled of file.orders) {
    whole.add(labelled);
    withoutIp.add(dropIp(labelled));
  }
  return [whole.evaluate(), withoutIp.evaluate()];
}

function evaluateSynthetic(
  engine: LocalEngine,
  { name, title, options }: SyntheticSet,
  onProgress: (share: number) => void,
): NamedEvaluation {
  const evaluator = createEvaluator(engine);
  const plain: Scored[] = [];
  const informed: Scored[] = [];
  for (const labelled of generateOrders(options)) {
    evaluator.add(labelled);
    const fraud = labelled.fraud === true;
    plain.push({ score: labelled.fairBits, fraud });
    informed.push({ score: labelled.fairBitsWithVelocity, fraud });
    onProgress(plain.length / options.orders);
  }
  const ceiling = { auc: rank(plain)?.auc ?? null, aucWithVelocity: rank(informed)?.auc ?? null };
  return { name, title, evaluation: evaluator.evaluate(), ceiling };
}

function dropIp(labelled: LabelledOrder): LabelledOrder {
  return { ...labelled, order: { ...labelled.order, ipAddress: undefined } };
}

function toGoals(whole: Evaluation, withoutIp: Evaluation, replay: Replay): readonly Goal[] {
  const { low } = withoutIp.withoutVelocity.bands;
  const legits = withoutIp.rows - withoutIp.unlabelled - withoutIp.exceptions - withoutIp.positives;
  const { repeats, repeatsSeen } = replay;
  return [
    toGoal("aws-cold-start: orders that made the engine throw", whole.exceptions, { atMost: 0 }),
    toGoal("aws-cold-start: p99 of one assessment, in ms", whole.times.p99Micros / 1_000, { atMost: 5 }),
    toGoal("aws-cold-start-no-ip: legitimate orders found low", (low.orders - low.frauds) / legits, {
      atLeast: 0.9,
    }),
    toGoal("ms-frauds: repeat frauds with a velocity factor", repeatsSeen / repeats, { atLeast: 0.8 }),
  ];
}

function toGoal(name: string, value: number, goal: Goal["goal"]): Goal {
  const isMet = "atLeast" in goal ? value >= goal.atLeast : value <= goal.atMost;
  return { name, value, goal, isMet };
}
