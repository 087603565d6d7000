import { toOrderError } from "../base/errors.ts";
import type { OrderAddress, OrderItem, PaymentInfo, VerificationRequest } from "../order/request.ts";
import { REQUEST_LIMITS } from "../order/request-limits.ts";
import { isFields, markCopy } from "../order/complete-order.ts";
import { readLine, roundPrice } from "../order/order-lines.ts";
import { withUnread } from "../order/unread-fields.ts";
import { foldText, joinText } from "../order/text.ts";
import { hasPlace, toKnownAddress } from "./address.ts";
import { FieldReader } from "./field-reader.ts";

/**
 * An order of a platform as a verification request in major units, with the fields that the platform provides. Missing
 * parts of an address are `N/A`. An order may lack fields that the service requires, for example an email address: the
 * check decides what happens then.
 */
export type HostOrder = Partial<VerificationRequest> &
  Pick<VerificationRequest, "orderAmount" | "currency" | "isFirstTimeCustomer">;

/** The values that a mapping reads. Undefined means unknown. */
export type ReadOrder = {
  readonly [K in Exclude<keyof VerificationRequest, "isFirstTimeCustomer">]?:
    | VerificationRequest[K]
    | undefined;
} & Pick<VerificationRequest, "orderAmount" | "currency">;

const DAY_MS = 86_400_000;

/**
 * Read an order of a platform. If only one address is known, it is used for both. A platform's order doesn't say
 * whether there were earlier ones, so its customer counts as a first-time customer. A field that can't be read is left out,
 * and the check warns about it, under the platform's own name for it.
 *
 * @param what What is read, for the error: `Medusa cart`.
 * @throws {HoldfastError} `ORDER_INVALID` if the amount or the currency can't be read.
 */
export function readHostOrder(
  what: string,
  payload: unknown,
  read: (reader: FieldReader) => ReadOrder,
): HostOrder {
  const isObject = typeof payload === "object" && payload !== null && !Array.isArray(payload);
  const reader = new FieldReader(isObject ? payload : {});
  if (isObject) {
    const order = read(reader);
    if (reader.refusals.length === 0) return withUnread(complete(order), reader.faults);
  } else reader.refuse("", "expected an object");
  throw toOrderError(`the ${what} can't be read`, reader.refusals);
}

function complete(order: ReadOrder): HostOrder {
  const { shippingAddress, billingAddress, items, ...rest } = order;
  return {
    ...(definedOnly({
      ...rest,
      orderAmount: roundPrice(rest.orderAmount),
      items: items?.length === 0 ? undefined : items,
      shippingAddress: shippingAddress ?? markCopy(billingAddress),
      billingAddress: billingAddress ?? markCopy(shippingAddress),
    }) as ReadOrder & Partial<VerificationRequest>),
    isFirstTimeCustomer: true,
  };
}

function definedOnly(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/**
 * The fields of a platform's address: all lines of the street, and for each other part the candidates, of which the
 * first that isn't blank counts.
 */
export type AddressPaths = Readonly<Record<keyof OrderAddress, readonly string[]>>;

/** An address with `N/A` where a part is missing; undefined if the platform has none of its parts. */
export function readAddress(address: FieldReader | undefined, paths: AddressPaths): OrderAddress | undefined {
  if (address === undefined) return undefined;
  return toKnownAddress({
    street: paths.street.map((path) => address.text(REQUEST_LIMITS.street, path)),
    city: address.text(REQUEST_LIMITS.city, ...paths.city),
    state: address.text(REQUEST_LIMITS.state, ...paths.state),
    postalCode: address.text(REQUEST_LIMITS.postalCode, ...paths.postalCode),
    country: address.text(REQUEST_LIMITS.country, ...paths.country),
  });
}

/** The first address that says more than a country and a state, or else the first. */
export function pickAddress(...addresses: readonly (OrderAddress | undefined)[]): OrderAddress | undefined {
  const known = addresses.filter((address) => address !== undefined);
  return known.find(hasPlace) ?? known[0];
}

/** The fields of a platform's person. `name` lists the parts of one name, or the whole name. */
export interface PersonPaths {
  readonly name: readonly string[];
  readonly phone?: string;
  readonly company?: string;
}

type Person = Pick<ReadOrder, "customerName" | "customerPhone" | "companyName">;

/** The person that an address or a customer names. */
export function readPerson(source: FieldReader | undefined, { name, phone, company }: PersonPaths): Person {
  if (source === undefined) return {};
  return {
    customerName: source.joined(REQUEST_LIMITS.customerName, ...name),
    customerPhone: phone === undefined ? undefined : source.text(REQUEST_LIMITS.customerPhone, phone),
    companyName: company === undefined ? undefined : source.text(REQUEST_LIMITS.customerName, company),
  };
}

/**
 * The buyer: the first person with a name, with their own phone number, which may also be beside the same name or no
 * name. The recipient of a present is somebody else. The company is the first that is known.
 */
export function pickPerson(...people: readonly Person[]): Person {
  const named = people.find(({ customerName }) => customerName !== undefined);
  const buyer = foldText(named?.customerName ?? "");
  const isBuyer = ({ customerName }: Person): boolean => foldText(customerName ?? buyer) === buyer;
  const inOrder = named === undefined ? people : [named, ...people.filter(isBuyer)];
  return {
    customerName: named?.customerName,
    customerPhone: inOrder.find(({ customerPhone }) => customerPhone !== undefined)?.customerPhone,
    companyName: people.find(({ companyName }) => companyName !== undefined)?.companyName,
  };
}

/** The recipient that a shipping address names, with the company. Empty if it names nobody, undefined without an address. */
export function toRecipientName(address: unknown, paths: PersonPaths): string | undefined {
  if (!isFields(address)) return undefined;
  const { customerName, companyName } = readPerson(new FieldReader(address), paths);
  return joinText(REQUEST_LIMITS.customerName, ", ", customerName, companyName) ?? "";
}

/** A card as the service takes it, with the fields that are known; undefined if none are. */
export function toCard(card: { readonly [K in keyof PaymentInfo]: PaymentInfo[K] | undefined }):
  | PaymentInfo
  | undefined {
  const known = definedOnly(card);
  return Object.keys(known).length === 0 ? undefined : known;
}

/** `MM/YY`; undefined unless both are known. */
export function toExpiry(month: number | undefined, year: number | undefined): string | undefined {
  if (month === undefined || year === undefined) return undefined;
  return `${String(month).padStart(2, "0")}/${String(year).slice(-2)}`;
}

/** A line of a platform's order, in major units. See `readLine` of order-lines.ts. */
export interface ReadLine {
  readonly name: string | undefined;
  readonly sku: string | undefined;
  readonly quantity: number | undefined;
  /** The price of the whole line after discounts. */
  readonly total?: number | undefined;
  /** The price of one piece, for a line without a total. */
  readonly price?: number | undefined;
}

/** The lines of a platform's order that the service takes. */
export function readItems(lines: readonly FieldReader[], read: (line: FieldReader) => ReadLine): OrderItem[] {
  return lines.map((line) => readLine(read(line)).item).filter((item) => item !== undefined);
}

/** Whole days from one time to the next, never negative; undefined unless both are known. */
export function countDays(from: string | undefined, to: string | undefined): number | undefined {
  if (from === undefined || to === undefined) return undefined;
  return Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / DAY_MS));
}
