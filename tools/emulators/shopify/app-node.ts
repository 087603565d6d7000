import type { EmulatedShop } from "./emulated-shop.ts";
import { toConnection, type GraphNode, type PageArguments } from "./graph-node.ts";

/** The app's installation in a shop as the schema shows it. */
export function toInstallationNode(shop: EmulatedShop): GraphNode {
  return {
    __typename: "AppInstallation",
    id: "gid://shopify/AppInstallation/1",
    accessScopes: shop.scopes.map((handle) => ({ handle })),
    activeSubscriptions: shop.plans.map((status, index) => ({
      __typename: "AppSubscription",
      id: `gid://shopify/AppSubscription/${index + 1}`,
      status,
    })),
  };
}

/** API versions as the schema shows them; the one that is never supported is among them. */
export function toVersionNodes(shop: EmulatedShop): readonly GraphNode[] {
  return [
    ...shop.versions.map((handle) => ({ handle, supported: true })),
    { handle: "unstable", supported: false },
  ];
}

/** Subscriptions that were made over the API, of the topics that are asked for. */
export function findSubscriptions(
  shop: EmulatedShop,
  { topics, ...page }: PageArguments & { readonly topics?: readonly string[] | null },
): GraphNode {
  const found = shop.subscriptions.filter((topic) => topics?.includes(topic) ?? true);
  return toConnection(found, page, (topic) => ({
    __typename: "WebhookSubscription",
    id: `gid://shopify/WebhookSubscription/${topic}`,
    topic,
  }));
}
