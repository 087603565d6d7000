import "@shopify/ui-extensions";

declare global {
  /** What the admin provides to a block on an order's page. */
  const shopify: import("@shopify/ui-extensions/admin.order-details.block.render").Api;
}
