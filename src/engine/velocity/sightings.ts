import { toIpFacts } from "../facts/ip-facts.ts";
import { findContent, type OwnKeys, type SightingKeys } from "./keys.ts";
import { countOutsiders, isUnsuspicious, toNameOf } from "./strangers.ts";
import { MOST_PER_KEY, type VelocityCounts } from "../facts/velocity-counts.ts";

/** Keys by which other orders are found. */
export const LINKS = ["mailbox", "network", "card", "address"] as const;
export type Link = (typeof LINKS)[number];

export type Sighting = SightingKeys & {
  readonly orderKey: string;
  /** When it was placed, milliseconds since the epoch. */
  readonly atMs: number;
};

/**
 * For each key of an order, the orders with the same key, including itself: none placed after it, newest first, at most
 * {@link MOST_PER_KEY}. Empty for a missing key.
 */
export type LinkedSightings = Readonly<Record<Link, readonly Sighting[]>>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The longest time that any count looks back, in milliseconds. */
export const LONGEST_WINDOW_MS = 7 * DAY_MS;
/** An order may arrive this much later than orders placed after it and still be compared with all orders of its time. */
const LATENESS_MS = DAY_MS;
/** An order is forgotten once one is placed this much later, in milliseconds. */
export const SIGHTING_KEPT_MS = LONGEST_WINDOW_MS + LATENESS_MS;
/** This many orders of one key in this time are a flood. */
const FLOOD_MS = HOUR_MS;

export function toVelocityCounts(linked: LinkedSightings, own: OwnKeys, atMs: number): VelocityCounts {
  const [hourMs, dayMs, weekMs] = [atMs - HOUR_MS, atMs - DAY_MS, atMs - LONGEST_WINDOW_MS];
  const lately = (link: Link): readonly Sighting[] => linked[link].filter((one) => one.atMs > weekMs);
  const [mailbox, network, card, address] = [
    lately("mailbox"),
    lately("network"),
    lately("card"),
    lately("address"),
  ];
  return {
    emailOrders1h: countOrders(mailbox, hourMs),
    ipEmails24h: countDistinct(network, toEmail, dayMs),
    cardEmails7d: countDistinct(card, toEmail),
    addressEmails7d: countDistinct(address, toEmail),
    emailCards24h: countDistinct(mailbox, toCard, dayMs),
    emailBillingPostcodes7d: countDistinct(mailbox, toBillingPostcode),
    cardBillingPostcodes7d: countDistinct(card, toBillingPostcode),
    billingPlaces7d: countBillingPlaces(mailbox, card),
    ipStrangers24h: countOutsiders(network, own, { thing: "network", what: "email", sinceMs: dayMs }),
    cardStrangers7d: countOutsiders(card, own, { thing: "card", what: "email" }),
    addressStrangers7d: countOutsiders(address, own, { thing: "address", what: "email" }),
    addressCards7d: countOutsiders(address, own, { thing: "address", what: "card" }),
    emailAddresses7d: countDistinct(mailbox, toAddress),
    cardAddresses7d: countDistinct(card, toAddress),
    emailNames7d: countDistinct(mailbox, toName),
  };
}

/** The keys with so many orders that older ones of the flood needn't be stored. */
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

/**
 * Orders with an ID, plus the repeats of the most repeated content without an ID. Different contents without an ID may be one
 * cart that was changed and checked again, so they don't count.
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

/** A count of nothing means that the key is missing, because the order itself would count. */
function countDistinct(
  newestFirst: readonly Sighting[],
  what: (sighting: Sighting) => string | undefined,
  afterMs = -Infinity,
): number | undefined {
  const found = new Set<string>();
  for (const sighting of newestFirst) {
    if (sighting.atMs <= afterMs) break;
    const value = what(sighting);
    if (value !== undefined) found.add(value);
  }
  return found.size === 0 ? undefined : found.size;
}

/** Two billing postcodes: home and work. */
const OWN_PLACES = 2;

/**
 * Billing postcodes of a mailbox or a card, whichever has more. Two count as home and work if orders that aren't suspicious
 * were billed to both.
 */
function countBillingPlaces(...lists: readonly (readonly Sighting[])[]): number | undefined {
  const counts = lists.map((sightings) => {
    const all = new Set(sightings.flatMap((one) => toBillingPostcode(one) ?? [])).size;
    const own = new Set(sightings.filter(isUnsuspicious).flatMap((one) => toBillingPostcode(one) ?? [])).size;
    return all === OWN_PLACES && own === OWN_PLACES ? 1 : all;
  });
  const most = Math.max(...counts);
  return most === 0 ? undefined : most;
}

/** This many customers of one shop don't share an address of a hosting company by chance, but a few may. */
const HOSTED_EMAILS = 6;

/** The counts, without those of a few strangers behind one server of a hosting company. */
export function withoutStrangers(counts: VelocityCounts, ip: string | undefined): VelocityCounts {
  const { ipEmails24h } = counts;
  if (ip === undefined || ipEmails24h === undefined || ipEmails24h >= HOSTED_EMAILS) return counts;
  const isHosted = toIpFacts(ip)?.network === "hosting";
  return isHosted ? { ...counts, ipEmails24h: undefined, ipStrangers24h: undefined } : counts;
}
