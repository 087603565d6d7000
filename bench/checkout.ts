/** The route of the shop. */
export const CHECKOUT_PATH = "/orders";
/** Orders with stored answers, requested in turn. */
export const CHECKED_ORDERS = 200;
