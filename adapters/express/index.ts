export { verifyOrder } from "./middleware.ts";
export type { CheckHandler, InvalidOrderHandler, VerifyOrderOptions } from "./middleware.ts";
