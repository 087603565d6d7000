export { fromEverShopCart } from "./from-evershop.ts";
