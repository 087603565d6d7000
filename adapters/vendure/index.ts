export { fromVendureOrder, type VendureOptions } from "./from-vendure.ts";
export { CHECKER_CODE, createHoldfastPlugin } from "./plugin.ts";
export type { HoldfastPlugin, HoldfastPluginOptions } from "./plugin.ts";
export type { CheckoutOptions } from "./checkout.ts";
export { createVendureShop } from "./shop.ts";
export type { Injector, VendureCore } from "./core.ts";
