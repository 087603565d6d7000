export type { NestRequest } from "./call.ts";
export { HoldfastModule, SCREENER } from "./module.ts";
export { CheckedOrder, verifyOrder } from "./order-guard.ts";
export type { CheckHandler, InvalidOrderHandler, VerifyOrderOptions } from "./order-guard.ts";
