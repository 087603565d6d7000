export { fromMedusaCart, fromMedusaOrder } from "./from-medusa.ts";
