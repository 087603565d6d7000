import { isIP } from "node:net";
import { toCountryCode } from "../../order/countries/country-code.ts";
import type { Conditions } from "../conditions/groups.ts";
import { POLICY_LIMITS } from "../schema-fields.ts";
import { toPlainName, type ExportedLine } from "./read-export.ts";

/** Why a rule of an export can't be imported. */
export const IMPORT_PROBLEMS = [
  /** No condition of ours asks about this. */
  "no-condition",
  /** The condition can't compare in this way. */
  "no-operator",
  "no-value",
  "invalid-value",
  "unknown-action",
  /** An IP address can only be blocked, alone and for good, which holds its orders. */
  "only-blocks",
  /** An address that many people share, or that no buyer has. */
  "shared-address",
  /** Two values that an order can both have: a rule of ours asks for one of them. */
  "two-parts",
  /** The rule compares amounts, and nobody knows in which currency. */
  "no-currency",
  /** The rule's lines name different actions. */
  "two-actions",
  "list-full",
  "too-many-rules",
] as const;
export type ImportProblem = (typeof IMPORT_PROBLEMS)[number];

/** What a line asks for. A `network` is an IP address, which rules don't have: it goes on the block list. */
export type Imported =
  | { readonly kind: "in"; readonly name: keyof Conditions; readonly entries: readonly string[] }
  | { readonly kind: "bound"; readonly given: Conditions }
  | { readonly kind: "not"; readonly name: keyof Conditions; readonly entries: readonly string[] }
  | { readonly kind: "network"; readonly entries: readonly string[] }
  | { readonly kind: "problem"; readonly problem: ImportProblem };

type Operator = "is" | "not" | "contains" | "contains-not" | "starts" | "ends" | "above" | "below";

const OPERATORS: Readonly<Record<Operator, readonly string[]>> = {
  is: ["is", "equals", "equal", "isequalto", "equalto", "=", "==", "matches", "isoneof"],
  not: ["isnot", "notequals", "isnotequalto", "notequalto", "doesnotequal", "!=", "<>"],
  contains: ["contains", "includes"],
  "contains-not": ["doesnotcontain", "notcontains"],
  starts: ["startswith", "beginswith"],
  ends: ["endswith"],
  above: ["greaterthan", "isgreaterthan", "greaterthanorequalto", ">", ">=", "above"],
  below: ["lessthan", "islessthan", "lessthanorequalto", "<", "<=", "below"],
};

/** Fields by what asks about them here. */
const FIELDS: readonly (readonly [keyof Conditions | "network", readonly string[]])[] = [
  ["email", ["email", "emailaddress", "customeremail", "contactemail"]],
  ["network", ["ip", "ipaddress", "browserip", "clientip", "customerip", "clientdetailsbrowserip"]],
  [
    "phone",
    [
      "phone",
      "phonenumber",
      "customerphone",
      "billingphone",
      "shippingphone",
      "billingaddressphone",
      "shippingaddressphone",
    ],
  ],
  [
    "billingCountry",
    ["billingcountry", "billingcountrycode", "billingaddresscountry", "billingaddresscountrycode"],
  ],
  [
    "shippingCountry",
    ["shippingcountry", "shippingcountrycode", "shippingaddresscountry", "shippingaddresscountrycode"],
  ],
  ["country", ["country", "countrycode"]],
  [
    "address",
    [
      "address",
      "address1",
      "billingaddress",
      "shippingaddress",
      "billingaddress1",
      "shippingaddress1",
      "billingaddressaddress1",
      "shippingaddressaddress1",
    ],
  ],
  ["minAmount", ["totalprice", "ordertotal", "total", "totalamount", "orderamount"]],
  ["totalOrders", ["orderscount", "ordercount", "customerorderscount", "numberoforders"]],
  ["currency", ["currency"]],
  ["gateway", ["gateway", "paymentgateway", "processingmethod"]],
  ["paymentBrand", ["creditcardcompany", "creditcardtype", "cardbrand", "cardtype", "creditcard"]],
  ["avs", ["avsresultcode", "avs", "avsresult"]],
  ["cvv", ["cvvresultcode", "cvv", "cvvresult"]],
  ["customerTag", ["customertags", "customertag"]],
  ["orderTag", ["tags", "ordertags", "ordertag"]],
  ["sku", ["sku", "lineitemsku", "productsku"]],
  ["product", ["product", "producttitle", "productname", "lineitemtitle", "lineitemname"]],
  ["channel", ["sourcename", "saleschannel", "channel", "source"]],
  ["shippingMethod", ["shippingmethod", "shippingtitle", "shippinglinetitle"]],
];

/** Conditions on a part of a text; the others compare the whole. */
const OF_PARTS: ReadonlySet<string> = new Set(["address", "product"]);
/** One line may list several values of these, because none of them has a comma. */
const LISTED: ReadonlySet<string> = new Set([
  "email",
  "network",
  "currency",
  "billingCountry",
  "shippingCountry",
  "country",
]);

