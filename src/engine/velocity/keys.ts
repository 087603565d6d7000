import { foldAddress, toDigits } from "../../order/text.ts";
import { isTooLong, foldEmail, toMailbox } from "../../order/email-address.ts";
import { toNetwork } from "../../order/ip-address.ts";
import type { PartialVerificationRequest } from "../../order/request.ts";
import { toCardFacts } from "../payment-facts.ts";
import { toIpFacts, type NetworkKind } from "../ip-facts.ts";
import { toMeaningful, toPlace, type Place } from "../place.ts";
import { toPlainOrder, type PlainFields, type PlainOrder } from "../plain-order.ts";
import { isSharedDomain } from "../disposable-domains.ts";
import { isCollectionPoint } from "../tables/collection-points.ts";
import type { LinkKind } from "./velocity-counts.ts";
import { RESHIPPER_PATTERN } from "../tables/reshippers.ts";
import { toLooks, type Manner } from "./manner.ts";

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
   * Whether nothing is suspicious and the order ships to its billing address. Only for the order being counted, because it
   * isn't stored.
   */
  readonly isPlain?: boolean | undefined;
  /** Whether it is worth more than what people who live at a place usually buy. Only for the order being counted. */
  readonly isDear?: boolean | undefined;
}

/** The keyring's digest for a tenant. Without the key, guesses can't be tested and tenants can't be compared. */
export type TenantDigest = (purpose: string, text: string) => string;

/** 132 bits are more than enough to avoid collisions, at half the size. */
const DIGEST_LENGTH = 22;

/** Kinds of networks that many strangers use at the same time. */
const STRANGERS: ReadonlySet<NetworkKind> = new Set(["tor", "vpn", "shared"]);

/** Digests that recognize an order, only from data that hardly anybody shares by chance. Never throws. */
export function toVelocityKeys(order: PartialVerificationRequest, digest: TenantDigest): VelocityKeys {
  const plain = toPlainOrder(order);
  return { ...toKeys(plain, digest), kin: toKin(plain, digest), ...toLooks(plain) };
}

/** The most parts of a name that are stored, to distinguish relatives from strangers. */
const MOST_NAME_WORDS = 5;
const KIN_DIGEST_LENGTH = 8;

function toKin({ fields }: PlainOrder, digest: TenantDigest): string | undefined {
  const make = (text: string): string => digest("velocity-kin", text).slice(0, KIN_DIGEST_LENGTH);
  const name = toMeaningful(toText(fields["customerName"])?.slice(0, LONGEST_NAME));
  const words = (name?.match(/\p{L}{2,}/gu) ?? []).slice(0, MOST_NAME_WORDS).toSorted().map(make);
  const domain = toEmail(fields["customerEmail"])?.split("@")[1];
  const isOwn = domain !== undefined && !isTooLong(domain) && !isSharedDomain(domain);
  const house = isOwn ? [`+${make(domain)}`] : [];
  const kin = [...words, ...house].join(" ");
  return kin === "" ? undefined : kin;
}

const LONGEST_NAME = 255;

function toKeys({ fields, paymentInfo, shippingAddress, billingAddress }: PlainOrder, digest: TenantDigest) {
  const make = (kind: string, text: string | undefined): string | undefined =>
    text === undefined ? undefined : digest(`velocity-${kind}`, text).slice(0, DIGEST_LENGTH);
  const email = toEmail(fields["customerEmail"]);
  const shipping = toPlaceOf(shippingAddress);
  return {
    mailbox: email === undefined ? undefined : toMailboxKey(email, digest),
    email: make("email", email),
    network: make("network", toCustomerNetwork(toText(fields["ipAddress"]))),
    card: make("card", toCard(paymentInfo)),
    address: make("address", toAddress(shipping)),
    billingPostcode: make("postcode", toPostcode(toPlaceOf(billingAddress))),
    shippingPostcode: make("postcode", toPostcode(shipping)),
  };
}

/** Not shortened, because existing digests must not change. */
function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Keyed digests that link orders; undefined as in {@link VelocityKeys}. */
export type LinkKeys = Readonly<Record<LinkKind, string | undefined>>;

/** Digests that an order shares with others of the same buyer. Never throws. */
export function toLinkKeys(order: PartialVerificationRequest, digest: TenantDigest): LinkKeys {
  const plain = toPlainOrder(order);
  const { mailbox, network, card, address } = toKeys(plain, digest);
  const digits = toDigits(toText(plain.fields["customerPhone"]) ?? "");
  const phone =
    digits.length < FEWEST_DIGITS
      ? undefined
      : // With or without the country code.
        digest("velocity-phone", digits.slice(-COMPARED_DIGITS)).slice(0, DIGEST_LENGTH);
  return { mailbox, network, card, phone, address };
}

/** Shorter numbers belong to a whole office, or aren't real. */
const FEWEST_DIGITS = 7;
const COMPARED_DIGITS = 9;

/** The digest that finds the orders of a mailbox. */
export function toMailboxKey(email: string, digest: TenantDigest): string {
  return digest("velocity-mailbox", toMailbox(email)).slice(0, DIGEST_LENGTH);
}

/** A text such as "none" isn't an address and identifies nobody. */
function toEmail(value: unknown): string | undefined {
  const email = foldEmail(toText(value) ?? "");
  return /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined;
}

function toCustomerNetwork(ip: string | undefined): string | undefined {
  return ip !== undefined && isCustomersOwn(ip) ? toNetwork(ip) : undefined;
}

/** Without the holder, many cards have the same last four digits and expiry. */
function toCard(payment: PlainFields): string | undefined {
  const { brand = "", lastFourDigits, expiresAtMs = "", holder } = toCardFacts(payment);
  if (lastFourDigits === undefined || holder === undefined) return undefined;
  return [brand, lastFourDigits, expiresAtMs, toWords(holder).join(" ")].join("\0");
}

function toPlaceOf(address: PlainFields | undefined): Place | undefined {
  if (address === undefined) return undefined;
  return toPlace({
    street: toText(address["street"]),
    city: toText(address["city"]),
    state: toText(address["state"]),
    postalCode: toText(address["postalCode"]),
    country: toText(address["country"]),
  });
}

/**
 * Different flats count as different, but spellings and the order of the parts don't matter. A street without a number is a
 * whole street.
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
function isCustomersOwn(ip: string): boolean {
  const facts = toIpFacts(ip);
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

/**
 * The words of a text without accents, punctuation and case, with common words abbreviated, so that an address has one
 * spelling.
 */
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
