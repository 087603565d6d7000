export { fromVendureOrder, type VendureOptions } from "./from-vendure.ts";
