import { DIAGNOSE_SHOP, LIST_SUBSCRIPTIONS, SUBSCRIBE } from "./diagnose-operations.ts";
import {
  CANCEL_FULFILLMENT_ORDER,
  FULFILLMENT_ORDER_GOODS,
  FULFILLMENT_ORDER_PAGE,
  HOLD_FULFILLMENT_ORDER,
  LOCATE_FULFILLMENT_ORDERS,
  ORDER_COVERAGE,
  ORDER_FULFILLMENT_ORDERS,
  ORDER_GOODS,
  RELEASE_HOLDS,
  REQUEST_CANCELLATION,
} from "./fulfillment-operations.ts";
import { CAPTURE_PAYMENT, ORDER_PAYMENT } from "./payment-operations.ts";
import { ORDER_LINES, PRESENT_ORDER, RECENT_ORDERS } from "./listing-operations.ts";

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

/** Customer history, B2B company, card facts and risk of one order, and what the listing of orders leaves out. */
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
        id
        status
        errors {
          code
        }
        order {
          cancelledAt
        }
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
        id
        status
        errors {
          code
        }
        order {
          cancelledAt
        }
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

/** Every document the adapter sends, by operation name. */
export const ADMIN_OPERATIONS: Readonly<Record<string, string>> = {
  OrderDetail: ORDER_DETAIL,
  OrderContext: ORDER_CONTEXT,
  OrderAssessments: ORDER_ASSESSMENTS,
  CreateAssessment: CREATE_ASSESSMENT,
  FireFlowTrigger: FIRE_FLOW_TRIGGER,
  AddTags: ADD_TAGS,
  RemoveTags: REMOVE_TAGS,
  OrderFulfillmentOrders: ORDER_FULFILLMENT_ORDERS,
  HoldFulfillmentOrder: HOLD_FULFILLMENT_ORDER,
  ReleaseHolds: RELEASE_HOLDS,
  OrderCancellation: ORDER_CANCELLATION,
  CancelOrder: CANCEL_ORDER,
  CancelJob: CANCEL_JOB,
  ObserveOrder: OBSERVE_ORDER,
  LocateFulfillmentOrders: LOCATE_FULFILLMENT_ORDERS,
  OrderCoverage: ORDER_COVERAGE,
  OrderGoods: ORDER_GOODS,
  FulfillmentOrderGoods: FULFILLMENT_ORDER_GOODS,
  CancelFulfillmentOrder: CANCEL_FULFILLMENT_ORDER,
  RequestCancellation: REQUEST_CANCELLATION,
  RecentOrders: RECENT_ORDERS,
  PresentOrder: PRESENT_ORDER,
  OrderLines: ORDER_LINES,
  OrderPayment: ORDER_PAYMENT,
  CapturePayment: CAPTURE_PAYMENT,
  DiagnoseShop: DIAGNOSE_SHOP,
  ListSubscriptions: LIST_SUBSCRIPTIONS,
  Subscribe: SUBSCRIBE,
  ConfirmAccess: CONFIRM_ACCESS,
  ActivePlans: ACTIVE_PLANS,
  ShopLocale: SHOP_LOCALE,
};
