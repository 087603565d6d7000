/** Subscriptions that were made over the API, of some topics. */
const SUBSCRIPTIONS = /* GraphQL */ `
  webhookSubscriptions(first: 100, topics: $topics) {
    nodes {
      id
      topic
    }
  }
`;

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
    ${SUBSCRIPTIONS}
  }
`;

/** Subscriptions that were made over the API, of some topics. */
export const LIST_SUBSCRIPTIONS = /* GraphQL */ `
  query ListSubscriptions($topics: [WebhookSubscriptionTopic!]!) {
    ${SUBSCRIPTIONS}
  }
`;

/** Subscribe to a topic in one shop. */
export const SUBSCRIBE = /* GraphQL */ `
  mutation Subscribe($topic: WebhookSubscriptionTopic!, $uri: String!) {
    webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri }) {
      userErrors {
        field
      }
    }
  }
`;
