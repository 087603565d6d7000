/** A payment's answer. */
export interface Paid {
  readonly __typename: string;
  readonly id?: string;
  readonly state?: string;
  readonly eligibilityCheckerMessage?: string;
}

const ADDRESS = {
  fullName: "Ada Byron",
  streetLine1: "500 W 2nd St",
  city: "Austin",
  province: "TX",
  postalCode: "78701",
  countryCode: "US",
  phoneNumber: "+15125550100",
};

const ERRORS = "__typename ... on ErrorResult { message }";

/** A client of a Vendure shop: a buyer without an account, or staff. */
export class Visitor {
  #token: string | undefined;

  readonly #api: string;

  constructor(api: string) {
    this.#api = api;
  }

  /** Run a query; rejects with GraphQL's errors. */
  async ask<T>(query: string, variables: object = {}): Promise<T> {
    const headers = {
      "content-type": "application/json",
      ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
    };
    const body = JSON.stringify({ query, variables });
    const answer = await fetch(this.#api, { method: "POST", headers, body });
    this.#token ??= answer.headers.get("vendure-auth-token") ?? undefined;
    const { data, errors } = (await answer.json()) as { data: T; errors?: unknown };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data;
  }
}

/** A buyer of one mug. */
export class Buyer extends Visitor {
  /** Everything up to the payment. Resolves to the order's id. */
  async fillCart(emailAddress: string): Promise<string> {
    const added = await this.ask<{ addItemToOrder: { id: string } }>(
      `mutation { addItemToOrder(productVariantId: "1", quantity: 1) { ${ERRORS} ... on Order { id } } }`,
    );
    await this.becomes(emailAddress);
    await this.ask(
      `mutation($input: CreateAddressInput!) { setOrderShippingAddress(input: $input) { ${ERRORS} }
        setOrderBillingAddress(input: $input) { ${ERRORS} } }`,
      { input: ADDRESS },
    );
    const { eligibleShippingMethods } = await this.ask<{ eligibleShippingMethods: { id: string }[] }>(
      "{ eligibleShippingMethods { id } }",
    );
    await this.ask(
      `mutation($ids: [ID!]!) { setOrderShippingMethod(shippingMethodId: $ids) { ${ERRORS} } }`,
      {
        ids: eligibleShippingMethods.map(({ id }) => id),
      },
    );
    const { transitionOrderToState: moved } = await this.ask<{ transitionOrderToState: { state: string } }>(
      `mutation { transitionOrderToState(state: "ArrangingPayment") { ${ERRORS} ... on Order { state } } }`,
    );
    if (moved.state !== "ArrangingPayment") throw new Error(JSON.stringify(moved));
    return added.addItemToOrder.id;
  }

  /** Put another email address on the order, which Vendure allows until it's placed. */
  async becomes(emailAddress: string): Promise<void> {
    await this.ask(
      `mutation($input: CreateCustomerInput!) { setCustomerForOrder(input: $input) { ${ERRORS} } }`,
      {
        input: { emailAddress, firstName: "Ada", lastName: "Byron" },
      },
    );
  }

  async pay(metadata: object = {}): Promise<Paid> {
    const { addPaymentToOrder } = await this.ask<{ addPaymentToOrder: Paid }>(
      `mutation($metadata: JSON!) { addPaymentToOrder(input: { method: "slow", metadata: $metadata }) {
        ${ERRORS} ... on Order { id state } ... on IneligiblePaymentMethodError { eligibilityCheckerMessage } } }`,
      { metadata },
    );
    return addPaymentToOrder;
  }
}

/** An order as staff see it. */
export interface StaffOrder {
  readonly state: string;
  readonly customFields: Readonly<Record<string, unknown>>;
  readonly lines: readonly { readonly id: string }[];
  readonly payments: readonly {
    readonly state: string;
    readonly refunds: readonly { readonly total: number }[];
  }[];
}

/** The shop's staff, signed in. */
export class Staff extends Visitor {
  async signIn(): Promise<this> {
    await this.ask(
      'mutation { login(username: "superadmin", password: "superadmin") { __typename ... on CurrentUser { id } } }',
    );
    return this;
  }

  async find(id: string): Promise<StaffOrder> {
    const { order } = await this.ask<{ order: StaffOrder }>(
      `query($id: ID!) { order(id: $id) { state lines { id } payments { state refunds { total } } customFields {
        holdfastRiskLevel holdfastAction holdfastCheckId holdfastHold holdfastTags } } }`,
      { id },
    );
    return order;
  }

  /** Try to fulfill an order: the state of the fulfillment, or why there is none. */
  async fulfill(id: string): Promise<string> {
    const { lines } = await this.find(id);
    const { addFulfillmentToOrder: answer } = await this.ask<{
      addFulfillmentToOrder: { state?: string; fulfillmentHandlerError?: string; message?: string };
    }>(
      `mutation($lines: [OrderLineInput!]!) { addFulfillmentToOrder(input: { lines: $lines, handler: {
        code: "manual-fulfillment", arguments: [{ name: "method", value: "by hand" }] } }) {
        ${ERRORS} ... on Fulfillment { state } ... on CreateFulfillmentError { fulfillmentHandlerError } } }`,
      { lines: lines.map(({ id: orderLineId }) => ({ orderLineId, quantity: 1 })) },
    );
    return answer.state ?? answer.fulfillmentHandlerError ?? answer.message ?? "";
  }
}
