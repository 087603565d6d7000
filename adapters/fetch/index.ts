export { verifyOrder } from "./guard.ts";
export type {
  CheckedHandler,
  CheckHandler,
  InvalidOrderHandler,
  OrderGuard,
  VerifyOrderOptions,
} from "./guard.ts";
