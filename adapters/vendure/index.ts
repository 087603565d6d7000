export { fromVendureOrder, type VendureOptions } from "./from-vendure.ts";
export { CHECKER_CODE, createHoldfastPlugin } from "./plugin.ts";
export type { HoldfastPlugin, HoldfastPluginOptions } from "./plugin.ts";
export type { CheckoutOptions } from "./checkout.ts";
export type { VendureCore } from "./core.ts";
