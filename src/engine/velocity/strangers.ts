import type { OwnKeys, SightingKeys } from "./keys.ts";
import type { Manner } from "./manner.ts";

type Seen = SightingKeys & { readonly atMs: number };

/** How a person counts. */
type Kind = Exclude<Manner, "away">;

/** What people may share. Many strangers can live at an address or use a network, but a card has one owner. */
export type SharedThing = "network" | "address" | "card";

/**
 * At an address, people without a history and without anything suspicious, such as students who move in together: every three
 * count as one stranger, at most three strangers in all. They count only against a suspicious order. If it is suspicious only
 * for where it's billed, those who spend little don't count. If it is suspicious for something else, they count only if it is
 * expensive.
 */
const NEWCOMERS = { share: 3, most: 3 } as const;

/**
 * Students, guests and soldiers are often billed at home. If only that is suspicious, and they spend little or pay with a
 * relative's card, every three count as one stranger. Chosen by its effect on made-up places and rings
 * (docs/local-engine.md).
 */
const MODEST_SHARE = 3;
/**
 * Each person who lives at a place, pays with a relative's card, or is known and billed elsewhere explains this many others who
 * are billed elsewhere and spend little.
 */
const VOUCHED_FOR = 5;

/** From the seventh person without a history in an hour on one network, every three count as one stranger. */
const RUN = { from: 6, withinMs: 3_600_000, share: 3 } as const;

/**
 * At most this many relatives and colleagues aren't counted, because a family shares a card among few people. A fraudster can
 * give all invented names the same surname, so at most two relatives with suspicious orders aren't counted.
 */
const MOST_KIN: Readonly<Record<SharedThing, number>> = { network: 12, address: 12, card: 3 };
const MOST_ODD_KIN = 2;
/** A company's card pays for a small office: this many colleagues at one address. */
const MOST_AT_DESKS = 6;
/** Where people are weighed against each other, a customer with a history counts as three: thieves have no history. */
const KNOWN_WEIGHT = 3;

/**
 * At an address, people without a history who share nothing else with the buyer, and who spend as much as thieves do at a drop.
 * They may live there, or a ring may have billed every other order to its drop. So two of them explain one odd order. Relatives,
 * colleagues, customers with a history and people who spend little explain one each, or more.
 */
const UNPROVEN_WEIGHT = 0.5;

/**
 * If more than a third of a network's suspicious people ordered within the counted time, it is a surge. Then earlier orders
 * of others explain nothing, because a thief may sit in a café or live in a family.
 */
const SURGE_SHARE = 3;

/** What to count for which key, and since when. Default: in all its known orders. */
interface Question {
  readonly thing: SharedThing;
  readonly what: "email" | "card";
  readonly sinceMs?: number;
}

/**
 * How many different people, or cards, share something with an order without a good reason, including the order itself.
 * Undefined if there is nothing to count.
 *
 * - Relatives and colleagues have a reason.
 * - Where suspicious people are outnumbered, the place explains them: it is an office, a dormitory or a carrier's network.
 * - Elsewhere, and for newcomers at an address, each person whose order fits their own history vouches for one stranger.
 * - At a network, it takes three people without a history to outweigh one suspicious person, because a thief can look like one
 *   with small amounts. If many order within an hour, they count themselves.
 *
 * `sightings`: newest first, including the order's own. Those too old to count still show what kind of place it is, unless
 * there is a surge.
 *
 * A person with several mailboxes isn't a relative, so the same name always counts.
 */
export function countOutsiders(
  sightings: readonly Seen[],
  own: OwnKeys,
  question: Question,
): number | undefined {
  if (own[question.what] === undefined || sightings.length === 0) return undefined;
  const { thing, sinceMs = -Infinity } = question;
  const buyer = toBuyer(own);
  const counted = sightings.filter(({ atMs }) => atMs > sinceMs);
  const people = findPeople(counted, buyer, question);
  const findAll = () =>
    counted.length === sightings.length ? people : findPeople(sightings, buyer, question);
  const strangers = WEIGH[thing](people, findAll);
  return 1 + Math.max(0, strangers);
}

/** What was seen of a person, or a card. */
type Person = { [mark in Kind | "stranger" | "neighbor" | "lately"]?: boolean };

/**
 * The people, or cards, without the buyer. The buyer's relatives and colleagues aren't strangers. They only show what kind of
 * place it is.
 */
