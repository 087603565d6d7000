import type { ConditionName } from "../../../src/policy/conditions/conditions.ts";
import { t } from "../base/texts.ts";

/** Groups of conditions inside conditions. */
export type GroupName = "any" | "not";
export const GROUP_WORDS: Readonly<Record<GroupName, { readonly title: string; readonly hint: string }>> = {
  any: { title: t("conditions.any"), hint: t("conditions.any-hint") },
  not: { title: t("conditions.not"), hint: t("conditions.not-hint") },
};
/** How deep groups nest. */
export const MOST_LEVELS = 2;

/** How the form groups conditions to choose from. */
export const CONDITION_GROUPS: readonly (readonly [title: string, names: readonly ConditionName[]])[] = [
  [t("conditions.group-amount"), ["minAmount", "maxAmount", "currency"]],
  [
    t("conditions.group-country"),
    ["shippingCountry", "billingCountry", "country", "shippingCountryDiffers", "ipCountryDiffers"],
  ],
  [
    t("conditions.group-customer"),
    [
      "firstTimeCustomer",
      "totalOrders",
      "timesAverage",
      "accountAgeDays",
      "companyOrder",
      "email",
      "emailDomain",
      "phone",
      "address",
      "customerTag",
    ],
  ],
  [
    t("conditions.group-goods"),
    ["sku", "product", "productCategory", "brand", "manufacturer", "quantity", "giftCard", "discount"],
  ],
  [
    t("conditions.group-placed"),
    [
      "channel",
      "gateway",
      "paymentBrand",
      "avs",
      "cvv",
      "orderTag",
      "shippingMethod",
      "platformRisk",
      "protect",
    ],
  ],
  [t("conditions.group-check"), ["level", "minScore", "maxScore", "factor", "degraded"]],
  [
    t("conditions.group-seen"),
    [
      "emailOrders1h",
      "emailCards24h",
      "emailAddresses7d",
      "emailNames7d",
      "ipEmails24h",
      "cardEmails7d",
      "cardAddresses7d",
      "addressEmails7d",
    ],
  ],
];
