export { fromStripePaymentIntent, fromStripeSession } from "./from-stripe.ts";