function findPeople(sightings: readonly Seen[], buyer: Buyer, { thing, what }: Question): People {
  const isLate = ({ atMs }: Seen, kind: Kind): boolean =>
    isNewcomer(kind) && atMs > (sightings[0]?.atMs ?? 0) - RUN.withinMs;
  const excuse = createExcuses();
  const isStranger = (sighting: Seen, value: string, kind: Kind): boolean =>
    hasNameOf(buyer, sighting) ||
    !(isUnrelated(sighting, buyer, thing) || excuse(value, kind, toMostKin(sighting, buyer, thing)));
  const people = new Map<string, Person>();
  for (const sighting of sightings) {
    const value = sighting[what];
    if (value === undefined || value === buyer.own[what]) continue;
    const kind = toKind(sighting, hasNameOf(buyer, sighting), thing);
    const stranger = isStranger(sighting, value, kind);
    if (!stranger && (thing === "card" || kind === "odd")) continue;
    const person = people.get(value) ?? {};
    person[kind] = true;
    person.stranger ||= stranger;
    person.neighbor ||= isNeighbor(sighting, buyer, thing);
    person.lately ||= isLate(sighting, kind);
    people.set(value, person);
  }
  return countPeople([...people.values()], buyer, what);
}

/** People with any suspicious order count as odd, and nobody is counted twice. */
function countPeople(people: readonly Person[], { own }: Buyer, what: Question["what"]): People {
  const others = people.filter(({ odd }) => odd === undefined);
  const known = others.filter(isKnownPerson);
  const unknown = others.filter((person) => !isKnownPerson(person));
  const strangers = unknown.filter(({ stranger }) => stranger);
  const count = (list: readonly Person[], ...marks: readonly (keyof Person)[]): number =>
    list.filter((person) => marks.some((mark) => person[mark])).length;
  const areSuspicious = own.manner === "away" || (own.manner === "odd" && own.isDear === true);
  const small = own.manner === "away" ? [] : (["smallResident", "smallOrdinary"] as const);
  const neighbors = count(unknown, "neighbor");
  return {
    known: known.length,
    knownStrangers: count(known, "stranger"),
    neighbors,
    unproven: count(strangers, "resident", "ordinary"),
    ordinary: count(unknown, "resident", "smallResident", "ordinary", "smallOrdinary"),
    // Each newcomer pays with their own card, so counting the cards too would count the same evidence twice.
    newcomers: what === "email" && areSuspicious ? count(strangers, "resident", "ordinary", ...small) : 0,
    lately: count(strangers, "lately"),
    // Where others are billed is no reason to suspect a plain order.
    modest: own.isPlain === true ? 0 : Math.floor(count(strangers, "modest", "related") / MODEST_SHARE),
    // Otherwise a ring that only pays with cards of invented relatives would vouch for itself.
    vouchedFor: Math.min(
      count(unknown, "modest", "related"),
      VOUCHED_FOR * (neighbors + count(others, "knownAway")) +
        Math.min(count(unknown, "modest"), VOUCHED_FOR * count(unknown, "related")),
    ),
    odd: people.length - others.length,
  };
}

function isKnownPerson({ known, knownAway }: Person): boolean {
  return known === true || knownAway === true;
}

/** Says whether a person isn't counted because they are one of the allowed number of relatives. */
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

/**
 * The number of different people by manner. `known`, `ordinary`: all of them; `knownStrangers`: without relatives;
 * `neighbors`: residents of the address, or of the area that the order ships to; `newcomers`: those without a history who may
 * count against the order; `unproven`: those of `ordinary` who share only the place and spend 100 USD or more; `lately`: those
 * of the last hour; `modest`: a third of those who spend little or pay with a relative's card; `vouchedFor`: those who spend
 * little where others vouch for them.
 */
type People = Readonly<
  Record<
    | "known"
    | "knownStrangers"
    | "neighbors"
    | "ordinary"
    | "unproven"
    | "newcomers"
    | "lately"
    | "modest"
    | "vouchedFor"
    | "odd",
    number
  >
>;

/** How many of the counted people are strangers. `findAll`: includes everybody who was there before. */
const WEIGH: Readonly<Record<SharedThing, (counted: People, findAll: () => People) => number>> = {
  card: ({ known, ordinary, odd }) => odd + ordinary - known,
  address: ({ known, knownStrangers, ordinary, unproven, newcomers, modest, vouchedFor, odd }) => {
    const explained = KNOWN_WEIGHT * known + ordinary - unproven * (1 - UNPROVEN_WEIGHT) + vouchedFor;
    const isExplained = explained > odd;
    const some = Math.min(NEWCOMERS.most, Math.floor(newcomers / NEWCOMERS.share));
    return (isExplained ? 0 : odd + modest) + some - knownStrangers;
  },
  network: (counted, findAll) => {
    const { knownStrangers: known, lately } = counted;
    const odd = counted.odd + counted.modest;
    const run = Math.max(0, Math.floor((lately - RUN.from) / RUN.share));
    const isExplained = odd <= known || isSharedNetwork(counted) || isUsedTo(odd, findAll());
    return run + (isExplained ? Math.min(0, odd - known) : odd - known);
  },
};

