export { verifyOrder } from "./middleware.ts";
export type { CheckHandler, InvalidOrderHandler, OrderHook, VerifyOrderOptions } from "./middleware.ts";
