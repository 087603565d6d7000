import { isSerious, type ScorableSignal } from "../combine-signals.ts";
import type { OrderFacts } from "../facts/order-facts.ts";
import type { VelocityCounts } from "../facts/velocity-counts.ts";
import { ALL_GROUPS } from "../signals/all-signals.ts";
import { toLocalHour } from "../signals/time.ts";

/** Counts of earlier orders that a model can use, without people that a shared place explains. */
const COUNTS = {
  emailOrders1h: {
    title: "Orders of the mailbox within an hour",
    read: (counts) => counts.emailOrders1h,
  },
  emailCards24h: { title: "Cards of the mailbox in a day", read: (counts) => counts.emailCards24h },
  emailAddresses7d: {
    title: "Addresses of the mailbox in a week",
    read: (counts) => counts.emailAddresses7d,
  },
  emailNames7d: {
    title: "Customer names of the mailbox in a week",
    read: (counts) => counts.emailNames7d,
  },
  ipEmails24h: {
    title: "Strangers on the network in a day",
    read: (counts) => counts.ipStrangers24h ?? counts.ipEmails24h,
  },
  cardEmails7d: {
    title: "Strangers with the card in a week",
    read: (counts) => counts.cardStrangers7d ?? counts.cardEmails7d,
  },
  cardAddresses7d: { title: "Addresses of the card in a week", read: (counts) => counts.cardAddresses7d },
  addressEmails7d: {
    title: "Strangers at the address in a week",
    read: (counts) => counts.addressStrangers7d ?? counts.addressEmails7d,
  },
} as const satisfies Readonly<
  Record<string, { readonly title: string; readonly read: (counts: VelocityCounts) => number | undefined }>
>;

/** A model's feature of the time of day covers this many hours. */
const HOURS = 3;
/** Where the model's steps of the amount begin, in percent of the shop's orders that are smaller. */
const PERCENTILES = [0, 10, 25, 50, 75, 90, 97] as const;
/** Sixteen and more count alike. */
const MOST_DOUBLINGS = 4;

/** Numbers about an order that a shop's model can use beside its signals. Unknown ones are absent. They name nobody. */
export type Measures = Readonly<Partial<Record<keyof typeof COUNTS | "hour" | "percentile", number>>>;

/** What a model can use about an order. */
export interface SeenByModel {
  readonly seen: readonly ScorableSignal[];
  readonly measures: Measures;
}

/** A feature's name, such as `NIGHT:6` for a signal with 6 points, and its value. */
export type Feature = readonly [name: string, value: number];

export function measure(facts: OrderFacts): Measures {
  const { velocity } = facts;
  const hour = toLocalHour(facts);
  const percentile = velocity?.shop?.percentile;
  const measures: Partial<Record<keyof Measures, number>> = {};
  if (hour !== undefined) measures.hour = Math.floor(hour);
  if (percentile !== undefined) measures.percentile = Math.floor(percentile);
  for (const [name, { read }] of Object.entries(COUNTS)) {
    const count = velocity === undefined ? undefined : read(velocity);
    // The order itself counts as one, so one says nothing.
    if (count !== undefined && count > 1) measures[name as keyof typeof COUNTS] = count;
  }
  return measures;
}

export function isCount(name: string): boolean {
  return Object.hasOwn(COUNTS, name);
}

/**
 * An order's features. Credits for typed data aren't among them beside a serious signal: a thief can type stolen data correctly. A tier is named with its points, so a correction no longer applies when a release changes them.
 */
export function listFeatures({ seen, measures }: SeenByModel): readonly Feature[] {
  const isTyped = ({ points, isClaim }: ScorableSignal): boolean => points < 0 && isClaim === true;
  const counting = seen.some(isSerious) ? seen.filter((signal) => !isTyped(signal)) : seen;
  const features: Feature[] = counting.map(({ code, points }) => [`${code}:${points}`, 1]);
  const { hour, percentile } = measures;
  if (hour !== undefined) features.push([`hour:${HOURS * Math.floor(hour / HOURS)}`, 1]);
  if (percentile !== undefined) features.push([`percentile:${toStep(percentile)}`, 1]);
  for (const name of Object.keys(COUNTS) as (keyof typeof COUNTS)[]) {
    const count = measures[name];
    if (count !== undefined) features.push([name, Math.min(MOST_DOUBLINGS, Math.log2(count))]);
  }
  return features;
}

function toStep(percentile: number): number {
  return PERCENTILES.findLast((from) => percentile >= from) ?? 0;
}

const TITLES: ReadonlyMap<string, string> = new Map([
  ...ALL_GROUPS.flatMap(({ signals }) => signals.map(({ code, title }) => [code, title] as const)),
  ...Object.entries(COUNTS).map(([name, { title }]) => [name, title] as const),
]);

/** What the model calls a feature, in words for a reviewer. */
export function nameFeature(name: string): string {
  const [code = "", step = ""] = name.split(":");
  if (code === "hour") return `Ordered between ${step}:00 and ${Number(step) + HOURS}:00 local time`;
  if (code === "percentile") {
    const from = Number(step);
    const to = PERCENTILES.find((next) => next > from) ?? 100;
    return `Larger than ${from} to ${to} % of the shop's orders`;
  }
  // A signal of an earlier release may no longer exist.
  return TITLES.get(code) ?? code;
}

/** The points of the signal that a feature stands for; null if it isn't a signal's. */
export function toPointsOf(name: string): number | null {
  const [code = "", points] = name.split(":");
  return points === undefined || code === "hour" || code === "percentile" ? null : Number(points);
}
