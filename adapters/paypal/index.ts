export { fromPayPalOrder } from "./from-paypal.ts";
