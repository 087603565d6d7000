import { toIpFacts, type NetworkKind } from "../ip-facts.ts";
import { RESHIPPER_PATTERN } from "../tables/reshippers.ts";
import type { VelocityCounts } from "./velocity-store.ts";

/** Many strangers go online from these at the same time. */
const STRANGERS: ReadonlySet<NetworkKind> = new Set(["tor", "vpn", "shared"]);
/** So many customers of one shop do not come from one address of a hoster by chance, though a few may. */
const HOSTED_EMAILS = 6;

/**
 * Whether an IP address can stand for one household, company or server: not one of a private network, which is the
 * shop's own proxy, nor one behind which somebody puts many customers (carrier-grade NAT, relays, VPN services).
 */
export function isCustomersOwn(ip: string): boolean {
  const facts = toIpFacts(ip);
  return facts?.fault === undefined && (facts?.network === undefined || !STRANGERS.has(facts.network));
}

/** The counts without what a few strangers behind one server of a hoster come to. */
export function withoutStrangers(counts: VelocityCounts, ip: string | undefined): VelocityCounts {
  const { ipEmails24h } = counts;
  if (ip === undefined || ipEmails24h === undefined || ipEmails24h >= HOSTED_EMAILS) return counts;
  const isHosted = toIpFacts(ip)?.network === "hosting";
  return isHosted ? { ...counts, ipEmails24h: undefined } : counts;
}

/** Lockers, parcel shops and counters, where the goods of many customers go (folded text). */
const COLLECTION_POINT =
  /\b(?:pack ?station|postfiliale|paketshop|parcel ?shop|amazon hub|locker|access ?point|pick ?up ?(?:point|store|location)|click (?:&|and) collect|collection point|paczkomat|point relais|relais colis|mondial relay|punto (?:de )?recogida|punto di ritiro|pakkeshop|service ?point|poste restante|general delivery|postlagernd)\b/;

/** Whether many strangers have goods sent to a street (folded text): a parcel forwarder's or a collection point's. */
export function isSharedStreet(street: string): boolean {
  return RESHIPPER_PATTERN.test(street) || COLLECTION_POINT.test(street);
}
