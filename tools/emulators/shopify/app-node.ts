import type { EmulatedShop } from "./emulated-shop.ts";
import { toConnection, type GraphNode, type PageArguments } from "./graph-node.ts";

/** The app under test, as others see it. */
export const APP_TITLE = "Holdfast";

/** The app's installation in a shop as the schema shows it. */
export function toInstallationNode(shop: EmulatedShop): GraphNode {
  return {
    __typename: "AppInstallation",
    id: "gid://shopify/AppInstallation/1",
    app: {
      __typename: "App",
      id: "gid://shopify/App/1",
      title: APP_TITLE,
      optionalAccessScopes: shop.optionalScopes.map((handle) => ({ handle })),
    },
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

/** What a topic takes beside the app's required scopes. */
const TOPIC_SCOPES: Readonly<Record<string, string>> = {
  DISPUTES_CREATE: "read_shopify_payments_disputes",
  DISPUTES_UPDATE: "read_shopify_payments_disputes",
};

/** Subscribe to a topic over the API, as strictly as the platform: with its scope, over https, once for each address. */
export function subscribe(
  shop: EmulatedShop,
  {
    topic,
    webhookSubscription: { uri },
  }: { readonly topic: string; readonly webhookSubscription: { readonly uri?: string | null } },
): GraphNode {
  const refuse = (...field: string[]) => ({ webhookSubscription: null, userErrors: [{ field }] });
  const scope = TOPIC_SCOPES[topic];
  if (scope !== undefined && !shop.scopes.includes(scope)) return refuse("topic");
  if (uri?.startsWith("https://") !== true) return refuse("webhookSubscription", "uri");
  if (shop.subscribed.get(topic) === uri) return refuse("webhookSubscription", "uri");
  shop.subscriptions = [...shop.subscriptions, topic];
  shop.subscribed.set(topic, uri);
  return { webhookSubscription: { id: `gid://shopify/WebhookSubscription/${topic}`, topic }, userErrors: [] };
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
