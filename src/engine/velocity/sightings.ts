import { toIpFacts } from "../ip-facts.ts";
import { findContent, type VelocityKeys } from "./keys.ts";
import { countOutsiders, isUnsuspicious, toNameOf } from "./strangers.ts";
import type { VelocityCounts } from "./velocity-counts.ts";

/** Keys by which other orders are found. */
export const LINKS = ["mailbox", "network", "card", "address"] as const;
/** A key by which other orders are found. */
export type Link = (typeof LINKS)[number];

/** What is remembered of an order, beside the keys it is found by. */
export type SightingKeys = Pick<
  VelocityKeys,
  "email" | "card" | "billingPostcode" | "address" | "kin" | "manner"
>;

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

/** What is known of the order that is compared with those before it. */
type OwnKeys = SightingKeys & Pick<VelocityKeys, "isPlain">;

/** Count what an order shares with those before it. `own`: what is known of the order itself. */
export function toVelocityCounts(linked: LinkedSightings, own: OwnKeys, atMs: number): VelocityCounts {
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
    billingPlaces7d: countBillingPlaces(since(mailbox, weekMs), since(card, weekMs)),
    ipStrangers24h: countOutsiders(since(network, weekMs), own, {
      thing: "network",
      what: "email",
      sinceMs: dayMs,
    }),
    cardStrangers7d: countOutsiders(since(card, weekMs), own, { thing: "card", what: "email" }),
    addressStrangers7d: countOutsiders(since(address, weekMs), own, { thing: "address", what: "email" }),
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
const toName = ({ kin }: Sighting) => toNameOf(kin) || undefined;
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
function countCards(newestFirst: readonly Sighting[], own: OwnKeys): number | undefined {
  const isKnown = newestFirst.every(({ card, manner }) => card === undefined || manner !== undefined);
  return isKnown ? countOutsiders(newestFirst, own, { thing: "address", what: "card" }) : undefined;
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

/** Home and work. */
const OWN_PLACES = 2;

/** Billing postcodes of a mailbox or a card, whichever has more. Two are home and work if orders that show nothing odd were billed to both. */
function countBillingPlaces(...lists: readonly (readonly Sighting[])[]): number | undefined {
  const counts = lists.map((sightings) => {
    const all = new Set(sightings.flatMap((one) => toBillingPostcode(one) ?? [])).size;
    const own = new Set(sightings.filter(isUnsuspicious).flatMap((one) => toBillingPostcode(one) ?? [])).size;
    return all === OWN_PLACES && own === OWN_PLACES ? 1 : all;
  });
  const most = Math.max(...counts);
  return most === 0 ? undefined : most;
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
