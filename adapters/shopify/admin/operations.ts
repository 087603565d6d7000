import { FULFILLMENT_ORDER_PAGE } from "./fulfillment-operations.ts";

/** The version of the Admin API that every document here is written for. */
export const ADMIN_API_VERSION = "2026-10";

/** Apps' and Shopify's own assessments of an order's risk, for `toPlatformRisk`. */
const ORDER_RISK = /* GraphQL */ `
  risk {
    recommendation
    assessments {
      riskLevel
      provider {
        apiKey
      }
    }
  }
`;

/** Shopify's own cover of an order against chargebacks, for `toDetailContext`. */
const ORDER_PROTECTION = /* GraphQL */ `
  shopifyProtect {
    status
    eligibility {
      status
    }
  }
`;

/** Card facts of an order's payments. */
const PAYMENT_FIELDS = /* GraphQL */ `
  transactions(first: 10) {
    kind
    status
    authorizationExpiresAt
    paymentDetails {
      __typename
      ... on CardPaymentDetails {
        company
        number
        name
        expirationMonth
        expirationYear
        bin
        avsResultCode
        cvvResultCode
        wallet
      }
    }
  }
`;

/** What Shopify adds to an order after it arrived: risk, chargeback cover and payment. */
export const ORDER_CONTEXT = /* GraphQL */ `
  query OrderContext($id: ID!) {
    order(id: $id) {
      id
      ${ORDER_RISK}
      ${ORDER_PROTECTION}
      ${PAYMENT_FIELDS}
    }
  }
`;

/**
 * Customer history, B2B company, card facts and risk of one order, and the fields that the list of orders leaves out.
 */
export const ORDER_DETAIL = /* GraphQL */ `
  query OrderDetail($id: ID!, $orders: Int!) {
    order(id: $id) {
      id
      displayFinancialStatus
      customer {
        createdAt
        tags
        numberOfOrders
        amountSpent {
          amount
          currencyCode
        }
        orders(first: $orders, sortKey: CREATED_AT, reverse: true) {
          nodes {
            id
            cancelledAt
            displayFulfillmentStatus
            returnStatus
          }
        }
      }
      shippingLine {
        title
      }
      ${ORDER_RISK}
      ${ORDER_PROTECTION}
      purchasingEntity {
        ... on PurchasingCompany {
          company {
            name
          }
        }
      }
      ${PAYMENT_FIELDS}
    }
  }
`;

/** An order's risk assessments, from all apps. */
export const ORDER_ASSESSMENTS = /* GraphQL */ `
  query OrderAssessments($id: ID!) {
    order(id: $id) {
      id
      risk {
        assessments {
          riskLevel
          facts {
            description
            sentiment
          }
        }
      }
    }
  }
`;

/** Write a risk assessment. Offline tokens only. */
export const CREATE_ASSESSMENT = /* GraphQL */ `
  mutation CreateAssessment($input: OrderRiskAssessmentCreateInput!) {
    orderRiskAssessmentCreate(orderRiskAssessmentInput: $input) {
      orderRiskAssessment {
        riskLevel
      }
      userErrors {
        code
      }
    }
  }
`;

/** Start the merchant's workflows that use the app's Flow trigger. */
export const FIRE_FLOW_TRIGGER = /* GraphQL */ `
  mutation FireFlowTrigger($handle: String!, $payload: JSON!) {
    flowTriggerReceive(handle: $handle, payload: $payload) {
      userErrors {
        field
      }
    }
  }
`;

/** Add tags to an order; tags are a set, so a repeat changes nothing. */
export const ADD_TAGS = /* GraphQL */ `
  mutation AddTags($id: ID!, $tags: [String!]!) {
    tagsAdd(id: $id, tags: $tags) {
      node {
        id
      }
      userErrors {
        field
      }
    }
  }
`;

/** Remove tags from an order; missing tags are no error. */
export const REMOVE_TAGS = /* GraphQL */ `
  mutation RemoveTags($id: ID!, $tags: [String!]!) {
    tagsRemove(id: $id, tags: $tags) {
      node {
        id
      }
      userErrors {
        field
      }
    }
  }
`;

/** Whether an order can still be canceled, or has been. */
export const ORDER_CANCELLATION = /* GraphQL */ `
  query OrderCancellation($id: ID!) {
    order(id: $id) {
      id
      cancelledAt
      displayFulfillmentStatus
    }
  }
`;

const CANCEL_JOB_FIELDS = /* GraphQL */ `
  id
  status
  errors {
    code
  }
  order {
    cancelledAt
  }
`;

/** Start canceling an order. Irreversible. The job has the result. */
export const CANCEL_ORDER = /* GraphQL */ `
  mutation CancelOrder(
    $orderId: ID!
    $reason: OrderCancelReason!
    $restock: Boolean!
    $refundMethod: OrderCancelRefundMethodInput!
    $notifyCustomer: Boolean!
    $staffNote: String!
  ) {
    orderCancel(
      orderId: $orderId
      reason: $reason
      restock: $restock
      refundMethod: $refundMethod
      notifyCustomer: $notifyCustomer
      staffNote: $staffNote
    ) {
      jobResult {
        ${CANCEL_JOB_FIELDS}
      }
      orderCancelUserErrors {
        code
      }
    }
  }
`;

/** The state of a started cancellation. */
export const CANCEL_JOB = /* GraphQL */ `
  query CancelJob($id: ID!) {
    node(id: $id) {
      __typename
      ... on OrderCancelJobResult {
        ${CANCEL_JOB_FIELDS}
      }
    }
  }
`;

/** What Shopify shows for an order, with the first page of its fulfillment orders. */
export const OBSERVE_ORDER = /* GraphQL */ `
  query ObserveOrder($id: ID!) {
    order(id: $id) {
      id
      cancelledAt
      displayFulfillmentStatus
      tags
      ${ORDER_RISK}
      fulfillmentOrders(first: 50) {
        ${FULFILLMENT_ORDER_PAGE}
      }
    }
  }
`;

/** The cheapest query that needs no permission. Only whether Shopify answers it matters. */
export const CONFIRM_ACCESS = /* GraphQL */ `
  query ConfirmAccess {
    currentAppInstallation {
      id
    }
  }
`;

/** Needs no permission. */
export const SHOP_LOCALE = /* GraphQL */ `
  query ShopLocale {
    shop {
      id
      currencyCode
      ianaTimezone
    }
  }
`;

/** The plans of the app that the shop pays for. */
export const ACTIVE_PLANS = /* GraphQL */ `
  query ActivePlans {
    currentAppInstallation {
      id
      activeSubscriptions {
        id
        status
      }
    }
  }
`;
