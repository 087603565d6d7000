import type { LocalAssessment } from "../../src/engine/engine.ts";
import type { VerificationRequest } from "../../src/order/request.ts";
import type { RiskLevel } from "../../src/order/risk-level.ts";
import { orderWith } from "./sample-order.ts";

/** Fields that replace those of an order. */
export type Changes = Partial<VerificationRequest>;
export const GIVEN =
  "Anna Peter Lucy Tom Mary Robert Linda James Karen Brian Susan David Nancy Paul Carol Mark".split(" ");
export const FAMILY =
  "Smith Jones Brown Davis Wilson Moore Taylor White Hall King Hill Green Baker Adams Nelson Carter Reed Cook".split(
    " ",
  );
const CITIES = [
  ["Austin", "TX", "78701"],
  ["Tampa", "FL", "33602"],
  ["Seattle", "WA", "98101"],
  ["Denver", "CO", "80202"],
  ["Boston", "MA", "02108"],
] as const;
export const CAMPUS = {
  street: "200 College Ave",
  city: "Ithaca",
  state: "NY",
  postalCode: "14850",
  country: "US",
};

/** A person with their own card, home and mailbox; two of three have ordered before. */
function person(index: number, changes: Changes = {}): VerificationRequest {
  const given = GIVEN[index % GIVEN.length] ?? "";
  const family = FAMILY[(index * 5) % FAMILY.length] ?? "";
  const [city, state, postalCode] = CITIES[index % CITIES.length] ?? CITIES[0];
  const home = { street: `${index + 3} Oak Street`, city, state, postalCode, country: "US" };
  const isNew = index % 3 === 0;
  return orderWith({
    orderAmount: 35 + ((index * 37) % 150),
    items: [{ name: "Desk lamp", quantity: 1, price: 35 + ((index * 37) % 150) }],
    customerName: `${given} ${family}`,
    customerEmail: `${given}.${family}${index}@gmail.com`.toLowerCase(),
    isFirstTimeCustomer: isNew,
    accountAgeInDays: isNew ? 0 : 200,
    totalOrders: isNew ? 0 : 4,
    fulfilledOrders: isNew ? 0 : 4,
    averageOrderValue: isNew ? 0 : 80,
    billingAddress: home,
    shippingAddress: home,
    paymentInfo: {
      brand: "visa",
      lastFourDigits: String(3000 + index * 7),
      expiry: "08/28",
      holderName: `${given} ${family}`,
    },
    ipAddress: `73.158.${index}.15`,
    ...changes,
  });
}

export const NEW: Changes = {
  isFirstTimeCustomer: true,
  accountAgeInDays: 0,
  totalOrders: 0,
  fulfilledOrders: 0,
  averageOrderValue: 0,
};
export const KNOWN: Changes = {
  isFirstTimeCustomer: false,
  accountAgeInDays: 200,
  totalOrders: 4,
  fulfilledOrders: 4,
  averageOrderValue: 80,
};
export const people = (count: number, change: (index: number) => Changes): readonly VerificationRequest[] =>
  Array.from({ length: count }, (_, index) => person(index, change(index)));
export const card = (holderName: string, lastFourDigits = "4567") => ({
  brand: "visa",
  lastFourDigits,
  expiry: "08/28",
  holderName,
});
export const family = (index: number): Changes => {
  const given = GIVEN[index] ?? "";
  return {
    customerName: `${given} Miller`,
    customerEmail: `${given.toLowerCase()}.miller@gmail.com`,
    shippingAddress: CAMPUS,
    billingAddress: CAMPUS,
    ipAddress: "73.158.64.15",
  };
};

/** How many answers have each level. */
export function countLevels(
  answers: readonly LocalAssessment[],
): Readonly<Partial<Record<RiskLevel, number>>> {
  return Object.fromEntries(
    [...Map.groupBy(answers, ({ riskLevel }) => riskLevel)].map(([level, of]) => [level, of.length]),
  );
}
