import type { OrderAddress, VerificationRequest } from "../../src/order/request.ts";

/** An order as a shop might have it. */
export interface MadeOrder {
  readonly request: VerificationRequest;
  readonly amount: number;
  readonly name: string;
}

const FIRST_ID = 9_820_982_900_000_000_000n;
const GOODS = [
  ["Travel mug", 24.9],
  ["Wool blanket", 89],
  ["Desk lamp", 64.5],
  ["Running shoes", 129],
  ["Headphones", 249],
  ["Espresso machine", 579],
  ["Camera body", 1_899],
  ["Gift card", 100],
] as const;
const CITIES: readonly OrderAddress[] = [
  { street: "350 Fifth Avenue", city: "New York", state: "NY", postalCode: "10118", country: "US" },
  { street: "233 South Wacker Drive", city: "Chicago", state: "IL", postalCode: "60606", country: "US" },
  { street: "600 Congress Avenue", city: "Austin", state: "TX", postalCode: "78701", country: "US" },
  { street: "1201 Third Avenue", city: "Seattle", state: "WA", postalCode: "98101", country: "US" },
];
const ABROAD: OrderAddress = {
  street: "8 Marina Boulevard",
  city: "Singapore",
  state: "Singapore",
  postalCode: "018981",
  country: "SG",
};
/** How risky orders are, 0 to 4: most are not. */
const RISKS = [
  0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 1, 0, 0, 3, 0, 0, 0, 1, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0,
] as const;

/** Order number `number`. The same number gives the same order, except for its time. */
export function toMadeOrder(number: number, atMs: number): MadeOrder {
  const risk = RISKS[number % RISKS.length] ?? 0;
  const quantity = 1 + (number % 3) + (risk > 2 ? 3 : 0);
  const [title, price] = GOODS[(number * 7 + risk * 2) % GOODS.length] ?? GOODS[0];
  const amount = Math.round(price * quantity * 100) / 100;
  const home = CITIES[(number * 5) % CITIES.length] ?? ABROAD;
  const request: VerificationRequest = {
    orderId: String(FIRST_ID + BigInt(number)),
    orderAmount: amount,
    currency: "USD",
    orderTimestamp: new Date(atMs).toISOString(),
    items: [{ name: title, quantity, price, sku: `SKU-${number % 50}` }],
    customerName: "Jane Example",
    customerEmail: risk > 1 ? `xk${number}qzv7@mail.example` : `jane.example${number % 4_000}@mail.example`,
    isFirstTimeCustomer: risk > 0 || number % 3 === 0,
    accountAgeInDays: risk > 1 ? 0 : 30 + (number % 900),
    billingAddress: home,
    shippingAddress: risk > 1 ? ABROAD : home,
    ...(risk > 1 && { customerPhone: "+1 212 555 0100" }),
    ...(risk > 2 && { ipAddress: "185.220.101.4" }),
    paymentInfo: { brand: risk > 3 ? "prepaid" : "visa", lastFourDigits: String(1_000 + number).slice(-4) },
  };
  return { request, amount, name: `#${1_001 + number}` };
}
