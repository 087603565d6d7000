import {
  HoldfastError,
  type DecisionEvent,
  type HostOrder,
  type Logger,
  type OrderCheck,
  type Screener,
} from "../../src/index.ts";
import { fromStripePaymentIntent } from "./from-stripe.ts";
