import { PAGE_INFO } from "./pages.ts";

const ADDRESS = /* GraphQL */ `
  name
  firstName
  lastName
  company
  address1
  address2
  city
  province
  provinceCode
  zip
  country
  countryCodeV2
  phone
`;

const LINE_PAGE = /* GraphQL */ `
  nodes {
    name
    title
    vendor
    sku
    quantity
    isGiftCard
    discountedUnitPriceAfterAllDiscountsSet {
      shopMoney {
        amount
      }
    }
  }
  ${PAGE_INFO}
`;

/** An order with the data of its webhook and its first lines; {@link ORDER_LINES} reads more. */
const LISTED_ORDER = /* GraphQL */ `
  id
  name
  createdAt
  updatedAt
  processedAt
  cancelledAt
  displayFulfillmentStatus
  test
  sourceName
  tags
  paymentGatewayNames
  discountCodes
  clientIp
  email
  phone
  currencyCode
  totalPriceSet {
    shopMoney {
      amount
    }
  }
  totalTipReceivedSet {
    shopMoney {
      amount
    }
  }
  billingAddress {
    ${ADDRESS}
  }
  shippingAddress {
    ${ADDRESS}
  }
  customer {
    id
    createdAt
    firstName
    lastName
    defaultEmailAddress {
      emailAddress
    }
    defaultPhoneNumber {
      phoneNumber
    }
  }
  lineItems(first: 9) {
    ${LINE_PAGE}
  }
`;

/**
 * One page of a shop's orders, oldest first, with the data of their webhooks. 20 orders with 9 lines each cost 982
 * points by a strict count, and one query may cost 1,000. {@link ORDER_LINES} reads the other lines of longer orders.
 */
export const RECENT_ORDERS = /* GraphQL */ `
  query RecentOrders($query: String!, $after: String) {
    orders(first: 20, after: $after, query: $query, sortKey: CREATED_AT) {
      nodes {
        ${LISTED_ORDER}
      }
      ${PAGE_INFO}
    }
  }
`;

/** One order with the data that its webhook would have now. */
export const PRESENT_ORDER = /* GraphQL */ `
  query PresentOrder($id: ID!) {
    order(id: $id) {
      ${LISTED_ORDER}
      currentTotalPriceSet {
        shopMoney {
          amount
        }
      }
    }
  }
`;

/** One more page of an order's lines. */
export const ORDER_LINES = /* GraphQL */ `
  query OrderLines($id: ID!, $after: String!) {
    order(id: $id) {
      id
      lineItems(first: 100, after: $after) {
        ${LINE_PAGE}
      }
    }
  }
`;
