/** One parcel, or one service, of an order that was sent. */
export interface Shipment {
  /** When the shop sent it, milliseconds since the epoch. */
  readonly sentAtMs: number | null;
  /** When it was delivered, as the carrier or the shop reported. Null: nobody reported it. */
  readonly deliveredAtMs: number | null;
  /** Null: not known. */
  readonly carrier: string | null;
  readonly trackingNumbers: readonly string[];
}

/** How an order was sent. */
export interface Shipping {
  readonly shipments: readonly Shipment[];
  /** There may be more shipments than these. */
  readonly hasMore: boolean;
  /** How many units weren't sent yet. Null: not known. */
  readonly unsentUnits: number | null;
}

/** The parts of a platform's form for a dispute's evidence that Holdfast can fill. */
export const EVIDENCE_FIELDS = [
  "firstName",
  "lastName",
  "email",
  "shippingAddress",
  "accessLog",
  "statement",
] as const;
export type EvidenceField = (typeof EVIDENCE_FIELDS)[number];

export interface EvidenceAddress {
  readonly street?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly country?: string | undefined;
}

/** What to fill in. An absent field isn't changed. */
export interface EvidenceDraft {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
  readonly shippingAddress?: EvidenceAddress | undefined;
  /** What the buyer did in the shop, with times. */
  readonly accessLog?: string | undefined;
  readonly statement?: string | undefined;
}

/**
 * Why a dispute's evidence can't be saved as a draft. `not-allowed`: the app lacks the permission. `unknown`: it isn't a
 * dispute of the platform's own payments, or the platform doesn't show it. `submitted`: somebody sent evidence already.
 * `past-due`: the bank's deadline has passed. `invalid`: the platform refuses what was written.
 */
export const EVIDENCE_OBSTACLES = ["not-allowed", "unknown", "submitted", "past-due", "invalid"] as const;
export type EvidenceObstacle = (typeof EVIDENCE_OBSTACLES)[number];

/** A dispute's form on the platform. */
export type EvidenceForm =
  /** `filled`: fields with a content, from the platform or from people. */
  | { readonly outcome: "open"; readonly filled: readonly EvidenceField[] }
  | { readonly outcome: "closed"; readonly why: EvidenceObstacle };

export type EvidenceSaved =
  /** `fields`: those that were written. Fields that had a content meanwhile weren't. */
  | { readonly outcome: "saved"; readonly fields: readonly EvidenceField[] }
  | { readonly outcome: "refused"; readonly why: EvidenceObstacle };
