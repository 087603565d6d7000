/** A score and whether the order turned out to be fraud. */
export interface Scored {
  readonly score: number;
  readonly fraud: boolean;
}

/** Orders of one score, from the highest score down. */
interface Step {
  readonly score: number;
  readonly frauds: number;
  readonly legits: number;
}

/** A point of the ROC curve: what is caught if every score from `score` up counts as fraud. */
export interface RocPoint {
  /** Infinity for the start of the curve, where nothing is caught. */
  readonly score: number;
  /** Share of the frauds caught. */
  readonly recall: number;
  /** Share of the legitimate orders caught with them. */
  readonly falsePositives: number;
}

/** How well scores rank frauds above legitimate orders. */
export interface Ranking {
  /** Chance that a fraud scores above a legitimate order; a tie counts half. */
  readonly auc: number;
  /** The likely AUC of very many such orders, in 95 of 100 samples (Hanley and McNeil 1982). */
  readonly interval: readonly [low: number, high: number];
  /** One point per score that occurs, and the start. */
  readonly roc: readonly RocPoint[];
}

const Z_95 = 1.959_964;

/** Rank orders by their score. Null unless there are frauds and legitimate orders. */
export function rank(scored: readonly Scored[]): Ranking | null {
  const steps = toSteps(scored);
  const frauds = steps.reduce((sum, step) => sum + step.frauds, 0);
  const legits = scored.length - frauds;
  if (frauds === 0 || legits === 0) return null;
  const auc = countWins(steps, legits) / (frauds * legits);
  return { auc, interval: toInterval(auc, frauds, legits), roc: toRoc(steps, frauds, legits) };
}

/** The most frauds that a score can catch without exceeding a share of false positives. */
export function toRecallAt({ roc }: Ranking, falsePositives: number): number {
  // The curve only rises.
  return roc.findLast((point) => point.falsePositives <= falsePositives)?.recall ?? 0;
}

function toSteps(scored: readonly Scored[]): readonly Step[] {
  const steps: { score: number; frauds: number; legits: number }[] = [];
  for (const { score, fraud } of scored.toSorted((a, b) => b.score - a.score)) {
    let step = steps.at(-1);
    if (step?.score !== score) {
      step = { score, frauds: 0, legits: 0 };
      steps.push(step);
    }
    if (fraud) step.frauds += 1;
    else step.legits += 1;
  }
  return steps;
}

/** Pairs of a fraud and a legitimate order in which the fraud scores higher; ties count half. Exact below 2^52 pairs. */
function countWins(steps: readonly Step[], legits: number): number {
  let below = legits;
  let wins = 0;
  for (const step of steps) {
    below -= step.legits;
    wins += step.frauds * (below + step.legits / 2);
  }
  return wins;
}

function toInterval(auc: number, frauds: number, legits: number): readonly [number, number] {
  const twoFrauds = auc / (2 - auc);
  const twoLegits = (2 * auc * auc) / (1 + auc);
  const variance =
    (auc * (1 - auc) + (frauds - 1) * (twoFrauds - auc * auc) + (legits - 1) * (twoLegits - auc * auc)) /
    (frauds * legits);
  const margin = Z_95 * Math.sqrt(Math.max(0, variance));
  return [Math.max(0, auc - margin), Math.min(1, auc + margin)];
}

function toRoc(steps: readonly Step[], frauds: number, legits: number): readonly RocPoint[] {
  const roc: RocPoint[] = [{ score: Infinity, recall: 0, falsePositives: 0 }];
  let caught = 0;
  let wrong = 0;
  for (const step of steps) {
    caught += step.frauds;
    wrong += step.legits;
    roc.push({ score: step.score, recall: caught / frauds, falsePositives: wrong / legits });
  }
  return roc;
}
