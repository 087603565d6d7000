export { verifyOrder } from "./middleware.ts";
export type {
  CheckHandler,
  HonoContext,
  InvalidOrderHandler,
  Next,
  OrderCheckVariables,
  OrderMiddleware,
  VerifyOrderOptions,
} from "./middleware.ts";
