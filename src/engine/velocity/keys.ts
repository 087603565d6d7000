import { foldAddress, toDigits } from "../../order/text.ts";
import { isTooLong, foldEmail, toMailbox } from "../../order/email-address.ts";
import { toNetwork } from "../../order/ip-address.ts";
import type { PartialVerificationRequest } from "../../order/request.ts";
import type { NetworkKind } from "../facts/ip-facts.ts";
import { readFacts, type CardFacts, type IpFacts } from "../facts/order-facts.ts";
import type { Place } from "../facts/place.ts";
import { toPlainOrder } from "../facts/plain-order.ts";
import { isSharedDomain } from "../facts/disposable-domains.ts";
import { isCollectionPoint } from "../tables/collection-points.ts";
import type { LinkKind } from "../../order/link-kinds.ts";
import { RESHIPPER_PATTERN } from "../tables/reshippers.ts";
import { toLooks, type Manner } from "./manner.ts";
import { toShopKeys, type ShopKeys } from "./shop-keys.ts";
import type { TenantDigest } from "./tenant-digest.ts";

export type { TenantDigest } from "./tenant-digest.ts";

/** Keyed digests that recognize an order; undefined if the order lacks the data or shares it with many. */
export interface VelocityKeys {
  /** The mailbox, in any spelling. */
  readonly mailbox: string | undefined;
  /** The email address as written, in lower case. */
  readonly email: string | undefined;
  readonly network: string | undefined;
  readonly card: string | undefined;
  /** The shipping address. */
  readonly address: string | undefined;
  readonly billingPostcode: string | undefined;
  /** Comparable with billing postcodes. Only for the order being counted, because it isn't stored. */
  readonly shippingPostcode?: string | undefined;
  /**
   * What relatives and colleagues share: digests of the words of the customer's name and, after a plus sign, of a private
   * email domain. Undefined if unknown.
   */
  readonly kin?: string | undefined;
  /** How the order looks by itself. Undefined if it wasn't examined. */
  readonly manner?: Manner | undefined;
  /**
   * Whether nothing is suspicious and the order ships to its billing address. Only for the order being counted, because
   * it isn't stored.
   */
  readonly isPlain?: boolean | undefined;
  /** Whether it is worth more than what people who live at a place usually buy. Only for the order being counted. */
  readonly isDear?: boolean | undefined;
  /** What is counted of it for the shop. Nothing is if it's undefined. */
  readonly shop?: ShopKeys | undefined;
}

/** What is stored of an order, besides the keys by which it's found. */
export type SightingKeys = Pick<
  VelocityKeys,
  "email" | "card" | "billingPostcode" | "address" | "kin" | "manner"
>;
/** The data of the order that is compared with stored ones. */
export type OwnKeys = SightingKeys & Pick<VelocityKeys, "isPlain" | "isDear" | "shippingPostcode">;

/** 132 bits are more than enough to avoid collisions, at half the size. */
const DIGEST_LENGTH = 22;

/** Kinds of networks that many strangers use at the same time. */
const STRANGERS: ReadonlySet<NetworkKind> = new Set(["tor", "vpn", "shared"]);

/**
 * Digests that recognize an order, only from data that hardly anybody shares by chance. Never throws.
 *
 * @param bin - The first digits of the card's number. Default: not known.
 */
export function toVelocityKeys(
  order: PartialVerificationRequest,
  digest: TenantDigest,
  bin?: string,
): VelocityKeys {
  const known = readKnown(order);
  const { email, facts, ip } = known;
  const looks = toLooks(facts);
  return {
    ...toSharedKeys(known, digest),
    email: toKey("email", email, digest),
    billingPostcode: toKey("postcode", toPostcode(facts.billing), digest),
    shippingPostcode: toKey("postcode", toPostcode(facts.shipping), digest),
    kin: toKin(facts.customerName, email, digest),
    ...looks,
    shop: toShopKeys(facts, { ip, bin, manner: looks.manner }, digest),
  };
}

