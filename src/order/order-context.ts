import { z } from "zod";

/** What a platform advises to do with an order. */
export const PLATFORM_RISKS = ["accept", "investigate", "cancel"] as const;
/** What a platform advises to do with an order. */
export type PlatformRisk = (typeof PLATFORM_RISKS)[number];

/**
 * How far a platform's protection against fraudulent chargebacks covers an order. `pending`: not known yet. `active`: a
 * chargeback would be paid back. `inactive`: the order doesn't qualify. The last two: there was a chargeback, and it was
 * paid back or wasn't.
 */
export const PROTECTIONS = ["pending", "active", "inactive", "protected", "not-protected"] as const;

/** Whether an order can be covered at all. */
const PROTECT_ELIGIBILITIES = ["pending", "eligible", "not-eligible"] as const;

const text = z.string().optional();
const texts = z.array(z.string()).readonly().optional();

const knownProduct = z
  .object({
    sku: z.string(),
    /** Levels from the top, for example `Shoes > Boots`. */
    category: text,
    brand: text,
    manufacturer: text,
  })
  .readonly();
/** What a catalog says about one product of an order. Unknown fields are absent. */
export type KnownProduct = z.infer<typeof knownProduct>;

/**
 * What a platform says about an order beyond what the verification service takes: how it was placed, paid and shipped.
 * It is for rules, reviewers and the local engine. It is never sent, doesn't change the fingerprint, and is stored
 * encrypted with the order. An absent field means unknown, and never gets a default.
 */
export const orderContextSchema = z
  .object({
    /**
     * `web`, `pos`, `draft` (made by staff), `subscription` (a renewal), `agent` (an AI agent placed it for the buyer), else the
     * platform's own name of the source.
     */
    channel: text,
    /** The language that the buyer used, e.g. `de` or `pt-BR`. */
    locale: text,
    /** Names of the payment gateways. */
    gateways: texts,
    /** May name somebody. */
    orderTags: texts,
    /** May name somebody. */
    customerTags: texts,
    /** As the customer saw them. */
    shippingMethods: texts,
    /** A gift card is among the goods. */
    giftCard: z.boolean().optional(),
    /** Units of all goods, without tips. */
    quantity: z.number().optional(),
    /** Any discount was used. */
    discount: z.boolean().optional(),
    /** Each SKU once. Looked up when the order is decided. */
    products: z
      .array(knownProduct)
      .readonly()
      .optional()
      .describe("the order's products that the shop's catalog knows"),
    /** A company buys (B2B). */
    companyOrder: z.boolean().optional(),
    /** Name of the terms under which it is paid later. */
    paymentTerms: text,
    /** Result code of the address verification system. */
    avs: text,
    /** Result code of the card's security code. */
    cvv: text,
    /** First digits of the card number, which identify its issuer. */
    bin: text,
    /** The wallet that the card was in. */
    wallet: text,
    /** The platform's own risk for the order, at the time of the check. */
    platformRisk: z.enum(PLATFORM_RISKS).optional(),
    /** Absent where the platform has no such protection for the order. */
    protect: z
      .enum(PROTECTIONS)
      .optional()
      .describe(
        "the platform's chargeback protection; an active one needs the order shipped in time, with tracking",
      ),
    protectEligibility: z.enum(PROTECT_ELIGIBILITIES).optional(),
    /** When the payment's authorization ends, ISO 8601 in UTC. */
    authorizationExpiresAt: text,
  })
  .readonly();
/** What a platform says about an order beyond what the verification service takes. */
export type OrderContext = z.infer<typeof orderContextSchema>;
