import { findContent, type VelocityKeys } from "./keys.ts";
import type { Manner } from "./manner.ts";
import { toIpFacts } from "../ip-facts.ts";
import type { VelocityCounts } from "./velocity-store.ts";

/** Keys by which other orders are found. */
export const LINKS = ["mailbox", "network", "card", "address"] as const;
/** A key by which other orders are found. */
export type Link = (typeof LINKS)[number];

/** What is remembered of an order, beside the keys it is found by. */
type SightingKeys = Pick<VelocityKeys, "email" | "card" | "billingPostcode" | "address" | "kin" | "manner">;

/** An order as it is remembered. */
export type Sighting = SightingKeys & {
  readonly orderKey: string;
  /** When it was placed, milliseconds since the epoch. */
  readonly atMs: number;
};

/**
 * The orders that share each key with an order, itself included: none placed after it, newest first, at most
 * {@link MOST_PER_KEY}. Empty for a key it lacks.
 */
export type LinkedSightings = Readonly<Record<Link, readonly Sighting[]>>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The longest time that is looked back, in milliseconds. */
export const LONGEST_WINDOW_MS = 7 * DAY_MS;
/** An order may come in this much later than ones that were placed after it, and still be compared with all of its time. */
const LATENESS_MS = DAY_MS;
/** An order is forgotten once one is placed this much later, in milliseconds. */
export const SIGHTING_KEPT_MS = LONGEST_WINDOW_MS + LATENESS_MS;
/** Orders of one key that are looked at: far more than any signal needs, few enough to be read for every order. */
export const MOST_PER_KEY = 100;
/** This many orders of one key in this time are a flood. */
const FLOOD_MS = HOUR_MS;

/** Count what an order shares with those before it. `own`: what is remembered of the order itself. */
export function toVelocityCounts(linked: LinkedSightings, own: SightingKeys, atMs: number): VelocityCounts {
  const { mailbox, network, card, address } = linked;
  const [hourMs, dayMs, weekMs] = [atMs - HOUR_MS, atMs - DAY_MS, atMs - LONGEST_WINDOW_MS];
  return {
    emailOrders1h: countOrders(mailbox, hourMs),
    ipEmails24h: countDistinct(network, toEmail, dayMs),
    cardEmails7d: countDistinct(card, toEmail, weekMs),
    addressEmails7d: countDistinct(address, toEmail, weekMs),
    emailCards24h: countDistinct(mailbox, toCard, dayMs),
    emailBillingPostcodes7d: countDistinct(mailbox, toBillingPostcode, weekMs),
    cardBillingPostcodes7d: countDistinct(card, toBillingPostcode, weekMs),
    ipStrangers24h: countOutsiders(since(network, dayMs), own, "network", "email"),
    cardStrangers7d: countOutsiders(since(card, weekMs), own, "card", "email"),
    addressStrangers7d: countOutsiders(since(address, weekMs), own, "address", "email"),
    addressCards7d: countCards(since(address, weekMs), own),
    emailAddresses7d: countDistinct(mailbox, toAddress, weekMs),
    cardAddresses7d: countDistinct(card, toAddress, weekMs),
    emailNames7d: countDistinct(mailbox, toName, weekMs),
  };
}

/** Keys with so many orders that the older ones of the flood needn't be kept. */
export function findFlooded(linked: LinkedSightings, atMs: number): readonly Link[] {
  return LINKS.filter((link) => {
    const oldest = linked[link][MOST_PER_KEY - 1];
    return oldest !== undefined && oldest.atMs > atMs - FLOOD_MS;
  });
}

const toEmail = ({ email }: Sighting) => email;
const toCard = ({ card }: Sighting) => card;
const toAddress = ({ address }: Sighting) => address;
const toName = ({ kin }: Sighting) => kin?.replace(/ ?\+.*/, "") || undefined;
const toBillingPostcode = ({ billingPostcode }: Sighting) => billingPostcode;

function since(newestFirst: readonly Sighting[], afterMs: number): readonly Sighting[] {
  return newestFirst.filter(({ atMs }) => atMs > afterMs);
}

/**
 * Orders with an id, and those without one: nobody can tell different contents from one basket that is changed and tried
 * again, so that only repeats of the same content count, of the content that is repeated most.
 */
function countOrders(newestFirst: readonly Sighting[], afterMs: number): number | undefined {
  const keys = new Set<string>();
  const repeats = new Map<string, number>();
  for (const { orderKey, atMs } of newestFirst) {
    if (atMs <= afterMs) break;
    const content = findContent(orderKey);
    if (content === undefined) keys.add(orderKey);
    else repeats.set(content, (repeats.get(content) ?? 0) + 1);
  }
  const count = keys.size + Math.max(0, ...repeats.values());
  return count === 0 ? undefined : count;
}

/**
 * Cards of strangers at an address. Not known beside an order whose manner nobody looked at, as rows from before schema 14
 * leave it: unlike people, cards have no full count to go by, and a household's would be taken for strangers'.
 */
function countCards(newestFirst: readonly Sighting[], own: SightingKeys): number | undefined {
  const isKnown = newestFirst.every(({ card, manner }) => card === undefined || manner !== undefined);
  return isKnown ? countOutsiders(newestFirst, own, "address", "card") : undefined;
}