/** Whether suspicious people are outnumbered at a network. */
function isSharedNetwork({ known, neighbors, ordinary, vouchedFor, odd }: People): boolean {
  return KNOWN_WEIGHT * (known + neighbors) + Math.floor(ordinary / NEWCOMERS.share) + vouchedFor > odd;
}

/** Whether this many suspicious people are usual at a network. */
function isUsedTo(odd: number, all: People): boolean {
  return odd * SURGE_SHARE <= all.odd + all.modest && isSharedNetwork(all);
}

/** Whether an order was examined and isn't suspicious. */
export function isUnsuspicious({ manner }: Pick<SightingKeys, "manner">): boolean {
  return manner === "known" || manner === "knownAway" || isNewcomer(manner);
}

interface Buyer {
  readonly own: OwnKeys;
  readonly name: string;
  /** With spaces around each part. */
  readonly kin: readonly string[];
}

function toBuyer(own: OwnKeys): Buyer {
  return { own, name: toNameOf(own.kin), kin: own.kin?.split(" ").map((part) => ` ${part} `) ?? [] };
}

function hasNameOf({ name }: Buyer, { kin }: SightingKeys): boolean {
  return name !== "" && name === toNameOf(kin);
}

/** Whether an order is suspicious only for where it's billed, and little speaks for a theft. */
function isModest({ manner }: SightingKeys): boolean {
  return manner === "modest" || manner === "related";
}

/**
 * People who are billed elsewhere also count as odd, because that is typical of a fraud ring's address: in part if they spend
 * little or pay with a relative's card, but fully at a card, which has one owner.
 */
function toKind(sighting: SightingKeys, isNamesake: boolean, thing: SharedThing): Kind {
  const { manner = "odd" } = sighting;
  if (manner === "known" || manner === "knownAway") return manner;
  if (isNamesake || manner === "away" || (isModest(sighting) && thing === "card")) return "odd";
  return manner;
}

/** Whether somebody has no history, and nothing is suspicious. */
function isNewcomer(manner: Manner | undefined): boolean {
  return manner === "ordinary" || manner === "smallOrdinary" || isResident(manner);
}

/** Whether an ordinary order is billed to the address that it ships to. */
function isResident(manner: Manner | undefined): boolean {
  return manner === "resident" || manner === "smallResident";
}

/** Whether somebody lives at the order's address or, at a network, in the area that the order ships to. */
function isNeighbor({ manner, billingPostcode }: SightingKeys, { own }: Buyer, thing: SharedThing): boolean {
  if (!isResident(manner)) return false;
  return thing === "address" || isSame(own.shippingPostcode, billingPostcode);
}

/**
 * Whether to ignore an order that is odd only because it's billed elsewhere, which is no reason to suspect another order at
 * the same place whose own billing address is explained. It still counts for a card, which has one owner.
 */
function isUnrelated({ manner }: SightingKeys, { own }: Buyer, thing: SharedThing): boolean {
  return manner === "away" && thing !== "card" && explainsBilling(own);
}

/** Whether an order is billed to where it goes, to a relative, or to a customer with a history. */
function explainsBilling({ isPlain, manner }: OwnKeys): boolean {
  return isPlain === true || manner === "related" || manner === "knownAway";
}

/** How many people like this one needn't be counted: relatives, colleagues, and people with the same address and card. */
function toMostKin(sighting: SightingKeys, { own, kin }: Buyer, thing: SharedThing): number {
  if (sighting.kin === undefined || own.kin === undefined) return 0;
  const theirs = ` ${sighting.kin} `;
  const shared = kin.filter((part) => theirs.includes(part));
  // A household of three generations can have three surnames.
  const isAtHome =
    isSame(own.address, sighting.address) && (thing === "card" || isSame(own.card, sighting.card));
  if (thing === "card" && isAtHome && shared.some((part) => part.startsWith(" +"))) return MOST_AT_DESKS;
  if (shared.length > 0) return MOST_KIN[thing];
  return isAtHome ? MOST_KIN.card : 0;
}

function isSame(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other;
}

/** The name within the digests that relatives and colleagues share; empty if unknown. */
export function toNameOf(kin = ""): string {
  const house = kin.indexOf("+");
  return house === -1 ? kin : kin.slice(0, Math.max(0, house - 1));
}
