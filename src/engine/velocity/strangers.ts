import type { VelocityKeys } from "./keys.ts";
import type { Manner } from "./manner.ts";

/** What is remembered of an order, as far as it tells strangers from those who belong to a place. */
type Remembered = Pick<VelocityKeys, "email" | "card" | "address" | "kin" | "manner">;
type Seen = Remembered & { readonly atMs: number };
/** What is known of the order that is compared with them. */
type Own = Remembered & Pick<VelocityKeys, "isPlain">;

/** As what a person counts. */
type Kind = Exclude<Manner, "away">;

/** What people may share. Many strangers live at an address and use a network; a card has one owner. */
export type SharedThing = "network" | "address" | "card";

/** Students move in together: of people without a history who show nothing odd, each three at an address count as one, up to three. */
const NEWCOMERS = { share: 3, most: 3 } as const;

/**
 * Students, guests and soldiers are billed at home, too: of people who are odd only by that and spend little, each five count as
 * one. Chosen by what it does to made-up places and rings (docs/local-engine.md).
 */
const MODEST_SHARE = 5;

/** More people without a history than this in an hour on one network are a run; every three of them count as one. */
const RUN = { from: 6, withinMs: 3_600_000, share: 3 } as const;

/**
 * At most this many relatives and colleagues are left out of the count: a family shares a card with a few. A fraudster can
 * give all invented names one surname, so at most two relatives with odd orders are left out.
 */
const MOST_KIN: Readonly<Record<SharedThing, number>> = { network: 12, address: 12, card: 3 };
const MOST_ODD_KIN = 2;
/** A company's card pays for a small office: so many colleagues at one address. */
const MOST_AT_DESKS = 6;
/** Where people are weighed against each other, a customer with a history weighs as much as three others: thieves have none. */
const KNOWN_WEIGHT = 3;

/**
 * If more than a third of the people at a network who show something odd came within the counted time, it is a surge. Then
 * what others did before explains nothing: a thief may sit in a café, or in a family.
 */
const SURGE_SHARE = 3;

/** What is counted at which thing, and since when, if not in all orders that are known of it. */
interface Question {
  readonly thing: SharedThing;
  readonly what: "email" | "card";
  readonly sinceMs?: number;
}

/**
 * How many different people, or cards, share something with an order for no good reason, the order itself included. Relatives
 * and colleagues have one. At a place where those who show something odd are outnumbered, the rest explain them: it is an
 * office, a dormitory, a carrier's network. Elsewhere, and for newcomers at an address, each person whose order agrees with a
 * history of their own vouches for one stranger. At a network, people without a history explain less, since small amounts are
 * all that a thief needs to be one of them: three weigh as much as one who shows something odd, and they count themselves
 * once many come in an hour. Undefined when there is nothing to count.
 *
 * `sightings`: newest first, the order's own among them. All of them tell what kind of place it is, also those too old to be
 * counted, unless there is a surge.
 *
 * A person with several mailboxes is no relative: the same name always counts.
 */
export function countOutsiders(sightings: readonly Seen[], own: Own, question: Question): number | undefined {
  if (own[question.what] === undefined || sightings.length === 0) return undefined;
  const { thing, sinceMs = -Infinity } = question;
  const buyer = toBuyer(own);
  const counted = sightings.filter(({ atMs }) => atMs > sinceMs);
  const people = findPeople(counted, buyer, question);
  const strangers = WEIGH[thing](people, () => findPeople(sightings, buyer, question));
  return 1 + Math.max(0, strangers);
}

/** The people, or cards, besides the buyer and those who belong to them. */
function findPeople(sightings: readonly Seen[], buyer: Buyer, { thing, what }: Question): People {
  const runSinceMs = (sightings[0]?.atMs ?? 0) - RUN.withinMs;
  const excuse = createExcuses();
  const found: Record<Kind, Set<string>> = {
    known: new Set(),
    ordinary: new Set(),
    modest: new Set(),
    odd: new Set(),
  };
  const lately = new Set<string>();
  for (const sighting of sightings) {
    const value = sighting[what];
    if (value === undefined || value === buyer.own[what]) continue;
    const isNamesake = hasNameOf(buyer, sighting);
    if (!isNamesake && isUnrelated(sighting, buyer, thing)) continue;
    const kind = toKind(sighting, isNamesake, thing);
    if (!isNamesake && excuse(value, kind, toMostKin(sighting, buyer, thing))) continue;
    found[kind].add(value);
    if (kind === "ordinary" && sighting.atMs > runSinceMs) lately.add(value);
  }
  // People who did anything odd are counted as odd, and nobody is counted twice.
  const { known, ordinary, modest, odd } = found;
  const isNew = (value: string): boolean => !odd.has(value) && !known.has(value);
  return {
    known: [...known].filter((value) => !odd.has(value)).length,
    ordinary: [...ordinary].filter(isNew).length,
    lately: [...lately].filter(isNew).length,
    modest: Math.floor([...modest].filter(isNew).length / MODEST_SHARE),
    odd: odd.size,
    // Each newcomer pays with a card of their own: to count those, too, would say the same twice.
    countNewcomers: what === "email" && !isMild(buyer.own),
  };
}

