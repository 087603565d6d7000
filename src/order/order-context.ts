/** What a platform advises to do with an order. */
export const PLATFORM_RISKS = ["accept", "investigate", "cancel"] as const;
/** What a platform advises to do with an order. */
export type PlatformRisk = (typeof PLATFORM_RISKS)[number];

/** How far a platform's protection against fraudulent chargebacks covers an order. */
export const PROTECTIONS = ["pending", "active", "inactive", "protected", "not-protected"] as const;
/**
 * How far a platform's protection against fraudulent chargebacks covers an order. `pending`: not known yet. `active`: a
 * chargeback would be paid back. `inactive`: the order doesn't qualify. The last two: there was a chargeback, and it was
 * paid back or wasn't.
 */
export type Protection = (typeof PROTECTIONS)[number];

/** Whether an order can be covered at all. */
export const PROTECT_ELIGIBILITIES = ["pending", "eligible", "not-eligible"] as const;
/** Whether an order can be covered at all. */
export type ProtectEligibility = (typeof PROTECT_ELIGIBILITIES)[number];

/** What a catalog says about one product of an order. Unknown fields are absent. */
export interface KnownProduct {
  readonly sku: string;
  /** Levels from the top, for example `Shoes > Boots`. */
  readonly category?: string | undefined;
  readonly brand?: string | undefined;
  readonly manufacturer?: string | undefined;
}

/**
 * What a platform says about an order beyond what the verification service takes: how it was placed, paid and shipped.
 * It is for rules, reviewers and the local engine. It is never sent, doesn't change the fingerprint, and is stored
 * encrypted with the order. An absent field means unknown, and never gets a default.
 */
export interface OrderContext {
  /** `web`, `pos`, `draft` (made by staff), `subscription` (a renewal), else the platform's own name of the source. */
  readonly channel?: string | undefined;
  /** Names of the payment gateways. */
  readonly gateways?: readonly string[] | undefined;
  /** May name somebody. */
  readonly orderTags?: readonly string[] | undefined;
  /** May name somebody. */
  readonly customerTags?: readonly string[] | undefined;
  /** As the customer saw them. */
  readonly shippingMethods?: readonly string[] | undefined;
  /** A gift card is among the goods. */
  readonly giftCard?: boolean | undefined;
  /** The order's products that a catalog knows, each SKU once. Looked up when the order is decided. */
  readonly products?: readonly KnownProduct[] | undefined;
  /** Units of all goods, without tips. */
  readonly quantity?: number | undefined;
  /** Any discount was used. */
  readonly discount?: boolean | undefined;
  /** A company buys (B2B). */
  readonly companyOrder?: boolean | undefined;
  /** Name of the terms under which it is paid later. */
  readonly paymentTerms?: string | undefined;
  /** Result code of the address verification system. */
  readonly avs?: string | undefined;
  /** Result code of the card's security code. */
  readonly cvv?: string | undefined;
  /** First digits of the card number, which identify its issuer. */
  readonly bin?: string | undefined;
  /** The wallet that the card was in. */
  readonly wallet?: string | undefined;
  /** The platform's own risk for the order, at the time of the check. */
  readonly platformRisk?: PlatformRisk | undefined;
  /** Absent where the platform has no such protection for the order. */
  readonly protect?: Protection | undefined;
  readonly protectEligibility?: ProtectEligibility | undefined;
  /** When the payment's authorization ends, ISO 8601 in UTC. */
  readonly authorizationExpiresAt?: string | undefined;
}