/** What recognizes an order. The facts lack its phone number, which takes longer to read than everything else. */
type Known = ReturnType<typeof readKnown>;

function readKnown(order: PartialVerificationRequest) {
  const plain = toPlainOrder(order);
  const { customerPhone, ...fields } = plain.fields;
  return {
    email: toEmail(fields["customerEmail"]),
    ip: toTextOrUndefined(fields["ipAddress"]),
    phone: toTextOrUndefined(customerPhone),
    facts: readFacts({ ...plain, fields }, { sandbox: false, now: () => 0 }),
  };
}

/** The most parts of a name that are stored, to distinguish relatives from strangers. */
const MOST_NAME_WORDS = 5;
const KIN_DIGEST_LENGTH = 8;

function toKin(
  name: string | undefined,
  email: string | undefined,
  digest: TenantDigest,
): string | undefined {
  const make = (text: string): string => digest("velocity-kin", text).slice(0, KIN_DIGEST_LENGTH);
  const words = (name?.match(/\p{L}{2,}/gu) ?? []).slice(0, MOST_NAME_WORDS).toSorted().map(make);
  const domain = email?.split("@")[1];
  const isOwn = domain !== undefined && !isTooLong(domain) && !isSharedDomain(domain);
  const house = isOwn ? [`+${make(domain)}`] : [];
  const kin = [...words, ...house].join(" ");
  return kin === "" ? undefined : kin;
}

/** The keys by which orders are found. */
function toSharedKeys({ email, ip, facts }: Known, digest: TenantDigest) {
  return {
    mailbox: email === undefined ? undefined : toMailboxKey(email, digest),
    network: toKey("network", toCustomerNetwork(ip, facts.ip), digest),
    card: toKey("card", toCard(facts.card), digest),
    address: toKey("address", toAddress(facts.shipping), digest),
  };
}

function toKey(kind: string, text: string | undefined, digest: TenantDigest): string | undefined {
  return text === undefined ? undefined : digest(`velocity-${kind}`, text).slice(0, DIGEST_LENGTH);
}

