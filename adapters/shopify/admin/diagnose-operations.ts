/**
 * What a shop lets the app do: granted scopes, API versions, and the subscriptions that were made over the API beside
 * those of `shopify.app.toml`, which Shopify does not list.
 */
export const DIAGNOSE_SHOP = /* GraphQL */ `
  query DiagnoseShop($topics: [WebhookSubscriptionTopic!]!) {
    currentAppInstallation {
      id
      accessScopes {
        handle
      }
    }
    publicApiVersions {
      handle
      supported
    }
    webhookSubscriptions(first: 100, topics: $topics) {
      nodes {
        id
        topic
      }
    }
  }
`;
