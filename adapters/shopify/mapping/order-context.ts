import { cutText, type OrderContext, type PlatformRisk } from "../../../src/adapter-kit.ts";
import { cleanText } from "../../../src/mapping.ts";
import { listGoods } from "./items.ts";
import type { OrderDetail, OrderRisk } from "../operations/generated/operations.ts";
import { toPlatformRisk } from "./order-detail.ts";
import { findCardPayment, toCardDetails } from "./payment.ts";
import {
  definedOnly,
  toDecimal,
  toJsonObject,
  toJsonObjects,
  toTimestamp,
  type JsonObject,
} from "../base/payload.ts";

/** Longest text kept of a context, in UTF-16 code units. */
const TEXT_MAX = 255;
const LIST_MAX = 20;
/** As many tags as Shopify allows. */
const TAGS_MAX = 250;
const SOURCE_MAX = 100;

/** Shopify's names of sources that have their own channel. Renewals have the second name since October 2025. */
const CHANNELS: ReadonlyMap<string, string> = new Map([
  ["shopify_draft_order", "draft"],
  ["subscription_contract", "subscription"],
  ["subscription_contract_checkout_one", "subscription"],
]);

/** Shopify Protect's statuses. An unknown status is left out. */
const PROTECTIONS: ReadonlyMap<string | undefined, OrderContext["protect"]> = new Map([
  ["PENDING", "pending"],
  ["ACTIVE", "active"],
  ["INACTIVE", "inactive"],
  ["PROTECTED", "protected"],
  ["NOT_PROTECTED", "not-protected"],
]);
const ELIGIBILITIES: ReadonlyMap<string | undefined, OrderContext["protectEligibility"]> = new Map([
  ["PENDING", "pending"],
  ["ELIGIBLE", "eligible"],
  ["NOT_ELIGIBLE", "not-eligible"],
]);

/** A language, maybe with a script and a region, as in `de`, `pt-BR` or `zh-Hant-TW`. Anything else is no language. */
const LOCALE = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}$/i;

function toLocale(value: unknown): string | undefined {
  return typeof value === "string" && LOCALE.test(value) ? value : undefined;
}

/** What a webhook says about how an order was placed, paid and shipped. Unknown fields are absent. */
export function toOrderContext(payload: JsonObject, goods = listGoods(payload)): OrderContext {
  const source = cleanText(payload["source_name"], SOURCE_MAX);
  return definedOnly({
    channel: source === undefined ? undefined : (CHANNELS.get(source) ?? source),
    locale: toLocale(payload["customer_locale"]),
    gateways: toTexts(payload["payment_gateway_names"], LIST_MAX),
    orderTags: toTags(payload["tags"]),
    customerTags: toTags(toJsonObject(payload["customer"])?.["tags"]),
    shippingMethods: toShippingMethods(payload["shipping_lines"]),
    giftCard: hasGiftCard(goods),
    quantity: toQuantity(goods),
    discount: isDiscounted(payload),
    companyOrder: isCompanyOrder(payload["company"]),
    paymentTerms: cleanText(toJsonObject(payload["payment_terms"])?.["payment_terms_name"], TEXT_MAX),
    ...toCardContext(payload["payment_details"]),
  });
}

/** What the Admin API says beyond the webhook. Withheld fields are absent. */
export function toDetailContext(detail: Partial<OrderDetail>): OrderContext {
  const { customer, purchasingEntity, risk, shippingLine, shopifyProtect } = detail;
  const payment = findCardPayment(detail.transactions ?? []);
  return definedOnly({
    customerTags: toTags(customer?.tags),
    shippingMethods: shippingLine == null ? undefined : toTexts([shippingLine.title], LIST_MAX),
    companyOrder: purchasingEntity == null ? undefined : purchasingEntity.__typename === "PurchasingCompany",
    platformRisk: risk == null ? undefined : toOwnRisk(risk),
    protect: PROTECTIONS.get(shopifyProtect?.status),
    protectEligibility: ELIGIBILITIES.get(shopifyProtect?.eligibility.status),
    authorizationExpiresAt: toTimestamp(payment?.authorizationExpiresAt)?.text,
    ...toCardContext(toCardDetails(payment)),
  });
}

function toOwnRisk(risk: OrderRisk): PlatformRisk | undefined {
  const isInfluenced = risk.assessments.some(({ provider }) => provider !== null);
  return toPlatformRisk(risk, isInfluenced) ?? undefined;
}

/** Codes of a card payment, under the names of the REST payloads; orders have had none since 2023. */
function toCardContext(details: unknown): OrderContext {
  const card = toJsonObject(details);
  if (card === undefined) return {};
  return definedOnly({
    avs: toCode(card["avs_result_code"]),
    cvv: toCode(card["cvv_result_code"]),
    bin: toBin(card["credit_card_bin"]),
    wallet: cleanText(card["credit_card_wallet"], SOURCE_MAX),
  });
}

function toTexts(value: unknown, max: number): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts: string[] = [];
  for (const entry of value) {
    const text = cleanText(entry, TEXT_MAX);
    if (text !== undefined) texts.push(text);
    if (texts.length === max) break;
  }
  return texts;
}

/** Tags are a text with commas in webhooks, and a list in the Admin API. */
function toTags(value: unknown): readonly string[] | undefined {
  // One field may hold a whole 5 MB body.
  const tags = typeof value === "string" ? cutText(value, TAGS_MAX * TEXT_MAX).split(",", TAGS_MAX) : value;
  return toTexts(tags, TAGS_MAX);
}

function toShippingMethods(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const lines = toJsonObjects(value).filter((line) => line["is_removed"] !== true);
  return toTexts(
    lines.map(({ title }) => title),
    LIST_MAX,
  );
}

function hasGiftCard(goods: readonly JsonObject[]): boolean | undefined {
  if (goods.some((line) => line["gift_card"] === true)) return true;
  return goods.length > 0 && goods.every((line) => line["gift_card"] === false) ? false : undefined;
}

/** Undefined if a line has no quantity, since the sum would be incomplete. */
function toQuantity(goods: readonly JsonObject[]): number | undefined {
  let sum = 0;
  for (const line of goods) {
    const quantity = toDecimal(line["quantity"]);
    if (quantity === undefined || !Number.isSafeInteger(quantity) || quantity < 0) return undefined;
    sum += quantity;
  }
  return goods.length > 0 && Number.isSafeInteger(sum) ? sum : undefined;
}

/** A code without a discount, as for free shipping, counts too. */
function isDiscounted(payload: JsonObject): boolean | undefined {
  const lists = [payload["discount_codes"], payload["discount_applications"]];
  const total = toDecimal(payload["total_discounts"]);
  if ((total ?? 0) > 0 || lists.some((list) => toJsonObjects(list).length > 0)) return true;
  return total === 0 || lists.every((list) => Array.isArray(list)) ? false : undefined;
}

/** Orders of private customers have a company that is null. Older payloads lack the field. */
function isCompanyOrder(company: unknown): boolean | undefined {
  if (company === null) return false;
  return toJsonObject(company) === undefined ? undefined : true;
}

function toCode(value: unknown): string | undefined {
  return typeof value === "string" && /^[A-Za-z]$/.test(value) ? value.toUpperCase() : undefined;
}

function toBin(value: unknown): string | undefined {
  return typeof value === "string" && /^\d{4,8}$/.test(value) ? value : undefined;
}
