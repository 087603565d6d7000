export { HoldfastModule, SCREENER } from "./module.ts";
export { CheckedOrder, verifyOrder } from "./order-guard.ts";
export type { CheckHandler, InvalidOrderHandler, NestRequest, VerifyOrderOptions } from "./order-guard.ts";
