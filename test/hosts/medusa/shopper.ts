/** What `seed.js` created. */
export interface Seeded {
  readonly key: string;
  readonly region: string;
  readonly option: string;
  readonly variant: string;
}

/** An answer of Medusa, with its status. */
export interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly message?: string;
  readonly order?: { readonly id: string };
}

/** An order as staff see it. */
export interface StaffOrder {
  readonly status: string;
  readonly email: string;
  readonly payment_status: string;
  readonly items: readonly { readonly id: string }[];
  readonly metadata: { readonly holdfast?: Readonly<Record<string, unknown>> };
}

const ADDRESS = {
  first_name: "Ada",
  last_name: "Byron",
  address_1: "500 W 2nd St",
  city: "Austin",
  province: "TX",
  postal_code: "78701",
  country_code: "us",
  phone: "+15125550100",
};

/** A client of a Medusa shop: a buyer of one mug without an account, or staff after signing in. */
export class Shopper {
  readonly #address: string;
  readonly #seeded: Seeded;
  #token: string | undefined;
  #cart = "";

  constructor(address: string, seeded: Seeded) {
    this.#address = address;
    this.#seeded = seeded;
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T & { readonly status: number }> {
    const answer = await fetch(`${this.#address}${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        "x-publishable-api-key": this.#seeded.key,
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { ...((await answer.json()) as T), status: answer.status };
  }

  /** Everything up to placing the order. */
  async fillCart(email: string): Promise<void> {
    const { region, option, variant } = this.#seeded;
    const { cart } = await this.#call<{ cart: { id: string } }>("POST", "/store/carts", {
      region_id: region,
      email,
      shipping_address: ADDRESS,
      billing_address: ADDRESS,
      items: [{ variant_id: variant, quantity: 1 }],
    });
    this.#cart = cart.id;
    await this.#call("POST", `/store/carts/${cart.id}/shipping-methods`, { option_id: option });
    const { payment_collection: collection } = await this.#call<{ payment_collection: { id: string } }>(
      "POST",
      "/store/payment-collections",
      { cart_id: cart.id },
    );
    await this.#call("POST", `/store/payment-collections/${collection.id}/payment-sessions`, {
      provider_id: "pp_system_default",
    });
  }

  /** Put another email address on the cart. */
  becomes(email: string): Promise<Answer> {
    return this.#call("POST", `/store/carts/${this.#cart}`, { email });
  }

  complete(): Promise<Answer> {
    return this.#call("POST", `/store/carts/${this.#cart}/complete`);
  }

  async signIn(staff: { readonly email: string; readonly password: string }): Promise<this> {
    this.#token = (await this.#call<{ token: string }>("POST", "/auth/user/emailpass", staff)).token;
    return this;
  }

  async find(id: string): Promise<StaffOrder> {
    const fields = "id,status,email,payment_status,metadata,*items";
    return (await this.#call<{ order: StaffOrder }>("GET", `/admin/orders/${id}?fields=${fields}`)).order;
  }

  /** Try to fulfill an order. */
  async fulfill(id: string): Promise<Answer> {
    const { items } = await this.find(id);
    const body = { items: items.map((item) => ({ id: item.id, quantity: 1 })) };
    return this.#call("POST", `/admin/orders/${id}/fulfillments`, body);
  }
}
