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

/** What differs between orders. */
export interface OrderPayloadOptions {
  /** Digits. */
  readonly orderId: string;
  /** The part of its name after `#`. */
  readonly number: number;
  readonly email: string;
  /** In US dollars, with two decimals. */
  readonly amount: string;
  /** ISO 8601, in UTC, to the second. */
  readonly createdAt: string;
  /** Fields of Shopify's order that replace the ordinary ones. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** The body of an ordinary order's `orders/create` delivery, as text: its ID may not fit into a number. */
export function toOrderPayload(options: OrderPayloadOptions): string {
  const { orderId, number, email, amount, createdAt, fields } = options;
  const payload = {
    admin_graphql_api_id: `gid://shopify/Order/${orderId}`,
    name: `#${number}`,
    order_number: number,
    email,
    contact_email: email,
    phone: null,
    currency: "USD",
    total_price: amount,
    created_at: createdAt,
    processed_at: createdAt,
    updated_at: createdAt,
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
    ...fields,
  };
  return `{"id":${orderId},${JSON.stringify(payload).slice(1)}`;
}
