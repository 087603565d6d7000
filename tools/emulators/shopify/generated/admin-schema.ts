// Source: Shopify Admin GraphQL 2026-10 published schema, cut down to what the adapter's documents touch.
// Made by scripts/generate-admin-schema.ts: do not edit.
// oxlint-disable max-lines -- nobody reads it as code: enums are kept whole, and one has 218 values

/** The part of the Admin schema the emulator answers, as SDL. Enums and inputs are complete. */
export const ADMIN_SCHEMA = `schema {
  query: QueryRoot
  mutation: Mutation
}

type AccessScope { handle: String! }

type ApiVersion {
  handle: String!
  supported: Boolean!
}

type App implements Node {
  apiKey: String!
  id: ID!
  optionalAccessScopes: [AccessScope!]!
  title: String!
}

type AppInstallation implements Node {
  accessScopes: [AccessScope!]!
  activeSubscriptions: [AppSubscription!]!
  app: App!
  id: ID!
}

type AppSubscription implements Node {
  id: ID!
  status: AppSubscriptionStatus!
}

enum AppSubscriptionStatus {
  ACCEPTED ACTIVE CANCELLED DECLINED EXPIRED FROZEN PENDING
}

type BasicEvent implements Event & Node {
  action: String!
  appTitle: String
  attributeToApp: Boolean!
  attributeToUser: Boolean!
  createdAt: DateTime!
  id: ID!
}

type CardPaymentDetails {
  avsResultCode: String
  bin: String
  company: String
  cvvResultCode: String
  expirationMonth: Int
  expirationYear: Int
  name: String
  number: String
  wallet: DigitalWallet
}

type Company implements Node {
  id: ID!
  name: String!
}

enum CountryCode {
  AC AD AE AF AG AI AL AM AN AO AR AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW
  BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI
  FJ FK FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ
  IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG
  MK ML MM MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL
  PM PN PS PT PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC TD
  TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VN VU WF WS XK YE YT ZA ZM ZW ZZ
}

enum CurrencyCode {
  AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BYR BZD
  CAD CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ
  GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JEP JMD JOD JPY KES KGS KHR KID KMF KRW KWD KYD KZT LAK
  LBP LKR LRD LSL LTL LVL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR
  NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLL SOS SRD SSP STD
  STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USDC UYU UZS VED VEF VES VND VUV WST XAF XCD
  XOF XPF XXX YER ZAR ZMW
}

type Customer implements Node {
  amountSpent: MoneyV2!
  createdAt: DateTime!
  defaultEmailAddress: CustomerEmailAddress
  defaultPhoneNumber: CustomerPhoneNumber
  firstName: String
  id: ID!
  lastName: String
  numberOfOrders: UnsignedInt64!
  orders(after: String, before: String, first: Int, last: Int, query: String, reverse: Boolean = false, sortKey: OrderSortKeys = ID): OrderConnection!
  tags: [String!]!
}

type CustomerEmailAddress { emailAddress: String! }

type CustomerPhoneNumber { phoneNumber: String! }

scalar DateTime

scalar Decimal

enum DigitalWallet {
  AMAZON_PAY ANDROID_PAY APPLE_PAY FACEBOOK_PAY GOOGLE_PAY SHOPIFY_PAY
}

type DisputeEvidenceUpdatePayload {
  disputeEvidence: ShopifyPaymentsDisputeEvidence
  userErrors: [DisputeEvidenceUpdateUserError!]!
}

type DisputeEvidenceUpdateUserError {
  code: DisputeEvidenceUpdateUserErrorCode
  field: [String!]
}

enum DisputeEvidenceUpdateUserErrorCode {
  DISPUTE_EVIDENCE_NOT_FOUND EVIDENCE_ALREADY_ACCEPTED EVIDENCE_PAST_DUE_DATE FILES_SIZE_EXCEEDED_LIMIT
  FILE_NOT_FOUND INVALID TOO_LARGE
}

enum DisputeStatus {
  ACCEPTED CHARGE_REFUNDED LOST NEEDS_RESPONSE PREVENTED UNDER_REVIEW WON
}

interface Event { id: ID! }

type EventConnection { nodes: [Event!]! }

enum EventSortKeys {
  CREATED_AT ID
}

type FlowTriggerReceivePayload { userErrors: [UserError!]! }

type Fulfillment implements Node {
  createdAt: DateTime!
  deliveredAt: DateTime
  id: ID!
  status: FulfillmentStatus!
  trackingInfo(first: Int): [FulfillmentTrackingInfo!]!
}

type FulfillmentHold implements Node {
  handle: String
  heldByRequestingApp: Boolean!
  id: ID!
}

enum FulfillmentHoldReason {
  AWAITING_PAYMENT AWAITING_RETURN_ITEMS HIGH_RISK_OF_FRAUD INCORRECT_ADDRESS INVENTORY_OUT_OF_STOCK
  ONLINE_STORE_POST_PURCHASE_CROSS_SELL OTHER UNKNOWN_DELIVERY_DATE
}

type FulfillmentOrder implements Node {
  fulfillmentHolds: [FulfillmentHold!]!
  id: ID!
  lineItems(after: String, before: String, first: Int, last: Int, reverse: Boolean = false): FulfillmentOrderLineItemConnection!
  orderId: ID!
  requestStatus: FulfillmentOrderRequestStatus!
  status: FulfillmentOrderStatus!
  supportedActions: [FulfillmentOrderSupportedAction!]!
}

enum FulfillmentOrderAction {
  CANCEL_FULFILLMENT_ORDER CREATE_FULFILLMENT EXTERNAL HOLD MARK_AS_OPEN MERGE MOVE RELEASE_HOLD
  REPORT_PROGRESS REQUEST_CANCELLATION REQUEST_FULFILLMENT SPLIT
}

type FulfillmentOrderCancelError { field: [String!] }

type FulfillmentOrderCancelPayload {
  replacementFulfillmentOrder: FulfillmentOrder
  userErrors: [FulfillmentOrderCancelError!]!
}

type FulfillmentOrderConnection {
  nodes: [FulfillmentOrder!]!
  pageInfo: PageInfo!
}

input FulfillmentOrderHoldInput {
  externalId: String
  fulfillmentOrderLineItems: [FulfillmentOrderLineItemInput!] = []
  handle: String = ""
  notifyMerchant: Boolean = false
  reason: FulfillmentHoldReason!
  reasonNotes: String
}

type FulfillmentOrderHoldPayload {
  fulfillmentHold: FulfillmentHold
  userErrors: [FulfillmentOrderHoldUserError!]!
}

type FulfillmentOrderHoldUserError { code: FulfillmentOrderHoldUserErrorCode }

enum FulfillmentOrderHoldUserErrorCode {
  DUPLICATED_FULFILLMENT_ORDER_LINE_ITEMS DUPLICATE_FULFILLMENT_HOLD_HANDLE
  FULFILLMENT_ORDER_HOLD_LIMIT_REACHED FULFILLMENT_ORDER_NOT_FOUND FULFILLMENT_ORDER_NOT_SPLITTABLE
  GREATER_THAN_ZERO INVALID_LINE_ITEM_QUANTITY TAKEN
}

type FulfillmentOrderLineItem implements Node {
  id: ID!
  remainingQuantity: Int!
}

type FulfillmentOrderLineItemConnection {
  nodes: [FulfillmentOrderLineItem!]!
  pageInfo: PageInfo!
}

input FulfillmentOrderLineItemInput {
  id: ID!
  quantity: Int!
}

type FulfillmentOrderReleaseHoldPayload {
  fulfillmentOrder: FulfillmentOrder
  userErrors: [FulfillmentOrderReleaseHoldUserError!]!
}

type FulfillmentOrderReleaseHoldUserError { code: FulfillmentOrderReleaseHoldUserErrorCode }

enum FulfillmentOrderReleaseHoldUserErrorCode {
  FULFILLMENT_ORDER_NOT_FOUND INVALID_ACCESS
}

enum FulfillmentOrderRequestStatus {
  ACCEPTED CANCELLATION_ACCEPTED CANCELLATION_REJECTED CANCELLATION_REQUESTED CLOSED REJECTED SUBMITTED
  UNSUBMITTED
}

enum FulfillmentOrderStatus {
  CANCELLED CLOSED INCOMPLETE IN_PROGRESS ON_HOLD OPEN SCHEDULED
}

type FulfillmentOrderSubmitCancellationRequestPayload {
  fulfillmentOrder: FulfillmentOrder
  userErrors: [UserError!]!
}

type FulfillmentOrderSupportedAction { action: FulfillmentOrderAction! }

enum FulfillmentStatus {
  CANCELLED ERROR FAILURE OPEN PENDING SUCCESS
}

type FulfillmentTrackingInfo {
  company: String
  number: String
}

input HasMetafieldsMetafieldIdentifierInput {
  key: String!
  namespace: String
}

scalar JSON

type LineItem implements Node {
  discountedUnitPriceAfterAllDiscountsSet: MoneyBag!
  id: ID!
  isGiftCard: Boolean!
  name: String!
  nonFulfillableQuantity: Int!
  quantity: Int!
  sku: String
  title: String!
  unfulfilledQuantity: Int!
  vendor: String
}

type LineItemConnection {
  nodes: [LineItem!]!
  pageInfo: PageInfo!
}

type LocalPaymentMethodsPaymentDetails { paymentDescriptor: String }

type MailingAddress implements Node {
  address1: String
  address2: String
  city: String
  company: String
  country: String
  countryCodeV2: CountryCode
  firstName: String
  id: ID!
  lastName: String
  name: String
  phone: String
  province: String
  provinceCode: String
  zip: String
}

input MailingAddressInput {
  address1: String
  address2: String
  city: String
  company: String
  country: String
  countryCode: CountryCode
  firstName: String
  id: ID
  lastName: String
  phone: String
  province: String
  provinceCode: String
  zip: String
}

type Metafield implements Node {
  id: ID!
  value: String!
}

input MetafieldInput {
  id: ID
  key: String
  namespace: String
  type: String
  value: String
}

scalar Money

type MoneyBag {
  presentmentMoney: MoneyV2!
  shopMoney: MoneyV2!
}

type MoneyV2 {
  amount: Decimal!
  currencyCode: CurrencyCode!
}

type Mutation {
  disputeEvidenceUpdate(id: ID!, input: ShopifyPaymentsDisputeEvidenceUpdateInput!): DisputeEvidenceUpdatePayload
  flowTriggerReceive(body: String, handle: String, payload: JSON): FlowTriggerReceivePayload
  fulfillmentOrderCancel(id: ID!): FulfillmentOrderCancelPayload
  fulfillmentOrderHold(fulfillmentHold: FulfillmentOrderHoldInput!, id: ID!): FulfillmentOrderHoldPayload
  fulfillmentOrderReleaseHold(externalId: String, holdIds: [ID!], id: ID!): FulfillmentOrderReleaseHoldPayload
  fulfillmentOrderSubmitCancellationRequest(id: ID!, message: String): FulfillmentOrderSubmitCancellationRequestPayload
  orderCancel(notifyCustomer: Boolean = false, orderId: ID!, reason: OrderCancelReason!, refund: Boolean, refundMethod: OrderCancelRefundMethodInput, restock: Boolean!, staffNote: String = null): OrderCancelPayload
  orderCapture(input: OrderCaptureInput!): OrderCapturePayload
  orderRiskAssessmentCreate(orderRiskAssessmentInput: OrderRiskAssessmentCreateInput!): OrderRiskAssessmentCreatePayload
  paymentCustomizationCreate(paymentCustomization: PaymentCustomizationInput!): PaymentCustomizationCreatePayload
  paymentCustomizationDelete(id: ID!): PaymentCustomizationDeletePayload
  paymentCustomizationUpdate(id: ID!, paymentCustomization: PaymentCustomizationInput!): PaymentCustomizationUpdatePayload
  tagsAdd(id: ID!, tags: [String!]!): TagsAddPayload
  tagsRemove(id: ID!, tags: [String!]!): TagsRemovePayload
  validationCreate(validation: ValidationCreateInput!): ValidationCreatePayload
  validationDelete(id: ID!): ValidationDeletePayload
  validationUpdate(id: ID!, validation: ValidationUpdateInput!): ValidationUpdatePayload
  webhookSubscriptionCreate(topic: WebhookSubscriptionTopic!, webhookSubscription: WebhookSubscriptionInput!): WebhookSubscriptionCreatePayload
}

interface Node { id: ID! }

type Order implements Node {
  billingAddress: MailingAddress
  cancelledAt: DateTime
  capturable: Boolean!
  clientIp: String
  createdAt: DateTime!
  currencyCode: CurrencyCode!
  currentTotalPriceSet: MoneyBag!
  customer: Customer
  customerLocale: String
  discountCodes: [String!]!
  displayFinancialStatus: OrderDisplayFinancialStatus
  displayFulfillmentStatus: OrderDisplayFulfillmentStatus!
  email: String
  events(after: String, before: String, first: Int, last: Int, query: String, reverse: Boolean = false, sortKey: EventSortKeys = ID): EventConnection!
  fulfillmentOrders(after: String, before: String, displayable: Boolean = false, first: Int, last: Int, query: String, reverse: Boolean = false): FulfillmentOrderConnection!
  fulfillments(first: Int, query: String): [Fulfillment!]!
  id: ID!
  lineItems(after: String, before: String, first: Int, last: Int, reverse: Boolean = false): LineItemConnection!
  name: String!
  paymentGatewayNames: [String!]!
  phone: String
  processedAt: DateTime!
  purchasingEntity: PurchasingEntity
  returnStatus: OrderReturnStatus!
  risk: OrderRiskSummary!
  shippingAddress: MailingAddress
  shippingLine: ShippingLine
  shopifyProtect: ShopifyProtectOrderSummary
  sourceName: String
  tags: [String!]!
  test: Boolean!
  totalOutstandingSet: MoneyBag!
  totalPriceSet: MoneyBag!
  totalTipReceivedSet: MoneyBag!
  transactions(capturable: Boolean, first: Int, manuallyResolvable: Boolean): [OrderTransaction!]!
  updatedAt: DateTime!
}

type OrderCancelJobResult implements Node {
  errors: [OrderCancelUserError!]!
  id: ID!
  order: Order
  status: OrderCancelStatus!
}

type OrderCancelPayload {
  jobResult: OrderCancelJobResult
  orderCancelUserErrors: [OrderCancelUserError!]!
}

enum OrderCancelReason {
  CUSTOMER DECLINED FRAUD INVENTORY OTHER STAFF
}

input OrderCancelRefundMethodInput @oneOf {
  originalPaymentMethodsRefund: Boolean
  storeCreditRefund: OrderCancelStoreCreditRefundInput
}

enum OrderCancelStatus {
  FAILED STARTED SUCCEEDED
}

input OrderCancelStoreCreditRefundInput { expiresAt: DateTime }

type OrderCancelUserError { code: OrderCancelUserErrorCode }

enum OrderCancelUserErrorCode {
  INTERNAL_ERROR INVALID NOT_FOUND NO_REFUND_PERMISSION NO_REFUND_TO_STORE_CREDIT_PERMISSION
  STORE_CREDIT_REFUND_B2B_NOT_SUPPORTED STORE_CREDIT_REFUND_EXPIRATION_IN_PAST
  STORE_CREDIT_REFUND_MISSING_CUSTOMER
}

input OrderCaptureInput {
  amount: Money!
  currency: CurrencyCode
  finalCapture: Boolean
  id: ID!
  parentTransactionId: ID!
}

type OrderCapturePayload {
  transaction: OrderTransaction
  userErrors: [UserError!]!
}

type OrderConnection {
  nodes: [Order!]!
  pageInfo: PageInfo!
}

enum OrderDisplayFinancialStatus {
  AUTHORIZED EXPIRED PAID PARTIALLY_PAID PARTIALLY_REFUNDED PENDING REFUNDED VOIDED
}

enum OrderDisplayFulfillmentStatus {
  FULFILLED FULFILLMENT_NOT_REQUIRED IN_PROGRESS ON_HOLD OPEN PARTIALLY_FULFILLED PENDING_FULFILLMENT
  REQUEST_DECLINED RESTOCKED SCHEDULED UNFULFILLED
}

enum OrderReturnStatus {
  INSPECTION_COMPLETE IN_PROGRESS NO_RETURN RETURNED RETURN_FAILED RETURN_REQUESTED
}

type OrderRiskAssessment {
  facts: [RiskFact!]!
  provider: App
  riskLevel: RiskAssessmentResult!
}

input OrderRiskAssessmentCreateInput {
  facts: [OrderRiskAssessmentFactInput!]!
  orderId: ID!
  riskLevel: RiskAssessmentResult!
}

type OrderRiskAssessmentCreatePayload {
  orderRiskAssessment: OrderRiskAssessment
  userErrors: [OrderRiskAssessmentCreateUserError!]!
}

type OrderRiskAssessmentCreateUserError { code: OrderRiskAssessmentCreateUserErrorCode }

enum OrderRiskAssessmentCreateUserErrorCode {
  INVALID NOT_FOUND ORDER_ALREADY_FULFILLED TOO_MANY_FACTS
}

input OrderRiskAssessmentFactInput {
  description: String!
  sentiment: RiskFactSentiment!
}

enum OrderRiskRecommendationResult {
  ACCEPT CANCEL INVESTIGATE NONE
}

type OrderRiskSummary {
  assessments: [OrderRiskAssessment!]!
  recommendation: OrderRiskRecommendationResult!
}

enum OrderSortKeys {
  CREATED_AT CURRENT_TOTAL_PRICE CUSTOMER_NAME DESTINATION FINANCIAL_STATUS FULFILLMENT_STATUS ID
  ORDER_NUMBER PO_NUMBER PROCESSED_AT RELEVANCE TOTAL_ITEMS_QUANTITY TOTAL_PRICE UPDATED_AT
}

type OrderTransaction implements Node {
  authorizationExpiresAt: DateTime
  id: ID!
  kind: OrderTransactionKind!
  parentTransaction: OrderTransaction
  paymentDetails: PaymentDetails
  status: OrderTransactionStatus!
  totalUnsettledSet: MoneyBag
}

enum OrderTransactionKind {
  AUTHORIZATION CAPTURE CHANGE EMV_AUTHORIZATION REFUND SALE SUGGESTED_REFUND VOID
}

enum OrderTransactionStatus {
  AWAITING_RESPONSE ERROR FAILURE PENDING SUCCESS UNKNOWN
}

type PageInfo {
  endCursor: String
  hasNextPage: Boolean!
}

type PaymentCustomization implements Node {
  enabled: Boolean!
  id: ID!
  metafield(key: String!, namespace: String): Metafield
  shopifyFunction: ShopifyFunction!
}

type PaymentCustomizationConnection {
  nodes: [PaymentCustomization!]!
  pageInfo: PageInfo!
}

type PaymentCustomizationCreatePayload {
  paymentCustomization: PaymentCustomization
  userErrors: [PaymentCustomizationError!]!
}

type PaymentCustomizationDeletePayload {
  deletedId: ID
  userErrors: [PaymentCustomizationError!]!
}

type PaymentCustomizationError { code: PaymentCustomizationErrorCode }

enum PaymentCustomizationErrorCode {
  CUSTOM_APP_FUNCTION_NOT_ELIGIBLE FUNCTION_DOES_NOT_IMPLEMENT FUNCTION_ID_CANNOT_BE_CHANGED
  FUNCTION_NOT_FOUND FUNCTION_PENDING_DELETION INVALID INVALID_METAFIELDS
  MAXIMUM_ACTIVE_PAYMENT_CUSTOMIZATIONS MAXIMUM_PAYMENT_CUSTOMIZATIONS MISSING_FUNCTION_IDENTIFIER
  MULTIPLE_FUNCTION_IDENTIFIERS PAYMENT_CUSTOMIZATION_FUNCTION_NOT_ELIGIBLE PAYMENT_CUSTOMIZATION_NOT_FOUND
  REQUIRED_INPUT_FIELD
}

input PaymentCustomizationInput {
  enabled: Boolean
  functionHandle: String
  functionId: String
  metafields: [MetafieldInput!] = []
  title: String
}

type PaymentCustomizationUpdatePayload {
  paymentCustomization: PaymentCustomization
  userErrors: [PaymentCustomizationError!]!
}

union PaymentDetails = CardPaymentDetails | LocalPaymentMethodsPaymentDetails | PaypalWalletPaymentDetails | ShopPayInstallmentsPaymentDetails

type PaypalWalletPaymentDetails { paymentMethodName: String }

type PurchasingCompany { company: Company! }

union PurchasingEntity = Customer | PurchasingCompany

type QueryRoot {
  currentAppInstallation: AppInstallation!
  dispute(id: ID!): ShopifyPaymentsDispute
  fulfillmentOrder(id: ID!): FulfillmentOrder
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  order(id: ID!): Order
  orders(after: String, before: String, first: Int, last: Int, query: String, reverse: Boolean = false, savedSearchId: ID, sortKey: OrderSortKeys = PROCESSED_AT): OrderConnection!
  paymentCustomizations(after: String, before: String, first: Int, last: Int, query: String, reverse: Boolean = false): PaymentCustomizationConnection!
  publicApiVersions: [ApiVersion!]!
  shop: Shop!
  validations(after: String, before: String, first: Int, last: Int, reverse: Boolean = false, sortKey: ValidationSortKeys = ID): ValidationConnection!
  webhookSubscriptions(after: String, before: String, callbackUrl: URL, first: Int, format: WebhookSubscriptionFormat, last: Int, query: String, reverse: Boolean = false, sortKey: WebhookSubscriptionSortKeys = CREATED_AT, topics: [WebhookSubscriptionTopic!], uri: String): WebhookSubscriptionConnection!
}

enum RiskAssessmentResult {
  HIGH LOW MEDIUM NONE PENDING
}

type RiskFact {
  description: String!
  sentiment: RiskFactSentiment!
}

enum RiskFactSentiment {
  NEGATIVE NEUTRAL POSITIVE
}

type ShippingLine { title: String! }

type Shop implements Node {
  currencyCode: CurrencyCode!
  ianaTimezone: String!
  id: ID!
}

type ShopPayInstallmentsPaymentDetails { paymentMethodName: String }

type ShopifyFunction {
  appKey: String!
  handle: String!
  id: String!
}

type ShopifyPaymentsDispute implements Node {
  disputeEvidence: ShopifyPaymentsDisputeEvidence!
  evidenceDueBy: DateTime
  evidenceSentOn: DateTime
  id: ID!
  status: DisputeStatus!
}

type ShopifyPaymentsDisputeEvidence implements Node {
  accessActivityLog: String
  customerEmailAddress: String
  customerFirstName: String
  customerLastName: String
  id: ID!
  shippingAddress: MailingAddress
  submitted: Boolean!
  uncategorizedText: String
}

input ShopifyPaymentsDisputeEvidenceUpdateInput {
  accessActivityLog: String
  cancellationPolicyDisclosure: String
  cancellationPolicyFile: ShopifyPaymentsDisputeFileUploadUpdateInput
  cancellationRebuttal: String
  customerCommunicationFile: ShopifyPaymentsDisputeFileUploadUpdateInput
  customerEmailAddress: String
  customerFirstName: String
  customerLastName: String
  refundPolicyDisclosure: String
  refundPolicyFile: ShopifyPaymentsDisputeFileUploadUpdateInput
  refundRefusalExplanation: String
  serviceDocumentationFile: ShopifyPaymentsDisputeFileUploadUpdateInput
  shippingAddress: MailingAddressInput
  shippingDocumentationFile: ShopifyPaymentsDisputeFileUploadUpdateInput
  submitEvidence: Boolean = false
  uncategorizedFile: ShopifyPaymentsDisputeFileUploadUpdateInput
  uncategorizedText: String
}

input ShopifyPaymentsDisputeFileUploadUpdateInput {
  destroy: Boolean = false
  id: ID!
}

enum ShopifyProtectEligibilityStatus {
  ELIGIBLE NOT_ELIGIBLE PENDING
}

type ShopifyProtectOrderEligibility { status: ShopifyProtectEligibilityStatus! }

type ShopifyProtectOrderSummary {
  eligibility: ShopifyProtectOrderEligibility!
  status: ShopifyProtectStatus!
}

enum ShopifyProtectStatus {
  ACTIVE INACTIVE NOT_PROTECTED PENDING PROTECTED
}

type TagsAddPayload {
  node: Node
  userErrors: [UserError!]!
}

type TagsRemovePayload {
  node: Node
  userErrors: [UserError!]!
}

scalar URL

scalar UnsignedInt64

type UserError { field: [String!] }

type Validation implements Node {
  blockOnFailure: Boolean!
  enabled: Boolean!
  id: ID!
  metafield(key: String!, namespace: String): Metafield
  shopifyFunction: ShopifyFunction!
}

type ValidationConnection {
  nodes: [Validation!]!
  pageInfo: PageInfo!
}

input ValidationCreateInput {
  blockOnFailure: Boolean = false
  enable: Boolean = false
  functionHandle: String
  functionId: String
  metafields: [MetafieldInput!] = []
  title: String
}

type ValidationCreatePayload {
  userErrors: [ValidationUserError!]!
  validation: Validation
}

type ValidationDeletePayload {
  deletedId: ID
  userErrors: [ValidationUserError!]!
}

enum ValidationSortKeys {
  ID
}

input ValidationUpdateInput {
  blockOnFailure: Boolean = false
  enable: Boolean = false
  metafields: [MetafieldInput!] = []
  title: String
}

type ValidationUpdatePayload {
  userErrors: [ValidationUserError!]!
  validation: Validation
}

type ValidationUserError { code: ValidationUserErrorCode }

enum ValidationUserErrorCode {
  APP_NOT_AUTHORIZED BLANK CAPABILITY_VIOLATION CUSTOM_APP_FUNCTION_NOT_ELIGIBLE DISALLOWED_OWNER_TYPE
  FUNCTION_DOES_NOT_IMPLEMENT FUNCTION_NOT_FOUND FUNCTION_PENDING_DELETION INCLUSION INTERNAL_ERROR INVALID
  INVALID_TYPE INVALID_VALUE MAX_VALIDATIONS_ACTIVATED MISSING_FUNCTION_IDENTIFIER
  MULTIPLE_FUNCTION_IDENTIFIERS NOT_FOUND PRESENT PUBLIC_APP_NOT_ALLOWED TAKEN TOO_LONG TOO_SHORT
  UNSTRUCTURED_RESERVED_NAMESPACE
}

type WebhookSubscription implements Node {
  id: ID!
  topic: WebhookSubscriptionTopic!
}

type WebhookSubscriptionConnection { nodes: [WebhookSubscription!]! }

type WebhookSubscriptionCreatePayload { userErrors: [UserError!]! }

enum WebhookSubscriptionFormat {
  JSON XML
}

input WebhookSubscriptionInput {
  callbackUrl: URL
  filter: String
  format: WebhookSubscriptionFormat
  includeFields: [String!]
  metafieldNamespaces: [String!]
  metafields: [HasMetafieldsMetafieldIdentifierInput!]
  name: String
  uri: String
}

enum WebhookSubscriptionSortKeys {
  CREATED_AT ID
}

enum WebhookSubscriptionTopic {
  APP_PURCHASES_ONE_TIME_UPDATE APP_SCOPES_UPDATE APP_SUBSCRIPTIONS_APPROACHING_CAPPED_AMOUNT
  APP_SUBSCRIPTIONS_UPDATE APP_UNINSTALLED AUDIT_EVENTS_ADMIN_API_ACTIVITY BULK_OPERATIONS_FINISH
  CARTS_CREATE CARTS_UPDATE CHANNELS_DELETE CHECKOUTS_CREATE CHECKOUTS_DELETE CHECKOUTS_UPDATE
  COLLECTIONS_CREATE COLLECTIONS_DELETE COLLECTIONS_UPDATE COLLECTION_LISTINGS_ADD
  COLLECTION_LISTINGS_REMOVE COLLECTION_LISTINGS_UPDATE COLLECTION_PUBLICATIONS_CREATE
  COLLECTION_PUBLICATIONS_DELETE COLLECTION_PUBLICATIONS_UPDATE COMPANIES_CREATE COMPANIES_DELETE
  COMPANIES_UPDATE COMPANY_CONTACTS_CREATE COMPANY_CONTACTS_DELETE COMPANY_CONTACTS_UPDATE
  COMPANY_CONTACT_ROLES_ASSIGN COMPANY_CONTACT_ROLES_REVOKE COMPANY_LOCATIONS_CREATE
  COMPANY_LOCATIONS_DELETE COMPANY_LOCATIONS_UPDATE CUSTOMERS_CREATE CUSTOMERS_DELETE CUSTOMERS_DISABLE
  CUSTOMERS_EMAIL_MARKETING_CONSENT_UPDATE CUSTOMERS_ENABLE CUSTOMERS_MARKETING_CONSENT_UPDATE
  CUSTOMERS_MERGE CUSTOMERS_PURCHASING_SUMMARY CUSTOMERS_UPDATE CUSTOMERS_WHATS_APP_MARKETING_CONSENT_UPDATE
  CUSTOMER_ACCOUNT_SETTINGS_UPDATE CUSTOMER_GROUPS_CREATE CUSTOMER_GROUPS_DELETE CUSTOMER_GROUPS_UPDATE
  CUSTOMER_JOINED_SEGMENT CUSTOMER_LEFT_SEGMENT CUSTOMER_PAYMENT_METHODS_CREATE
  CUSTOMER_PAYMENT_METHODS_REVOKE CUSTOMER_PAYMENT_METHODS_UPDATE CUSTOMER_TAGS_ADDED CUSTOMER_TAGS_REMOVED
  DELIVERY_PROMISE_SETTINGS_UPDATE DISCOUNTS_CREATE DISCOUNTS_DELETE DISCOUNTS_REDEEMCODE_ADDED
  DISCOUNTS_REDEEMCODE_REMOVED DISCOUNTS_UPDATE DISPUTES_CREATE DISPUTES_UPDATE DOMAINS_CREATE
  DOMAINS_DESTROY DOMAINS_UPDATE DRAFT_ORDERS_CREATE DRAFT_ORDERS_DELETE DRAFT_ORDERS_UPDATE
  FINANCE_APP_STAFF_MEMBER_DELETE FINANCE_APP_STAFF_MEMBER_GRANT FINANCE_APP_STAFF_MEMBER_REVOKE
  FINANCE_APP_STAFF_MEMBER_UPDATE FINANCE_KYC_INFORMATION_UPDATE FULFILLMENTS_CREATE FULFILLMENTS_UPDATE
  FULFILLMENT_EVENTS_CREATE FULFILLMENT_EVENTS_DELETE FULFILLMENT_HOLDS_ADDED FULFILLMENT_HOLDS_RELEASED
  FULFILLMENT_ORDERS_CANCELLATION_REQUEST_ACCEPTED FULFILLMENT_ORDERS_CANCELLATION_REQUEST_REJECTED
  FULFILLMENT_ORDERS_CANCELLATION_REQUEST_SUBMITTED FULFILLMENT_ORDERS_CANCELLED
  FULFILLMENT_ORDERS_FULFILLMENT_REQUEST_ACCEPTED FULFILLMENT_ORDERS_FULFILLMENT_REQUEST_REJECTED
  FULFILLMENT_ORDERS_FULFILLMENT_REQUEST_SUBMITTED FULFILLMENT_ORDERS_FULFILLMENT_SERVICE_FAILED_TO_COMPLETE
  FULFILLMENT_ORDERS_HOLD_RELEASED FULFILLMENT_ORDERS_LINE_ITEMS_PREPARED_FOR_LOCAL_DELIVERY
  FULFILLMENT_ORDERS_LINE_ITEMS_PREPARED_FOR_PICKUP FULFILLMENT_ORDERS_MANUALLY_REPORTED_PROGRESS_STOPPED
  FULFILLMENT_ORDERS_MERGED FULFILLMENT_ORDERS_MOVED FULFILLMENT_ORDERS_ORDER_ROUTING_COMPLETE
  FULFILLMENT_ORDERS_PLACED_ON_HOLD FULFILLMENT_ORDERS_PROGRESS_REPORTED FULFILLMENT_ORDERS_RESCHEDULED
  FULFILLMENT_ORDERS_SCHEDULED_FULFILLMENT_ORDER_READY FULFILLMENT_ORDERS_SPLIT INVENTORY_ITEMS_CREATE
  INVENTORY_ITEMS_DELETE INVENTORY_ITEMS_UPDATE INVENTORY_LEVELS_CONNECT INVENTORY_LEVELS_DISCONNECT
  INVENTORY_LEVELS_UPDATE INVENTORY_SHIPMENTS_ADD_ITEMS INVENTORY_SHIPMENTS_CREATE
  INVENTORY_SHIPMENTS_DELETE INVENTORY_SHIPMENTS_MARK_IN_TRANSIT INVENTORY_SHIPMENTS_RECEIVE_ITEMS
  INVENTORY_SHIPMENTS_REMOVE_ITEMS INVENTORY_SHIPMENTS_UPDATE_ITEM_QUANTITIES
  INVENTORY_SHIPMENTS_UPDATE_TRACKING INVENTORY_TRANSFERS_ADD_ITEMS INVENTORY_TRANSFERS_CANCEL
  INVENTORY_TRANSFERS_COMPLETE INVENTORY_TRANSFERS_READY_TO_SHIP INVENTORY_TRANSFERS_REMOVE_ITEMS
  INVENTORY_TRANSFERS_UPDATED INVENTORY_TRANSFERS_UPDATE_ITEM_QUANTITIES LOCALES_CREATE LOCALES_DESTROY
  LOCALES_UPDATE LOCATIONS_ACTIVATE LOCATIONS_CREATE LOCATIONS_DEACTIVATE LOCATIONS_DELETE LOCATIONS_UPDATE
  MARKETS_BACKUP_REGION_UPDATE MARKETS_CREATE MARKETS_DELETE MARKETS_UPDATE METAFIELD_DEFINITIONS_CREATE
  METAFIELD_DEFINITIONS_DELETE METAFIELD_DEFINITIONS_UPDATE METAOBJECTS_CREATE METAOBJECTS_DELETE
  METAOBJECTS_UPDATE ORDERS_CANCELLED ORDERS_CREATE ORDERS_DELETE ORDERS_EDITED ORDERS_FULFILLED
  ORDERS_LINK_REQUESTED ORDERS_PAID ORDERS_PARTIALLY_FULFILLED ORDERS_RISK_ASSESSMENT_CHANGED
  ORDERS_SHOPIFY_PROTECT_ELIGIBILITY_CHANGED ORDERS_UPDATED ORDER_TRANSACTIONS_CREATE PAYMENT_SCHEDULES_DUE
  PAYMENT_TERMS_CREATE PAYMENT_TERMS_DELETE PAYMENT_TERMS_UPDATE PRODUCTS_CREATE PRODUCTS_DELETE
  PRODUCTS_UPDATE PRODUCT_FEEDS_CREATE PRODUCT_FEEDS_FULL_SYNC PRODUCT_FEEDS_FULL_SYNC_FINISH
  PRODUCT_FEEDS_INCREMENTAL_SYNC PRODUCT_FEEDS_UPDATE PRODUCT_LISTINGS_ADD PRODUCT_LISTINGS_REMOVE
  PRODUCT_LISTINGS_UPDATE PRODUCT_PUBLICATIONS_CREATE PRODUCT_PUBLICATIONS_DELETE
  PRODUCT_PUBLICATIONS_UPDATE PROFILES_CREATE PROFILES_DELETE PROFILES_UPDATE REFUNDS_CREATE RETURNS_APPROVE
  RETURNS_CANCEL RETURNS_CLOSE RETURNS_DECLINE RETURNS_PROCESS RETURNS_REOPEN RETURNS_REQUEST RETURNS_UPDATE
  REVERSE_DELIVERIES_ATTACH_DELIVERABLE REVERSE_FULFILLMENT_ORDERS_DISPOSE SCHEDULED_PRODUCT_LISTINGS_ADD
  SCHEDULED_PRODUCT_LISTINGS_REMOVE SCHEDULED_PRODUCT_LISTINGS_UPDATE SEGMENTS_CREATE SEGMENTS_DELETE
  SEGMENTS_UPDATE SELLING_PLAN_GROUPS_CREATE SELLING_PLAN_GROUPS_DELETE SELLING_PLAN_GROUPS_UPDATE
  SHIPPING_ADDRESSES_CREATE SHIPPING_ADDRESSES_UPDATE SHOP_UPDATE SUBSCRIPTION_BILLING_ATTEMPTS_CHALLENGED
  SUBSCRIPTION_BILLING_ATTEMPTS_FAILURE SUBSCRIPTION_BILLING_ATTEMPTS_SUCCESS
  SUBSCRIPTION_BILLING_CYCLES_SKIP SUBSCRIPTION_BILLING_CYCLES_UNSKIP
  SUBSCRIPTION_BILLING_CYCLE_EDITS_CREATE SUBSCRIPTION_BILLING_CYCLE_EDITS_DELETE
  SUBSCRIPTION_BILLING_CYCLE_EDITS_UPDATE SUBSCRIPTION_CONTRACTS_ACTIVATE SUBSCRIPTION_CONTRACTS_CANCEL
  SUBSCRIPTION_CONTRACTS_CREATE SUBSCRIPTION_CONTRACTS_EXPIRE SUBSCRIPTION_CONTRACTS_FAIL
  SUBSCRIPTION_CONTRACTS_PAUSE SUBSCRIPTION_CONTRACTS_UPDATE TAX_SERVICES_CREATE TAX_SERVICES_UPDATE
  TENDER_TRANSACTIONS_CREATE THEMES_CREATE THEMES_DELETE THEMES_PUBLISH THEMES_UPDATE VARIANTS_IN_STOCK
  VARIANTS_OUT_OF_STOCK
}
`;
