/** disputes */
export const TEXTS = {
  bank_cannot_process: "bank cannot process",
  credit_not_processed: "credit not processed",
  customer_initiated: "customer initiated",
  debit_not_authorized: "debit not authorized",
  duplicate: "duplicate",
  fraudulent: "fraudulent",
  general: "general",
  incorrect_account_details: "incorrect account details",
  insufficient_funds: "insufficient funds",
  product_not_received: "product not received",
  product_unacceptable: "product unacceptable",
  subscription_canceled: "subscription canceled",
  unrecognized: "unrecognized",
} as const;
