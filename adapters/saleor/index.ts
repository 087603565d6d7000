export { fromSaleorOrder } from "./from-saleor.ts";
