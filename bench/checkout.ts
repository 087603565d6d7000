/** The route of the shop. */
export const CHECKOUT_PATH = "/orders";
/** Orders whose answers are kept, asked about in turn. */
export const CHECKED_ORDERS = 200;