/** Nothing to count means that there was nothing to look at: the order itself would count. */
function countDistinct(
  newestFirst: readonly Sighting[],
  what: (sighting: Sighting) => string | undefined,
  afterMs: number,
): number | undefined {
  const found = new Set<string>();
  for (const sighting of newestFirst) {
    if (sighting.atMs <= afterMs) break;
    const value = what(sighting);
    if (value !== undefined) found.add(value);
  }
  return found.size === 0 ? undefined : found.size;
}

/** This many customers of one shop don't share one address of a hosting company by chance. A few may. */
const HOSTED_EMAILS = 6;

/** The counts without what a few strangers behind one server of a hoster come to. */
export function withoutStrangers(counts: VelocityCounts, ip: string | undefined): VelocityCounts {
  const { ipEmails24h } = counts;
  if (ip === undefined || ipEmails24h === undefined || ipEmails24h >= HOSTED_EMAILS) return counts;
  const isHosted = toIpFacts(ip)?.network === "hosting";
  return isHosted ? { ...counts, ipEmails24h: undefined, ipStrangers24h: undefined } : counts;
}

/** What is remembered of an order, as far as it tells strangers from those who belong to a place. */
type Remembered = Pick<VelocityKeys, "email" | "card" | "kin" | "manner">;
type Seen = Remembered & { readonly atMs: number };

/** What people may share. Many strangers live at an address and use a network; a card has one owner. */
type SharedThing = "network" | "address" | "card";

/** Students move in together: of people without a history who show nothing odd, each three at an address count as one, up to three. */
const NEWCOMERS = { share: 3, most: 3 } as const;

/** More people without a history than this in an hour on one network are a run; every three of them count as one. */
const RUN = { from: 6, withinMs: 3_600_000, share: 3 } as const;

/**
 * At most this many relatives and colleagues are left out of the count: a family shares a card with a few. A fraudster can
 * give all invented names one surname, so at most two relatives with odd orders are left out.
 */
const MOST_KIN: Readonly<Record<SharedThing, number>> = { network: 12, address: 12, card: 3 };
const MOST_ODD_KIN = 2;

/**
 * How many different people, or cards, share something with an order for no good reason, the order itself included. Relatives and
 * colleagues have one. At a place where those who show something odd are outnumbered, the rest explain them: it is an office, a
 * dormitory, a carrier's network. Elsewhere, and for newcomers at an address, each person whose order agrees with a history of their own
 * vouches for one stranger.
 * At a network, people without a history explain less, since small amounts are all that a thief needs to be one of them: three
 * weigh as much as one who has a history, and they count themselves once many come in an hour. Undefined when there is nothing to
 * count.
 *
 * `sightings`: newest first, the order's own among them.
 *
 * A person with several mailboxes is no relative: the same name always counts.
 */
function countOutsiders(
  sightings: readonly Seen[],
  own: Remembered,
  thing: SharedThing,
  what: "email" | "card",
): number | undefined {
  const self = own[what];
  const [newest] = sightings;
  if (self === undefined || newest === undefined) return undefined;
  const excuse = createExcuses(MOST_KIN[thing]);
  const found = { known: new Set<string>(), ordinary: new Set<string>(), odd: new Set<string>() };
  const lately = new Set<string>();
  for (const sighting of sightings) {
    const value = sighting[what];
    if (value === undefined || value === self) continue;
    const kind = toKind(sighting, own);
    if (isKin(sighting, own) && excuse(value, kind)) continue;
    found[kind].add(value);
    if (kind === "ordinary" && sighting.atMs > newest.atMs - RUN.withinMs) lately.add(value);
  }
  // People who did anything odd are counted as odd, and nobody is counted twice.
  const { known, ordinary, odd } = found;
  const isNew = (value: string): boolean => !odd.has(value) && !known.has(value);
  const people = {
    known: [...known].filter((value) => !odd.has(value)).length,
    ordinary: [...ordinary].filter(isNew).length,
    lately: [...lately].filter(isNew).length,
    odd: odd.size,
  };
  return 1 + Math.max(0, WEIGH[thing](people));
}

/** Tells of each relative whether they are left out of the count. */
function createExcuses(most: number): (value: string, kind: Manner) => boolean {
  const all = new Set<string>();
  const odd = new Set<string>();
  const fits = (value: string, set: ReadonlySet<string>, limit: number): boolean =>
    set.has(value) || set.size < limit;
  return (value, kind) => {
    if (!fits(value, all, most) || (kind === "odd" && !fits(value, odd, MOST_ODD_KIN))) return false;
    all.add(value);
    if (kind === "odd") odd.add(value);
    return true;
  };
}

/** Different people of each manner; `lately`: the ordinary ones of the last hour. */
type People = Readonly<Record<Manner | "lately", number>>;

const WEIGH: Readonly<Record<SharedThing, (people: People) => number>> = {
  card: ({ known, ordinary, odd }) => odd + ordinary - known,
  address: ({ known, ordinary, odd }) => {
    const newcomers = Math.min(NEWCOMERS.most, Math.floor(ordinary / NEWCOMERS.share));
    return (known + ordinary > odd ? 0 : odd) + newcomers - known;
  },
  network: ({ known, ordinary, lately, odd }) => {
    const run = Math.max(0, Math.floor((lately - RUN.from) / RUN.share));
    const strange = odd - known;
    return run + (Math.floor(ordinary / NEWCOMERS.share) > strange ? Math.min(0, strange) : strange);
  },
};

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
  const name = toKinName(own);
  return name !== "" && name === toKinName(sighting);
}

function toKinName({ kin = "" }: Remembered): string {
  return kin.replace(/ ?\+.*/, "");
}
