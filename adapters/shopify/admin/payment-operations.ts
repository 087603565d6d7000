/** The part of an order's payment that is authorized but not captured. */
export const ORDER_PAYMENT = /* GraphQL */ `
  query OrderPayment($id: ID!) {
    order(id: $id) {
      id
      cancelledAt
      capturable
      totalOutstandingSet {
        presentmentMoney {
          amount
        }
      }
      transactions(first: 50) {
        id
        kind
        status
        authorizationExpiresAt
        parentTransaction {
          id
        }
        totalUnsettledSet {
          presentmentMoney {
            amount
            currencyCode
          }
        }
      }
    }
  }
`;

/** Capture an authorized payment. Needs `write_orders`. */
export const CAPTURE_PAYMENT = /* GraphQL */ `
  mutation CapturePayment($input: OrderCaptureInput!) {
    orderCapture(input: $input) {
      transaction {
        id
        status
      }
      userErrors {
        field
      }
    }
  }
`;
