/** The parts of a Radar review that are used. */
export interface StripeReview {
  readonly open: boolean;
  /** Null while it is open. */
  readonly closed_reason?: string | null;
}

/** Where a payment intent has its review. Only an id is there if the review isn't expanded. */
export interface ReviewedIntent {
  readonly review?: string | StripeReview | null;
  readonly latest_charge?: string | { readonly review?: string | StripeReview | null } | null;
}

/** What to expand so that {@link findReview} can tell. */
export const REVIEW_FIELDS: readonly string[] = ["review", "latest_charge.review"];

/**
 * What Stripe's own review says about a payment. `approved`: there is none, or a person approved it. `open`: a person
 * decides, or it isn't known. `closed`: it ended otherwise, for example `disputed`.
 */
export type ReviewState = "approved" | "open" | "closed";

/** Find out what Stripe's review, of the payment or of its charge, says. */
export function findReview({ review, latest_charge: charge }: ReviewedIntent): ReviewState {
  const ofCharge = typeof charge === "object" ? charge?.review : undefined;
  const states = [toState(review), toState(ofCharge)];
  return states.find((state) => state === "open") ?? states.find((state) => state === "closed") ?? "approved";
}

function toState(review: ReviewedIntent["review"]): ReviewState {
  if (review === null || review === undefined) return "approved";
  if (typeof review === "string" || review.open) return "open";
  return review.closed_reason === "approved" ? "approved" : "closed";
}
