export { verifyOrder } from "./route-handler.ts";
export type {
  CheckedHandler,
  CheckHandler,
  InvalidOrderHandler,
  VerifyOrderOptions,
} from "./route-handler.ts";
