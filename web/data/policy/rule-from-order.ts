import type { PolicyRule, RuleConditions } from "../../../src/policy/policy.ts";
import type { OrderDetail } from "../api/api-types.ts";
import { splitCode } from "../api/words.ts";
import { t } from "../base/texts.ts";

/** A customer's account is new up to this age. */
const NEW_DAYS = 30;
const GRAVE: ReadonlySet<string> = new Set(["high", "critical"]);
/** Of a bank's checks, these results don't match. */
const MISMATCH = "N";

/**
 * A rule for orders like this one: what stands out about it, as conditions that a person then keeps or removes. It names
 * nobody.
 */
export function toRuleLike(order: OrderDetail, names: readonly string[]): PolicyRule {
  return { name: toName(order.name, names), when: toConditions(order), then: { atLeast: "hold", tags: [] } };
}

function toConditions({ amount, currency, contents, context, factors }: OrderDetail): RuleConditions {
  const codes = factors
    .filter(({ severity }) => GRAVE.has(severity))
    .flatMap(({ description }) => splitCode(description).code ?? []);
  return {
    ...(amount !== null && currency !== null && { minAmount: toRound(amount), currency: [currency] }),
    ...(contents !== null && toCountryConditions(contents)),
    ...(contents !== null && toCustomerConditions(contents)),
    ...(context?.avs === MISMATCH && { avs: [MISMATCH] }),
    ...(context?.cvv === MISMATCH && { cvv: [MISMATCH] }),
    ...(codes.length > 0 && { factor: codes }),
  };
}

type Contents = NonNullable<OrderDetail["contents"]>;

function toCountryConditions({ countries }: Contents): RuleConditions {
  const { ip, shipping, billing } = countries;
  const isOther = (country: string | undefined) =>
    country !== undefined && billing !== undefined && country !== billing;
  return {
    ...(isOther(shipping) && { shippingCountryDiffers: true }),
    ...(shipping !== undefined && !isOther(shipping) && { shippingCountry: [shipping] }),
    ...(isOther(ip) && { ipCountryDiffers: true }),
  };
}

function toCustomerConditions({ buyer }: Contents): RuleConditions {
  const { earlierOrders, accountAgeInDays = Infinity } = buyer;
  return {
    ...(earlierOrders === 0 && { totalOrders: { max: 0 } }),
    ...(accountAgeInDays <= NEW_DAYS && { accountAgeDays: { max: NEW_DAYS } }),
  };
}

/** Rounded down to one digit, so that orders of about this size match: 640 is 600. */
function toRound(amount: number): number {
  if (amount < 1) return 0;
  const step = 10 ** Math.floor(Math.log10(amount));
  return Math.floor(amount / step) * step;
}

function toName(order: string, names: readonly string[]): string {
  const toNth = (number: number) =>
    number === 1 ? t("policy.like-order", { order }) : t("policy.like-order-again", { order, number });
  let number = 1;
  while (names.includes(toNth(number))) number += 1;
  return toNth(number);
}
