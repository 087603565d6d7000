/** Marks the small amounts that show codes, so that nothing takes them for payments of orders. */
export const CARD_CODE_MARK = { holdfast: "card-code" } as const;

export function isMarked({ metadata }: { readonly metadata?: Readonly<Record<string, string>> | null }) {
  return metadata?.["holdfast"] === CARD_CODE_MARK.holdfast;
}

/** The parts of a payment method that are used. */
export interface StripeCardMethod {
  readonly id: string;
  readonly type: string;
  readonly customer: string | { readonly id: string } | null;
  readonly card?: { readonly fingerprint?: string | null } | null;
}

/** The parts of a payment intent that are used. */
export interface StripeCardIntent {
  readonly id: string;
  readonly status: string;
  readonly currency: string;
  readonly customer: string | { readonly id: string } | null;
  readonly payment_method: string | StripeCardMethod | null;
}

/** The parts of a charge that are used: Stripe makes one for each try to pay, also if the bank refused. */
export interface StripeCardCharge {
  readonly payment_method_details: {
    readonly type: string;
    readonly card?: { readonly fingerprint?: string | null } | null;
  } | null;
}

interface Request {
  readonly timeout: number;
  readonly maxNetworkRetries: number;
}

/** The parts of the `stripe` package's client that are used. */
export interface StripeCodeClient {
  readonly paymentIntents: {
    retrieve(id: string, params: { expand: string[] }, options: Request): Promise<StripeCardIntent>;
    create(
      params: {
        amount: number;
        currency: string;
        customer: string;
        payment_method: string;
        payment_method_types: string[];
        capture_method: "manual";
        statement_descriptor_suffix: string;
        description: string;
        metadata: Record<string, string>;
      },
      options: Request,
    ): Promise<{ readonly id: string }>;
    confirm(
      id: string,
      params: { off_session: true },
      options: Request,
    ): Promise<{ readonly status: string }>;
    cancel(id: string, params: { cancellation_reason: "abandoned" }, options: Request): Promise<unknown>;
  };
  readonly charges: {
    list(
      params: { payment_intent: string; limit: number },
      options: Request,
    ): PromiseLike<{ readonly data: readonly StripeCardCharge[]; readonly has_more: boolean }>;
  };
  readonly refunds: {
    create(params: { payment_intent: string }, options: Request): Promise<unknown>;
  };
}
