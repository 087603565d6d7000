import type { VelocityKeys } from "./keys.ts";
import type { Manner } from "./manner.ts";

/** What is remembered of an order, as far as it tells strangers from those who belong to a place. */
type Remembered = Pick<VelocityKeys, "email" | "card" | "kin" | "manner">;

/** What people may share. Many strangers live at an address and use a network; a card has one owner. */
export type SharedThing = "network" | "address" | "card";

/** Students move in together: of people without a history who show nothing odd, each three at an address count as one, up to three. */
const NEWCOMERS = { share: 3, most: 3 } as const;

/** Relatives and colleagues are left out of the count up to so many. */
const MOST_KIN = 12;

/**
 * How many different people, or cards, share something with an order for no good reason, the order itself included. Relatives and
 * colleagues have one. At a place where those who show something odd are outnumbered, the rest explain them: it is an office, a
 * dormitory, a carrier's network. Elsewhere each person whose order agrees with a history of their own vouches for one stranger.
 * Undefined when there is nothing to count.
 *
 * A person with several mailboxes is no relative: the same name always counts.
 */
export function countOutsiders(
  sightings: readonly Remembered[],
  own: Remembered,
  thing: SharedThing,
  what: "email" | "card",
): number | undefined {
  const self = own[what];
  if (self === undefined || sightings.length === 0) return undefined;
  const kin = new Set<string>();
  const found = { known: new Set<string>(), ordinary: new Set<string>(), odd: new Set<string>() };
  for (const sighting of sightings) {
    const value = sighting[what];
    if (value === undefined || value === self) continue;
    if (isKin(sighting, own) && (kin.has(value) || kin.size < MOST_KIN)) kin.add(value);
    else found[toKind(sighting, own)].add(value);
  }
  // Whoever did anything odd is counted as that, and nobody twice.
  const known = [...found.known].filter((value) => !found.odd.has(value)).length;
  const ordinary = [...found.ordinary].filter(
    (value) => !found.odd.has(value) && !found.known.has(value),
  ).length;
  return 1 + Math.max(0, weigh({ known, ordinary, odd: found.odd.size }, thing));
}

function weigh(people: Readonly<Record<Manner, number>>, thing: SharedThing): number {
  const { known, ordinary, odd } = people;
  if (thing === "card") return odd + ordinary - known;
  const newcomers =
    thing === "network" ? 0 : Math.min(NEWCOMERS.most, Math.floor(ordinary / NEWCOMERS.share));
  return known + ordinary > odd ? newcomers : odd - known + newcomers;
}

function toKind(sighting: Remembered, own: Remembered): Manner {
  const { manner } = sighting;
  if (manner === undefined || (hasSameName(sighting, own) && manner !== "known")) return "odd";
  return manner;
}

function isKin(sighting: Remembered, own: Remembered): boolean {
  if (sighting.kin === undefined || own.kin === undefined || hasSameName(sighting, own)) return false;
  const theirs = new Set(sighting.kin.split(" "));
  return own.kin.split(" ").some((part) => theirs.has(part));
}

function hasSameName(sighting: Remembered, own: Remembered): boolean {
  const name = toName(own);
  return name !== "" && name === toName(sighting);
}

function toName({ kin = "" }: Remembered): string {
  return kin.replace(/ ?\+.*/, "");
}
