export { createStripeCardCodes, type StripeCardCodesOptions } from "./card-codes.ts";
export type {
  StripeCardCharge,
  StripeCardIntent,
  StripeCardMethod,
  StripeCodeClient,
} from "./card-code-client.ts";
export { fromStripePaymentIntent, fromStripeSession } from "./from-stripe.ts";
export { createManualCapture } from "./manual-capture.ts";
export type {
  CaptureOutcome,
  LateSettlement,
  ManualCapture,
  ManualCaptureOptions,
  PaymentOrder,
  Settlement,
  StripeClient,
  StripePaymentIntent,
} from "./manual-capture.ts";
export type { ReviewedIntent, StripeReview } from "./radar-review.ts";
