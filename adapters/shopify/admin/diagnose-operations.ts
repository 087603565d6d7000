/** Subscriptions to some topics that were made over the API. */
const SUBSCRIPTIONS = /* GraphQL */ `
  webhookSubscriptions(first: 100, topics: $topics) {
    nodes {
      id
      topic
    }
  }
`;

/**
 * What a shop lets the app do: granted scopes, API versions, and the subscriptions made over the API. Shopify doesn't
 * list the subscriptions of `shopify.app.toml`.
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

/** Subscriptions to some topics that were made over the API. */
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
