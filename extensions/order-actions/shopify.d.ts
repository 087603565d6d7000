import "@shopify/ui-extensions";

declare global {
  /** What the admin provides to an action on an order's page, or in the list of orders. */
  const shopify:
    | import("@shopify/ui-extensions/admin.order-details.action.render").Api
    | import("@shopify/ui-extensions/admin.order-index.selection-action.render").Api;
}
