/** One order of the demo: its content and the expected result. */
export interface DemoOrder {
  readonly orderId: string;
  readonly story: string;
  readonly email: string;
  readonly amount: string;
  /** Changes to the ordinary payload. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** Fulfilment is routed only after the order arrived, as on the platform. */
  readonly routedLate?: boolean;
  readonly expected: {
    /** Correct levels; null for an order that has none. */
    readonly levels: readonly (string | null)[];
    readonly actions: readonly string[];
    readonly credits: number;
    readonly shown: { readonly held: boolean; readonly cancelled: boolean; readonly tags: readonly string[] };
  };
}

const ALONE = { held: false, cancelled: false, tags: [] };
/** With a configured service, an order that the local engine rates low has no level. */
const LOCAL_LEVELS = [null, "medium", "high", "critical"];

/** IDs past 2^53, as in new shops. A JavaScript number would lose digits. */
const FIRST_ID = 9_820_982_911_946_154_000n;

const STORIES: readonly Omit<DemoOrder, "orderId">[] = [
  {
    story: "ordinary order",
    email: "low@risk.example",
    amount: "59.90",
    expected: { levels: ["low"], actions: ["allow"], credits: 1, shown: ALONE },
  },
  {
    story: "worth a look",
    email: "medium@risk.example",
    amount: "129.00",
    expected: {
      levels: ["medium"],
      actions: ["tag"],
      credits: 1,
      shown: { ...ALONE, tags: ["holdfast-medium"] },
    },
  },
  {
    story: "risky, routed late",
    email: "high@risk.example",
    amount: "899.00",
    routedLate: true,
    expected: {
      levels: ["high"],
      actions: ["hold"],
      credits: 1,
      shown: { held: true, cancelled: false, tags: ["holdfast-high"] },
    },
  },
  {
    story: "fraud",
    email: "critical@risk.example",
    amount: "2400.00",
    expected: {
      levels: ["critical"],
      actions: ["cancel"],
      credits: 1,
      shown: { held: false, cancelled: true, tags: ["holdfast-critical"] },
    },
  },
  {
    story: "last score of medium",
    email: "score-60@risk.example",
    amount: "75.00",
    payload: { shipping_address: null },
    expected: {
      levels: ["medium"],
      actions: ["tag"],
      credits: 1,
      shown: { ...ALONE, tags: ["holdfast-medium"] },
    },
  },
  {
    story: "test order",
    email: "buyer@example.com",
    amount: "59.90",
    payload: { test: true },
    expected: { levels: LOCAL_LEVELS, actions: ["allow", "tag", "hold"], credits: 0, shown: ALONE },
  },
  {
    story: "free order",
    email: "low@risk.example",
    amount: "0.00",
    expected: { levels: [null], actions: ["allow"], credits: 0, shown: ALONE },
  },
  {
    story: "canceled in the shop",
    email: "critical@risk.example",
    amount: "310.00",
    payload: { cancelled_at: "2026-11-20T10:05:00Z", cancel_reason: "customer" },
    expected: { levels: [null], actions: ["allow"], credits: 0, shown: ALONE },
  },
];

/** The orders of the demo. */
export const DEMO_ORDERS: readonly DemoOrder[] = STORIES.map((story, index) => ({
  orderId: String(FIRST_ID + BigInt(index + 1)),
  ...story,
}));

const ADDRESS = {
  first_name: "Jane",
  last_name: "Example",
  name: "Jane Example",
  company: null,
  address1: "350 Fifth Avenue",
  address2: "Floor 3",
  city: "New York",
  zip: "10118",
  province: "New York",
  province_code: "NY",
  country: "United States",
  country_code: "US",
  phone: null,
};

/** The body of the order's `orders/create` delivery, as text: its id wouldn't fit into a number. */
export function toPayload(order: DemoOrder, number: number): string {
  const { orderId, email, amount } = order;
  const payload = {
    admin_graphql_api_id: `gid://shopify/Order/${orderId}`,
    name: `#${1000 + number}`,
    order_number: 1000 + number,
    email,
    contact_email: email,
    phone: null,
    currency: "USD",
    total_price: amount,
    created_at: "2026-11-20T10:00:00Z",
    processed_at: "2026-11-20T10:00:00Z",
    updated_at: "2026-11-20T10:00:01Z",
    cancelled_at: null,
    test: false,
    source_name: "web",
    browser_ip: "198.51.100.24",
    client_details: {
      user_agent:
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15",
    },
    customer: {
      first_name: "Jane",
      last_name: "Example",
      email,
      created_at: "2024-03-01T09:00:00Z",
      phone: null,
    },
    billing_address: ADDRESS,
    shipping_address: ADDRESS,
    line_items: [
      { name: "Travel mug", title: "Travel mug", quantity: 1, price: amount, sku: "MUG-1", gift_card: false },
    ],
    ...order.payload,
  };
  return `{"id":${orderId},${JSON.stringify(payload).slice(1)}`;
}
