import type { OrderFacts } from "../facts/order-facts.ts";
import type { VelocityCounts } from "../facts/velocity-counts.ts";

export function toCount(
  { velocity }: OrderFacts,
  name: Exclude<keyof VelocityCounts, "shop">,
): number | undefined {
  return velocity?.[name];
}

/** Counts of people, each with the count without those that a shared place explains. */
const STRANGERS = {
  ipEmails24h: "ipStrangers24h",
  cardEmails7d: "cardStrangers7d",
  addressEmails7d: "addressStrangers7d",
} as const;

/** The number of strangers that share something with an order, without people who belong together. */
export function toStrangers(facts: OrderFacts, name: keyof typeof STRANGERS): number | undefined {
  const all = toCount(facts, name);
  if (all === undefined) return undefined;
  return Math.min(all, toCount(facts, STRANGERS[name]) ?? all);
}

/** One in so many people at a dormitory looks like a stranger. Chosen by its effect on made-up places (docs/local-engine.md). */
const RESIDENTS_PER_STRANGER = 8;

/** The number of strangers at the address an order ships to; zero if any place with so many people has as many. */
export function toStrangersAtAddress(facts: OrderFacts): number {
  const strangers = toStrangers(facts, "addressEmails7d") ?? 0;
  const all = toCount(facts, "addressEmails7d") ?? 0;
  return strangers * RESIDENTS_PER_STRANGER > all ? strangers : 0;
}

/** An address with fewer people doesn't show who they are. */
const FEWEST_RESIDENTS = 4;
/** A ring could place a few cheap orders of its own first. */
const MANY_RESIDENTS = 8;
/** If more than this share are strangers, the others may be a ring's small orders. */
const MOST_STRANGERS = 0.75;

/** Whether other people live or stay where an order ships to: enough of those who order to the address aren't strangers. */
export function shipsAmongResidents(facts: OrderFacts): boolean {
  const all = toCount(facts, "addressEmails7d") ?? 0;
  const strangers = toStrangers(facts, "addressEmails7d") ?? all;
  return all >= FEWEST_RESIDENTS && strangers <= MOST_STRANGERS * all;
}

/** The same for many people: what so many have in common is usual at the place. */
export function shipsAmongManyResidents(facts: OrderFacts): boolean {
  return shipsAmongResidents(facts) && (toCount(facts, "addressEmails7d") ?? 0) >= MANY_RESIDENTS;
}
