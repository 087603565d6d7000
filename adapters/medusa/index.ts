export { fromMedusaCart, fromMedusaOrder } from "./from-medusa.ts";
export { createHoldfast, ORDER_EVENTS } from "./holdfast.ts";
export type { MedusaHoldfast, MedusaHoldfastOptions } from "./holdfast.ts";
export { createMedusaShop } from "./shop.ts";
export type { Container } from "./services.ts";