const problem = (code: ImportProblem): Imported => ({ kind: "problem", problem: code });

/** What one line asks for. */
export function toCondition({ field, operator, value }: ExportedLine): Imported {
  const name = findField(field);
  if (name === undefined) return problem("no-condition");
  const how = findOperator(operator);
  if (how === undefined) return problem("no-operator");
  if (name === "minAmount" || name === "totalOrders") {
    const isOpen = !/=|equal/.test(toPlainName(operator));
    return toBound(name, { how, value, isOpen });
  }
  const filled = toEntryTexts(name, value);
  if (filled.length === 0) return problem("no-value");
  if (filled.length > POLICY_LIMITS.listEntries) return problem("invalid-value");
  if (name === "network") return toNetworks(how, filled);
  const domains = name === "email" ? findDomains(how, filled) : undefined;
  if (domains !== undefined) return toEntries("emailDomain", domains, how === "contains-not");
  return toTexts(name, how, filled);
}

function toEntryTexts(name: string, value: string): readonly string[] {
  const entries = LISTED.has(name) ? value.split(/[,;\n]/) : [value];
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
}

function toNetworks(how: Operator, ips: readonly string[]): Imported {
  if (how !== "is") return problem("no-operator");
  return ips.every((ip) => isIP(ip) !== 0) ? { kind: "network", entries: ips } : problem("invalid-value");
}

/** What may stand before a field without changing what it means. */
const GROUPS = /^(?:general|order|customer|clientandcustomer|client|paymentdetails)(?=.)/;

function findField(field: string): (typeof FIELDS)[number][0] | undefined {
  const whole = toPlainName(field);
  const find = (spelling: string) => FIELDS.find(([, names]) => names.includes(spelling))?.[0];
  return find(whole) ?? find(whole.replace(GROUPS, ""));
}

function findOperator(operator: string): Operator | undefined {
  const plain = toPlainName(operator);
  return (Object.keys(OPERATORS) as Operator[]).find((how) => OPERATORS[how].includes(plain));
}

/** `contains @example.com` and `ends with example.com`, as people write that a domain is unwanted. */
function findDomains(how: Operator, entries: readonly string[]): readonly string[] | undefined {
  const isWritten = (entry: string): boolean =>
    how === "ends" ? !/^[^@]+@/.test(entry) : entry.startsWith("@");
  const mayBe = how === "ends" || how === "contains" || how === "contains-not";
  return mayBe && entries.every(isWritten) ? entries.map((entry) => entry.replace(/^@/, "")) : undefined;
}

function toTexts(name: keyof Conditions, how: Operator, entries: readonly string[]): Imported {
  // A text that is exactly this would be any text that contains it.
  const [yes, no] = OF_PARTS.has(name) ? ["contains", "contains-not"] : ["is", "not"];
  if (how !== yes && how !== no) return problem("no-operator");
  const known = isCountry(name) ? entries.map((entry) => toCountryCode(entry)) : entries;
  if (known.some((entry) => entry === undefined)) return problem("invalid-value");
  return toEntries(name, known as readonly string[], how === no);
}

function toEntries(name: keyof Conditions, entries: readonly string[], isNegative: boolean): Imported {
  return { kind: isNegative ? "not" : "in", name, entries };
}

function isCountry(name: string): boolean {
  return /country$/i.test(name);
}

interface Bound {
  readonly how: Operator;
  readonly value: string;
  /** The value itself is outside. */
  readonly isOpen: boolean;
}

/** `1234.50` or `$1,234.50`. In `1.234,50` or `1,5` nobody can tell what the comma means. */
const NUMBER = /^[$€£¥]?\s?(\d+(?:\.\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?)$/;

function toBound(name: "minAmount" | "totalOrders", bound: Bound): Imported {
  if (bound.value === "") return problem("no-value");
  const [, written] = NUMBER.exec(bound.value) ?? [];
  if (written === undefined) return problem("invalid-value");
  const number = Number(written.replaceAll(",", ""));
  const given = name === "minAmount" ? toAmount(bound, number) : toOrderCount(bound, number);
  return typeof given === "string" ? problem(given) : { kind: "bound", given };
}

function toAmount({ how }: Bound, amount: number): Conditions | ImportProblem {
  if (how === "above") return { minAmount: amount };
  return how === "below" ? { maxAmount: amount } : "no-operator";
}

function toOrderCount({ how, isOpen }: Bound, orders: number): Conditions | ImportProblem {
  if (!Number.isInteger(orders)) return "invalid-value";
  const by = isOpen ? 1 : 0;
  if (how === "is") return { totalOrders: { min: orders, max: orders } };
  if (how === "above") return { totalOrders: { min: orders + by } };
  if (how !== "below") return "no-operator";
  // Nobody has fewer than no orders.
  return orders < by ? "invalid-value" : { totalOrders: { max: orders - by } };
}