/** Tells of each person whether they are left out of the count, as one of so many relatives at most. */
function createExcuses(): (value: string, kind: Kind, most: number) => boolean {
  const all = new Set<string>();
  const odd = new Set<string>();
  const fits = (value: string, set: ReadonlySet<string>, limit: number): boolean =>
    set.has(value) || set.size < limit;
  return (value, kind, most) => {
    if (most === 0 || !fits(value, all, most) || (kind === "odd" && !fits(value, odd, MOST_ODD_KIN)))
      return false;
    all.add(value);
    if (kind === "odd") odd.add(value);
    return true;
  };
}

/** Different people of each manner, of the modest a fifth; `lately`: the ordinary ones of the last hour. */
type People = Readonly<Record<Kind | "lately", number>> & {
  readonly countNewcomers: boolean;
};

/** How many of the people who are counted are strangers. `findAll`: everybody who was there before, too. */
const WEIGH: Readonly<Record<SharedThing, (counted: People, findAll: () => People) => number>> = {
  card: ({ known, ordinary, odd }) => odd + ordinary - known,
  address: ({ known, ordinary, modest, odd, countNewcomers }) => {
    const most = countNewcomers ? NEWCOMERS.most : 0;
    const newcomers = Math.min(most, Math.floor(ordinary / NEWCOMERS.share));
    return (KNOWN_WEIGHT * known + ordinary > odd ? 0 : odd + modest) + newcomers - known;
  },
  network: (counted, findAll) => {
    const { known, lately } = counted;
    const odd = counted.odd + counted.modest;
    const run = Math.max(0, Math.floor((lately - RUN.from) / RUN.share));
    const isExplained = odd <= known || isSharedNetwork(counted) || isUsedTo(odd, findAll());
    return run + (isExplained ? Math.min(0, odd - known) : odd - known);
  },
};

/** Whether those who show something odd are outnumbered at a network. */
function isSharedNetwork({ known, ordinary, odd }: People): boolean {
  return KNOWN_WEIGHT * known + Math.floor(ordinary / NEWCOMERS.share) > odd;
}

/** Whether a network is used to so many people who show something odd. */
function isUsedTo(odd: number, all: People): boolean {
  return odd * SURGE_SHARE <= all.odd + all.modest && isSharedNetwork(all);
}

/** Whether somebody looked at an order and found nothing odd about it. */
export function isUnsuspicious({ manner }: Pick<Remembered, "manner">): boolean {
  return manner === "known" || manner === "ordinary";
}

/** Whether there is so little odd about an order that newcomers at its address are no reason to suspect it. */
function isMild({ manner }: Own): boolean {
  return manner === "known" || manner === "ordinary" || manner === "modest";
}

/** Whoever an order's strangers are told from. */
interface Buyer {
  readonly own: Own;
  readonly name: string;
  readonly kin: readonly string[];
}

function toBuyer(own: Own): Buyer {
  return { own, name: toNameOf(own.kin), kin: own.kin?.split(" ") ?? [] };
}

function hasNameOf({ name }: Buyer, { kin }: Remembered): boolean {
  return name !== "" && name === toNameOf(kin);
}

/** Whoever is billed elsewhere counts as odd, too: that is how the address of a ring looks. A card has one owner, who spends little or much. */
function toKind({ manner }: Remembered, isNamesake: boolean, thing: SharedThing): Kind {
  if (manner === "known") return "known";
  if (isNamesake || (manner === "modest" && thing === "card")) return "odd";
  return manner === "ordinary" || manner === "modest" ? manner : "odd";
}

/**
 * Whether to ignore an order that is odd only because it's billed elsewhere. That is no reason to suspect a plain order at the
 * same place. It still counts at a card, which has one owner.
 */
function isUnrelated({ manner }: Remembered, { own }: Buyer, thing: SharedThing): boolean {
  return own.isPlain === true && (manner === "away" || manner === "modest") && thing !== "card";
}

/** How many people like this one may be left out: relatives, colleagues, and who gets parcels at one address and pays with one card. */
function toMostKin(sighting: Remembered, { own, kin }: Buyer, thing: SharedThing): number {
  if (sighting.kin === undefined || own.kin === undefined) return 0;
  const theirs = sighting.kin.split(" ");
  const shared = kin.filter((part) => theirs.includes(part));
  // In one household, three generations have three surnames.
  const isAtHome =
    isSame(own.address, sighting.address) && (thing === "card" || isSame(own.card, sighting.card));
  if (thing === "card" && isAtHome && shared.some((part) => part.startsWith("+"))) return MOST_AT_DESKS;
  if (shared.length > 0) return MOST_KIN[thing];
  return isAtHome ? MOST_KIN.card : 0;
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}

/** The name among the digests of what relatives and colleagues share; empty where it isn't known. */
export function toNameOf(kin = ""): string {
  const house = kin.indexOf("+");
  return house === -1 ? kin : kin.slice(0, house).trimEnd();
}