/** Not shortened, because existing digests must not change. */
function toTextOrUndefined(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Keyed digests that link orders; undefined as in {@link VelocityKeys}. */
export type LinkKeys = Readonly<Record<LinkKind, string | undefined>>;

/** Digests that an order shares with others of the same buyer. Never throws. */
export function toLinkKeys(order: PartialVerificationRequest, digest: TenantDigest): LinkKeys {
  const known = readKnown(order);
  const digits = toDigits(known.phone ?? "");
  // With or without the country code.
  const phone = digits.length < FEWEST_DIGITS ? undefined : digits.slice(-COMPARED_DIGITS);
  return { ...toSharedKeys(known, digest), phone: toKey("phone", phone, digest) };
}

/** Shorter numbers belong to a whole office, or aren't real. */
const FEWEST_DIGITS = 7;
const COMPARED_DIGITS = 9;

export function toMailboxKey(email: string, digest: TenantDigest): string {
  return digest("velocity-mailbox", toMailbox(email)).slice(0, DIGEST_LENGTH);
}

/** A text such as "none" isn't an address and identifies nobody. */
function toEmail(value: unknown): string | undefined {
  const email = foldEmail(toTextOrUndefined(value) ?? "");
  return /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined;
}

function toCustomerNetwork(ip: string | undefined, facts: IpFacts | undefined): string | undefined {
  return ip !== undefined && isCustomersOwn(facts) ? toNetwork(ip) : undefined;
}

/** Without the holder, many cards have the same last four digits and expiry. */
function toCard(card: CardFacts): string | undefined {
  const { brand = "", lastFourDigits, expiresAtMs = "", holder } = card;
  if (lastFourDigits === undefined || holder === undefined) return undefined;
  return [brand, lastFourDigits, expiresAtMs, toWords(holder).join(" ")].join("\0");
}

/**
 * Different flats count as different, but spellings and the order of the parts don't matter. A street without a number
 * is a whole street.
 */
function toAddress(place: Place | undefined): string | undefined {
  const { street, city, country } = place ?? {};
  if (street === undefined || !/\p{Nd}/u.test(street) || isSharedStreet(street)) return undefined;
  // Some countries have no postcodes.
  const where = toPostcode(place) ?? city;
  return where === undefined ? undefined : [toWords(street).toSorted().join(" "), where, country].join("\0");
}

function toPostcode(place: Place | undefined): string | undefined {
  if (place?.postcode === undefined) return undefined;
  const { postcode, country } = place;
  // The United States may add four digits.
  const short = country === "US" ? postcode.slice(0, 5) : postcode;
  return `${country ?? ""} ${short}`;
}

/**
 * Whether an IP address can identify one household, company or server. Not a private address, which is the shop's own proxy,
 * and not one shared by many customers (carrier-grade NAT, relays, VPN services).
 */
function isCustomersOwn(facts: IpFacts | undefined): boolean {
  if (facts === undefined || facts.fault !== undefined) return false;
  return facts.network === undefined || !STRANGERS.has(facts.network);
}

/** Whether many strangers ship to a street (folded text): a parcel forwarder or a collection point. */
function isSharedStreet(street: string): boolean {
  return RESHIPPER_PATTERN.test(street) || isCollectionPoint(street);
}

/** The name of an order for velocity, unique within its tenant. */
export function toOrderKey(orderId: string): string {
  return `order:${orderId}`;
}

const CONTENT = "content:";
const CHECK = "#";

/**
 * The name of an order without an ID: the keyed digest of its content and, if each check of that content counts, the check.
 * Never equal to an ID.
 */
export function toContentKey(fingerprint: string, checkId?: string): string {
  return checkId === undefined ? CONTENT + fingerprint : `${CONTENT}${fingerprint}${CHECK}${checkId}`;
}

/** The content digest in the name of an order without an ID; undefined for one with an ID. */
export function findContent(orderKey: string): string | undefined {
  return orderKey.startsWith(CONTENT) ? orderKey.split(CHECK, 1)[0] : undefined;
}

/** Letters that Unicode doesn't decompose, with their usual replacements. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ø: "o", æ: "ae", œ: "oe", ł: "l", đ: "d", ı: "i" };
const SPECIAL = /[øæœłđı]/g;

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  street: "st",
  saint: "st",
  sankt: "st",
  avenue: "ave",
  av: "ave",
  road: "rd",
  boulevard: "blvd",
  drive: "dr",
  lane: "ln",
  court: "ct",
  place: "pl",
  square: "sq",
  highway: "hwy",
  parkway: "pkwy",
  terrace: "ter",
  circle: "cir",
  mount: "mt",
  fort: "ft",
  north: "n",
  south: "s",
  east: "e",
  west: "w",
  platz: "pl",
  strasse: "str",
};

/** The words without accents, punctuation and case, common ones abbreviated, so that an address has one spelling. */
function toWords(text: string): readonly string[] {
  const plain = foldAddress(text)
    .normalize("NFD")
    // Remove marks only from letters that also exist without them. In other scripts, a mark can be half a syllable.
    .replaceAll(/(\p{Script=Latin})\p{M}+/gu, "$1")
    .normalize("NFC")
    .replaceAll(SPECIAL, (letter) => PLAIN_LETTERS[letter] ?? letter);
  return plain === "" ? [] : plain.split(" ").map(toShortForm);
}

function toShortForm(word: string): string {
  if (Object.hasOwn(ABBREVIATIONS, word)) return ABBREVIATIONS[word] ?? word;
  return word.replace(/(?<=.{3})stra(?:ss|ß)e$/u, "str");
}
