import { PAGE_INFO } from "./pages.ts";

/** The fields read of each fulfillment order. */
export const FULFILLMENT_ORDER_PAGE = /* GraphQL */ `
  nodes {
    id
    status
    requestStatus
    supportedActions {
      action
    }
    fulfillmentHolds {
      id
      handle
      heldByRequestingApp
    }
  }
  ${PAGE_INFO}
`;

/** One page of an order's fulfillment orders with their holds. */
export const ORDER_FULFILLMENT_ORDERS = /* GraphQL */ `
  query OrderFulfillmentOrders($id: ID!, $after: String) {
    order(id: $id) {
      id
      cancelledAt
      fulfillmentOrders(first: 50, after: $after) {
        ${FULFILLMENT_ORDER_PAGE}
      }
    }
  }
`;

/**
 * How many lines of each fulfillment order {@link ORDER_GOODS} reads. A fulfillment order with that many is read
 * separately.
 */
export const ENTRY_LINES = 30;

/** Whether Shopify says that all of an order is on hold, and what the app may see. */
export const ORDER_COVERAGE = /* GraphQL */ `
  query OrderCoverage($id: ID!) {
    order(id: $id) {
      id
      displayFulfillmentStatus
    }
    currentAppInstallation {
      accessScopes {
        handle
      }
    }
  }
`;

/** How many units of an order still have to be fulfilled, and how many of them the visible fulfillment orders have. */
export const ORDER_GOODS = /* GraphQL */ `
  query OrderGoods($id: ID!, $afterLine: String, $afterEntry: String) {
    order(id: $id) {
      id
      lineItems(first: 50, after: $afterLine) {
        nodes {
          quantity
          unfulfilledQuantity
          nonFulfillableQuantity
        }
        ${PAGE_INFO}
      }
      fulfillmentOrders(first: 5, after: $afterEntry) {
        nodes {
          id
          status
          lineItems(first: ${ENTRY_LINES}) {
            nodes {
              remainingQuantity
            }
          }
        }
        ${PAGE_INFO}
      }
    }
  }
`;

/** How many units a fulfillment order with many lines still has to ship. */
export const FULFILLMENT_ORDER_GOODS = /* GraphQL */ `
  query FulfillmentOrderGoods($id: ID!, $after: String) {
    fulfillmentOrder(id: $id) {
      id
      lineItems(first: 200, after: $after) {
        nodes {
          remainingQuantity
        }
        ${PAGE_INFO}
      }
    }
  }
`;

/**
 * Cancel a request that a fulfillment service hasn't accepted yet. It works at once, and a new open fulfillment order
 * replaces it.
 */
export const CANCEL_FULFILLMENT_ORDER = /* GraphQL */ `
  mutation CancelFulfillmentOrder($id: ID!) {
    fulfillmentOrderCancel(id: $id) {
      replacementFulfillmentOrder {
        id
      }
      userErrors {
        field
      }
    }
  }
`;

/** Ask a fulfillment service to cancel a request that it has accepted. It may refuse. */
export const REQUEST_CANCELLATION = /* GraphQL */ `
  mutation RequestCancellation($id: ID!, $message: String!) {
    fulfillmentOrderSubmitCancellationRequest(id: $id, message: $message) {
      fulfillmentOrder {
        id
      }
      userErrors {
        field
      }
    }
  }
`;

/** Put one fulfillment order on hold. */
export const HOLD_FULFILLMENT_ORDER = /* GraphQL */ `
  mutation HoldFulfillmentOrder($id: ID!, $hold: FulfillmentOrderHoldInput!) {
    fulfillmentOrderHold(id: $id, fulfillmentHold: $hold) {
      fulfillmentHold {
        id
        handle
      }
      userErrors {
        code
      }
    }
  }
`;

/**
 * Release holds of one fulfillment order. The schema makes the ids optional, but here they are required: without them,
 * all apps' holds would be released.
 */
export const RELEASE_HOLDS = /* GraphQL */ `
  mutation ReleaseHolds($id: ID!, $holdIds: [ID!]!) {
    fulfillmentOrderReleaseHold(id: $id, holdIds: $holdIds) {
      fulfillmentOrder {
        id
      }
      userErrors {
        code
      }
    }
  }
`;

/** The order that fulfillment orders belong to. */
export const LOCATE_FULFILLMENT_ORDERS = /* GraphQL */ `
  query LocateFulfillmentOrders($ids: [ID!]!) {
    nodes(ids: $ids) {
      __typename
      ... on FulfillmentOrder {
        order {
          id
        }
      }
    }
  }
`;
