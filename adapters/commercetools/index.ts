export { fromCommercetoolsOrder } from "./from-commercetools.ts";
