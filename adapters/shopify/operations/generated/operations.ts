// Made by scripts/generate-admin-operations.ts: do not edit.

export type FulfillmentOrder = { readonly id: string; readonly status: string; readonly requestStatus: string; readonly supportedActions: readonly ({ readonly action: string })[]; readonly fulfillmentHolds: readonly ({ readonly id: string; readonly handle: string | null; readonly heldByRequestingApp: boolean })[] };

export type FulfillmentOrderPage = { readonly nodes: readonly (FulfillmentOrder)[]; readonly pageInfo: PageInfo };

export type OrderLineUnits = { readonly quantity: number; readonly unfulfilledQuantity: number; readonly nonFulfillableQuantity: number };

export type EntryLine = { readonly remainingQuantity: number };

export type OrderEvent = { readonly action: string; readonly createdAt: string; readonly appTitle: string | null; readonly attributeToApp: boolean; readonly attributeToUser: boolean };

export type PageInfo = { readonly hasNextPage: boolean; readonly endCursor: string | null };

export type Address = { readonly name: string | null; readonly firstName: string | null; readonly lastName: string | null; readonly company: string | null; readonly address1: string | null; readonly address2: string | null; readonly city: string | null; readonly province: string | null; readonly provinceCode: string | null; readonly zip: string | null; readonly country: string | null; readonly countryCodeV2: string | null; readonly phone: string | null };

export type LinePage = { readonly nodes: readonly ({ readonly name: string; readonly title: string; readonly vendor: string | null; readonly sku: string | null; readonly quantity: number; readonly isGiftCard: boolean; readonly discountedUnitPriceAfterAllDiscountsSet: { readonly shopMoney: { readonly amount: string } } })[]; readonly pageInfo: PageInfo };

export type ListedOrder = { readonly id: string; readonly name: string; readonly createdAt: string; readonly updatedAt: string; readonly processedAt: string; readonly cancelledAt: string | null; readonly displayFulfillmentStatus: string; readonly test: boolean; readonly sourceName: string | null; readonly tags: readonly (string)[]; readonly paymentGatewayNames: readonly (string)[]; readonly customerLocale: string | null; readonly discountCodes: readonly (string)[]; readonly clientIp: string | null; readonly email: string | null; readonly phone: string | null; readonly currencyCode: string; readonly totalPriceSet: { readonly shopMoney: { readonly amount: string } }; readonly totalTipReceivedSet: { readonly shopMoney: { readonly amount: string } }; readonly billingAddress: Address | null; readonly shippingAddress: Address | null; readonly customer: { readonly id: string; readonly createdAt: string; readonly firstName: string | null; readonly lastName: string | null; readonly defaultEmailAddress: { readonly emailAddress: string } | null; readonly defaultPhoneNumber: { readonly phoneNumber: string } | null } | null; readonly lineItems: LinePage };

export type OrderRisk = { readonly recommendation: string; readonly assessments: readonly ({ readonly riskLevel: string; readonly provider: { readonly apiKey: string } | null })[] };

export type CardPayment = { readonly kind: string; readonly status: string; readonly authorizationExpiresAt: string | null; readonly paymentDetails: { readonly __typename: "CardPaymentDetails" } & { readonly company: string | null; readonly number: string | null; readonly name: string | null; readonly expirationMonth: number | null; readonly expirationYear: number | null; readonly bin: string | null; readonly avsResultCode: string | null; readonly cvvResultCode: string | null; readonly wallet: string | null } | { readonly __typename: "LocalPaymentMethodsPaymentDetails" } | { readonly __typename: "PaypalWalletPaymentDetails" } | { readonly __typename: "ShopPayInstallmentsPaymentDetails" } | null };

export type OrderContext = { readonly risk: OrderRisk; readonly shopifyProtect: { readonly status: string; readonly eligibility: { readonly status: string } } | null; readonly transactions: readonly (CardPayment)[] };

export type CustomerHistory = { readonly createdAt: string; readonly tags: readonly (string)[]; readonly numberOfOrders: string; readonly amountSpent: { readonly amount: string; readonly currencyCode: string }; readonly orders: { readonly nodes: readonly (PastOrder)[] } };

export type PastOrder = { readonly id: string; readonly cancelledAt: string | null; readonly displayFulfillmentStatus: string; readonly returnStatus: string };

export type OrderDetail = { readonly displayFinancialStatus: string | null; readonly customer: CustomerHistory | null; readonly shippingLine: { readonly title: string } | null; readonly purchasingEntity: { readonly __typename: "Customer" } | { readonly __typename: "PurchasingCompany" } & { readonly company: { readonly name: string } } | null } & OrderContext;

export type WrittenAssessment = { readonly riskLevel: string; readonly facts: readonly ({ readonly description: string; readonly sentiment: string })[] };

export type CancelJob = { readonly id: string; readonly status: string; readonly errors: readonly ({ readonly code: string | null })[]; readonly order: { readonly cancelledAt: string | null } | null };

export type Transaction = { readonly id: string; readonly kind: string; readonly status: string; readonly authorizationExpiresAt: string | null; readonly parentTransaction: { readonly id: string } | null; readonly totalUnsettledSet: { readonly presentmentMoney: { readonly amount: string; readonly currencyCode: string } } | null };

export type OrderPayment = { readonly cancelledAt: string | null; readonly capturable: boolean; readonly totalOutstandingSet: { readonly presentmentMoney: { readonly amount: string } }; readonly transactions: readonly (Transaction)[] };

export type Subscriptions = { readonly webhookSubscriptions: { readonly nodes: readonly ({ readonly id: string; readonly topic: string })[] } };

/** The variables of each document, and the data of its answer. */
export interface Operations {
  FindValidations: {
    variables: { readonly after?: string | null };
    data: { readonly validations: { readonly nodes: readonly ({ readonly id: string; readonly enabled: boolean; readonly blockOnFailure: boolean; readonly shopifyFunction: { readonly id: string; readonly handle: string; readonly appKey: string }; readonly metafield: { readonly id: string; readonly value: string } | null })[]; readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null } } };
  };
  CreateValidation: {
    variables: { readonly validation: { readonly blockOnFailure?: boolean | null; readonly enable?: boolean | null; readonly functionHandle?: string | null; readonly functionId?: string | null; readonly metafields?: readonly ({ readonly id?: string | null; readonly key?: string | null; readonly namespace?: string | null; readonly type?: string | null; readonly value?: string | null })[] | null; readonly title?: string | null } };
    data: { readonly validationCreate: { readonly validation: { readonly id: string } | null; readonly userErrors: readonly ({ readonly code: string | null })[] } | null };
  };
  UpdateValidation: {
    variables: { readonly id: string; readonly validation: { readonly blockOnFailure?: boolean | null; readonly enable?: boolean | null; readonly metafields?: readonly ({ readonly id?: string | null; readonly key?: string | null; readonly namespace?: string | null; readonly type?: string | null; readonly value?: string | null })[] | null; readonly title?: string | null } };
    data: { readonly validationUpdate: { readonly validation: { readonly id: string } | null; readonly userErrors: readonly ({ readonly code: string | null })[] } | null };
  };
  DeleteValidation: {
    variables: { readonly id: string };
    data: { readonly validationDelete: { readonly deletedId: string | null; readonly userErrors: readonly ({ readonly code: string | null })[] } | null };
  };
  FindPaymentCustomizations: {
    variables: { readonly after?: string | null };
    data: { readonly paymentCustomizations: { readonly nodes: readonly ({ readonly id: string; readonly enabled: boolean; readonly shopifyFunction: { readonly id: string; readonly handle: string; readonly appKey: string }; readonly metafield: { readonly id: string; readonly value: string } | null })[]; readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null } } };
  };
  CreatePaymentCustomization: {
    variables: { readonly input: { readonly enabled?: boolean | null; readonly functionHandle?: string | null; readonly functionId?: string | null; readonly metafields?: readonly ({ readonly id?: string | null; readonly key?: string | null; readonly namespace?: string | null; readonly type?: string | null; readonly value?: string | null })[] | null; readonly title?: string | null } };
    data: { readonly paymentCustomizationCreate: { readonly paymentCustomization: { readonly id: string } | null; readonly userErrors: readonly ({ readonly code: string | null })[] } | null };
  };
  UpdatePaymentCustomization: {
    variables: { readonly id: string; readonly input: { readonly enabled?: boolean | null; readonly functionHandle?: string | null; readonly functionId?: string | null; readonly metafields?: readonly ({ readonly id?: string | null; readonly key?: string | null; readonly namespace?: string | null; readonly type?: string | null; readonly value?: string | null })[] | null; readonly title?: string | null } };
    data: { readonly paymentCustomizationUpdate: { readonly paymentCustomization: { readonly id: string } | null; readonly userErrors: readonly ({ readonly code: string | null })[] } | null };
  };
  DeletePaymentCustomization: {
    variables: { readonly id: string };
    data: { readonly paymentCustomizationDelete: { readonly deletedId: string | null; readonly userErrors: readonly ({ readonly code: string | null })[] } | null };
  };
  OrderShipments: {
    variables: { readonly id: string };
    data: { readonly order: { readonly id: string; readonly lineItems: { readonly nodes: readonly (OrderLineUnits)[]; readonly pageInfo: PageInfo }; readonly fulfillments: readonly ({ readonly id: string; readonly status: string; readonly createdAt: string; readonly deliveredAt: string | null; readonly trackingInfo: readonly ({ readonly company: string | null; readonly number: string | null })[] })[] } | null };
  };
  DisputeForm: {
    variables: { readonly id: string };
    data: { readonly dispute: { readonly id: string; readonly status: string; readonly evidenceDueBy: string | null; readonly evidenceSentOn: string | null; readonly disputeEvidence: { readonly id: string; readonly submitted: boolean; readonly customerFirstName: string | null; readonly customerLastName: string | null; readonly customerEmailAddress: string | null; readonly shippingAddress: { readonly address1: string | null; readonly address2: string | null; readonly city: string | null; readonly provinceCode: string | null; readonly province: string | null; readonly zip: string | null; readonly country: string | null; readonly firstName: string | null; readonly lastName: string | null; readonly company: string | null; readonly phone: string | null } | null; readonly accessActivityLog: string | null; readonly uncategorizedText: string | null } } | null };
  };
  SaveEvidenceDraft: {
    variables: { readonly id: string; readonly firstName?: string | null; readonly lastName?: string | null; readonly email?: string | null; readonly shippingAddress?: { readonly address1?: string | null; readonly address2?: string | null; readonly city?: string | null; readonly company?: string | null; readonly country?: string | null; readonly countryCode?: string | null; readonly firstName?: string | null; readonly id?: string | null; readonly lastName?: string | null; readonly phone?: string | null; readonly province?: string | null; readonly provinceCode?: string | null; readonly zip?: string | null }; readonly accessLog?: string | null; readonly statement?: string | null };
    data: { readonly disputeEvidenceUpdate: { readonly disputeEvidence: { readonly id: string; readonly submitted: boolean } | null; readonly userErrors: readonly ({ readonly code: string | null; readonly field: readonly (string)[] | null })[] } | null };
  };
  OrderFulfillmentOrders: {
    variables: { readonly id: string; readonly after?: string | null };
    data: { readonly order: { readonly id: string; readonly cancelledAt: string | null; readonly fulfillmentOrders: FulfillmentOrderPage } | null };
  };
  HiddenGoods: {
    variables: { readonly ids: readonly (string)[] };
    data: { readonly nodes: readonly ({ readonly __typename: "App" } | { readonly __typename: "AppInstallation" } | { readonly __typename: "AppSubscription" } | { readonly __typename: "BasicEvent" } | { readonly __typename: "Company" } | { readonly __typename: "Customer" } | { readonly __typename: "Fulfillment" } | { readonly __typename: "FulfillmentHold" } | { readonly __typename: "FulfillmentOrder" } & { readonly orderId: string } & FulfillmentOrder | { readonly __typename: "FulfillmentOrderLineItem" } | { readonly __typename: "LineItem" } | { readonly __typename: "MailingAddress" } | { readonly __typename: "Metafield" } | { readonly __typename: "Order" } | { readonly __typename: "OrderCancelJobResult" } | { readonly __typename: "OrderTransaction" } | { readonly __typename: "PaymentCustomization" } | { readonly __typename: "Shop" } | { readonly __typename: "ShopifyPaymentsDispute" } | { readonly __typename: "ShopifyPaymentsDisputeEvidence" } | { readonly __typename: "Validation" } | { readonly __typename: "WebhookSubscription" } | null)[]; readonly currentAppInstallation: { readonly accessScopes: readonly ({ readonly handle: string })[] } };
  };
  OrderCoverage: {
    variables: { readonly id: string };
    data: { readonly order: { readonly id: string; readonly displayFulfillmentStatus: string } | null; readonly currentAppInstallation: { readonly accessScopes: readonly ({ readonly handle: string })[] } };
  };
  OrderGoods: {
    variables: { readonly id: string; readonly afterLine?: string | null; readonly afterEntry?: string | null };
    data: { readonly order: { readonly id: string; readonly lineItems: { readonly nodes: readonly (OrderLineUnits)[]; readonly pageInfo: PageInfo }; readonly fulfillmentOrders: { readonly nodes: readonly ({ readonly id: string; readonly status: string; readonly lineItems: { readonly nodes: readonly (EntryLine)[] } })[]; readonly pageInfo: PageInfo } } | null };
  };
  FulfillmentOrderGoods: {
    variables: { readonly id: string; readonly after?: string | null };
    data: { readonly fulfillmentOrder: { readonly id: string; readonly lineItems: { readonly nodes: readonly (EntryLine)[]; readonly pageInfo: PageInfo } } | null };
  };
  CancelFulfillmentOrder: {
    variables: { readonly id: string };
    data: { readonly fulfillmentOrderCancel: { readonly replacementFulfillmentOrder: { readonly id: string } | null; readonly userErrors: readonly ({ readonly field: readonly (string)[] | null })[] } | null };
  };
  RequestCancellation: {
    variables: { readonly id: string; readonly message: string };
    data: { readonly fulfillmentOrderSubmitCancellationRequest: { readonly fulfillmentOrder: { readonly id: string } | null; readonly userErrors: readonly ({ readonly field: readonly (string)[] | null })[] } | null };
  };
  HoldFulfillmentOrder: {
    variables: { readonly id: string; readonly hold: { readonly externalId?: string | null; readonly fulfillmentOrderLineItems?: readonly ({ readonly id: string; readonly quantity: number })[] | null; readonly handle?: string | null; readonly notifyMerchant?: boolean | null; readonly reason: string; readonly reasonNotes?: string | null } };
    data: { readonly fulfillmentOrderHold: { readonly fulfillmentHold: { readonly id: string; readonly handle: string | null } | null; readonly userErrors: readonly ({ readonly code: string | null })[] } | null };
  };
  ReleaseHolds: {
    variables: { readonly id: string; readonly holdIds: readonly (string)[] };
    data: { readonly fulfillmentOrderReleaseHold: { readonly fulfillmentOrder: { readonly id: string } | null; readonly userErrors: readonly ({ readonly code: string | null })[] } | null };
  };
  OrderEvents: {
    variables: { readonly id: string; readonly search: string };
    data: { readonly order: { readonly id: string; readonly events: { readonly nodes: readonly ({ readonly __typename: "BasicEvent" } & OrderEvent)[] } } | null; readonly currentAppInstallation: { readonly app: { readonly title: string } } };
  };
  LocateFulfillmentOrders: {
    variables: { readonly ids: readonly (string)[] };
    data: { readonly nodes: readonly ({ readonly __typename: "App" } | { readonly __typename: "AppInstallation" } | { readonly __typename: "AppSubscription" } | { readonly __typename: "BasicEvent" } | { readonly __typename: "Company" } | { readonly __typename: "Customer" } | { readonly __typename: "Fulfillment" } | { readonly __typename: "FulfillmentHold" } | { readonly __typename: "FulfillmentOrder" } & { readonly orderId: string } | { readonly __typename: "FulfillmentOrderLineItem" } | { readonly __typename: "LineItem" } | { readonly __typename: "MailingAddress" } | { readonly __typename: "Metafield" } | { readonly __typename: "Order" } | { readonly __typename: "OrderCancelJobResult" } | { readonly __typename: "OrderTransaction" } | { readonly __typename: "PaymentCustomization" } | { readonly __typename: "Shop" } | { readonly __typename: "ShopifyPaymentsDispute" } | { readonly __typename: "ShopifyPaymentsDisputeEvidence" } | { readonly __typename: "Validation" } | { readonly __typename: "WebhookSubscription" } | null)[] };
  };
  RecentOrders: {
    variables: { readonly query: string; readonly after?: string | null };
    data: { readonly orders: { readonly nodes: readonly (ListedOrder)[]; readonly pageInfo: PageInfo } };
  };
  PresentOrder: {
    variables: { readonly id: string };
    data: { readonly order: { readonly currentTotalPriceSet: { readonly shopMoney: { readonly amount: string } } } & ListedOrder | null };
  };
  OrderLines: {
    variables: { readonly id: string; readonly after: string };
    data: { readonly order: { readonly id: string; readonly lineItems: LinePage } | null };
  };
  OrderContext: {
    variables: { readonly id: string };
    data: { readonly order: { readonly id: string } & OrderContext | null };
  };
  OrderDetail: {
    variables: { readonly id: string; readonly orders: number };
    data: { readonly order: { readonly id: string } & OrderDetail | null };
  };
  OrderAssessments: {
    variables: { readonly id: string };
    data: { readonly order: { readonly id: string; readonly risk: { readonly assessments: readonly (WrittenAssessment)[] } } | null };
  };
  CreateAssessment: {
    variables: { readonly input: { readonly facts: readonly ({ readonly description: string; readonly sentiment: string })[]; readonly orderId: string; readonly riskLevel: string } };
    data: { readonly orderRiskAssessmentCreate: { readonly orderRiskAssessment: { readonly riskLevel: string } | null; readonly userErrors: readonly ({ readonly code: string | null })[] } | null };
  };
  AddTags: {
    variables: { readonly id: string; readonly tags: readonly (string)[] };
    data: { readonly tagsAdd: { readonly node: { readonly id: string } | null; readonly userErrors: readonly ({ readonly field: readonly (string)[] | null })[] } | null };
  };
  RemoveTags: {
    variables: { readonly id: string; readonly tags: readonly (string)[] };
    data: { readonly tagsRemove: { readonly node: { readonly id: string } | null; readonly userErrors: readonly ({ readonly field: readonly (string)[] | null })[] } | null };
  };
  OrderCancellation: {
    variables: { readonly id: string };
    data: { readonly order: { readonly id: string; readonly cancelledAt: string | null; readonly displayFulfillmentStatus: string } | null };
  };
  CancelOrder: {
    variables: { readonly orderId: string; readonly reason: string; readonly restock: boolean; readonly refundMethod: { readonly originalPaymentMethodsRefund?: boolean | null; readonly storeCreditRefund?: { readonly expiresAt?: string | null } }; readonly notifyCustomer: boolean; readonly staffNote: string };
    data: { readonly orderCancel: { readonly jobResult: CancelJob | null; readonly orderCancelUserErrors: readonly ({ readonly code: string | null })[] } | null };
  };
  CancelJob: {
    variables: { readonly id: string };
    data: { readonly node: { readonly __typename: "App" } | { readonly __typename: "AppInstallation" } | { readonly __typename: "AppSubscription" } | { readonly __typename: "BasicEvent" } | { readonly __typename: "Company" } | { readonly __typename: "Customer" } | { readonly __typename: "Fulfillment" } | { readonly __typename: "FulfillmentHold" } | { readonly __typename: "FulfillmentOrder" } | { readonly __typename: "FulfillmentOrderLineItem" } | { readonly __typename: "LineItem" } | { readonly __typename: "MailingAddress" } | { readonly __typename: "Metafield" } | { readonly __typename: "Order" } | { readonly __typename: "OrderCancelJobResult" } & CancelJob | { readonly __typename: "OrderTransaction" } | { readonly __typename: "PaymentCustomization" } | { readonly __typename: "Shop" } | { readonly __typename: "ShopifyPaymentsDispute" } | { readonly __typename: "ShopifyPaymentsDisputeEvidence" } | { readonly __typename: "Validation" } | { readonly __typename: "WebhookSubscription" } | null };
  };
  ObserveOrder: {
    variables: { readonly id: string };
    data: { readonly order: { readonly id: string; readonly createdAt: string; readonly cancelledAt: string | null; readonly displayFulfillmentStatus: string; readonly tags: readonly (string)[]; readonly risk: OrderRisk; readonly fulfillmentOrders: FulfillmentOrderPage } | null; readonly currentAppInstallation: { readonly accessScopes: readonly ({ readonly handle: string })[] } };
  };
  OrderPayment: {
    variables: { readonly id: string };
    data: { readonly order: { readonly id: string } & OrderPayment | null };
  };
  CapturePayment: {
    variables: { readonly input: { readonly amount: string; readonly currency?: string | null; readonly finalCapture?: boolean | null; readonly id: string; readonly parentTransactionId: string } };
    data: { readonly orderCapture: { readonly transaction: { readonly id: string; readonly status: string } | null; readonly userErrors: readonly ({ readonly field: readonly (string)[] | null })[] } | null };
  };
  FireFlowTrigger: {
    variables: { readonly handle: string; readonly payload: unknown };
    data: { readonly flowTriggerReceive: { readonly userErrors: readonly ({ readonly field: readonly (string)[] | null })[] } | null };
  };
  ConfirmAccess: {
    variables: Readonly<Record<string, never>>;
    data: { readonly currentAppInstallation: { readonly id: string } };
  };
  ShopLocale: {
    variables: Readonly<Record<string, never>>;
    data: { readonly shop: { readonly id: string; readonly currencyCode: string; readonly ianaTimezone: string } };
  };
  ActivePlans: {
    variables: Readonly<Record<string, never>>;
    data: { readonly currentAppInstallation: { readonly id: string; readonly activeSubscriptions: readonly ({ readonly id: string; readonly status: string })[] } };
  };
  DiagnoseShop: {
    variables: { readonly topics: readonly (string)[] };
    data: { readonly currentAppInstallation: { readonly id: string; readonly accessScopes: readonly ({ readonly handle: string })[]; readonly app: { readonly optionalAccessScopes: readonly ({ readonly handle: string })[] } }; readonly publicApiVersions: readonly ({ readonly handle: string; readonly supported: boolean })[] } & Subscriptions;
  };
  ListSubscriptions: {
    variables: { readonly topics: readonly (string)[] };
    data: Subscriptions;
  };
  Subscribe: {
    variables: { readonly topic: string; readonly uri: string };
    data: { readonly webhookSubscriptionCreate: { readonly userErrors: readonly ({ readonly field: readonly (string)[] | null })[] } | null };
  };
  GrantedScopes: {
    variables: Readonly<Record<string, never>>;
    data: { readonly currentAppInstallation: { readonly id: string; readonly accessScopes: readonly ({ readonly handle: string })[] } };
  };
}

/** Each document that the adapter sends. */
export const OPERATIONS = {
  "FindValidations": "query FindValidations($after: String) {\n  validations(first: 50, after: $after) {\n    nodes {\n      id\n      enabled\n      blockOnFailure\n      shopifyFunction {\n        id\n        handle\n        appKey\n      }\n      metafield(key: \"block-list\") {\n        id\n        value\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}",
  "CreateValidation": "mutation CreateValidation($validation: ValidationCreateInput!) {\n  validationCreate(validation: $validation) {\n    validation {\n      id\n    }\n    userErrors {\n      code\n    }\n  }\n}",
  "UpdateValidation": "mutation UpdateValidation($id: ID!, $validation: ValidationUpdateInput!) {\n  validationUpdate(id: $id, validation: $validation) {\n    validation {\n      id\n    }\n    userErrors {\n      code\n    }\n  }\n}",
  "DeleteValidation": "mutation DeleteValidation($id: ID!) {\n  validationDelete(id: $id) {\n    deletedId\n    userErrors {\n      code\n    }\n  }\n}",
  "FindPaymentCustomizations": "query FindPaymentCustomizations($after: String) {\n  paymentCustomizations(first: 50, after: $after) {\n    nodes {\n      id\n      enabled\n      shopifyFunction {\n        id\n        handle\n        appKey\n      }\n      metafield(key: \"block-list\") {\n        id\n        value\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}",
  "CreatePaymentCustomization": "mutation CreatePaymentCustomization($input: PaymentCustomizationInput!) {\n  paymentCustomizationCreate(paymentCustomization: $input) {\n    paymentCustomization {\n      id\n    }\n    userErrors {\n      code\n    }\n  }\n}",
  "UpdatePaymentCustomization": "mutation UpdatePaymentCustomization($id: ID!, $input: PaymentCustomizationInput!) {\n  paymentCustomizationUpdate(id: $id, paymentCustomization: $input) {\n    paymentCustomization {\n      id\n    }\n    userErrors {\n      code\n    }\n  }\n}",
  "DeletePaymentCustomization": "mutation DeletePaymentCustomization($id: ID!) {\n  paymentCustomizationDelete(id: $id) {\n    deletedId\n    userErrors {\n      code\n    }\n  }\n}",
  "OrderShipments": "query OrderShipments($id: ID!) {\n  order(id: $id) {\n    id\n    lineItems(first: 200) {\n      nodes {\n        quantity\n        unfulfilledQuantity\n        nonFulfillableQuantity\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n    fulfillments(first: 20) {\n      id\n      status\n      createdAt\n      deliveredAt\n      trackingInfo(first: 10) {\n        company\n        number\n      }\n    }\n  }\n}",
  "DisputeForm": "query DisputeForm($id: ID!) {\n  dispute(id: $id) {\n    id\n    status\n    evidenceDueBy\n    evidenceSentOn\n    disputeEvidence {\n      id\n      submitted\n      customerFirstName\n      customerLastName\n      customerEmailAddress\n      shippingAddress {\n        address1\n        address2\n        city\n        provinceCode\n        province\n        zip\n        country\n        firstName\n        lastName\n        company\n        phone\n      }\n      accessActivityLog\n      uncategorizedText\n    }\n  }\n}",
  "SaveEvidenceDraft": "mutation SaveEvidenceDraft($id: ID!, $firstName: String, $lastName: String, $email: String, $shippingAddress: MailingAddressInput, $accessLog: String, $statement: String) {\n  disputeEvidenceUpdate(\n    id: $id\n    input: {submitEvidence: false, customerFirstName: $firstName, customerLastName: $lastName, customerEmailAddress: $email, shippingAddress: $shippingAddress, accessActivityLog: $accessLog, uncategorizedText: $statement}\n  ) {\n    disputeEvidence {\n      id\n      submitted\n    }\n    userErrors {\n      code\n      field\n    }\n  }\n}",
  "OrderFulfillmentOrders": "query OrderFulfillmentOrders($id: ID!, $after: String) {\n  order(id: $id) {\n    id\n    cancelledAt\n    fulfillmentOrders(first: 50, after: $after) {\n      nodes {\n        id\n        status\n        requestStatus\n        supportedActions {\n          action\n        }\n        fulfillmentHolds {\n          id\n          handle\n          heldByRequestingApp\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}",
  "HiddenGoods": "query HiddenGoods($ids: [ID!]!) {\n  nodes(ids: $ids) {\n    __typename\n    ... on FulfillmentOrder {\n      orderId\n      id\n      status\n      requestStatus\n      supportedActions {\n        action\n      }\n      fulfillmentHolds {\n        id\n        handle\n        heldByRequestingApp\n      }\n    }\n  }\n  currentAppInstallation {\n    accessScopes {\n      handle\n    }\n  }\n}",
  "OrderCoverage": "query OrderCoverage($id: ID!) {\n  order(id: $id) {\n    id\n    displayFulfillmentStatus\n  }\n  currentAppInstallation {\n    accessScopes {\n      handle\n    }\n  }\n}",
  "OrderGoods": "query OrderGoods($id: ID!, $afterLine: String, $afterEntry: String) {\n  order(id: $id) {\n    id\n    lineItems(first: 50, after: $afterLine) {\n      nodes {\n        quantity\n        unfulfilledQuantity\n        nonFulfillableQuantity\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n    fulfillmentOrders(first: 5, after: $afterEntry) {\n      nodes {\n        id\n        status\n        lineItems(first: 30) {\n          nodes {\n            remainingQuantity\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}",
  "FulfillmentOrderGoods": "query FulfillmentOrderGoods($id: ID!, $after: String) {\n  fulfillmentOrder(id: $id) {\n    id\n    lineItems(first: 200, after: $after) {\n      nodes {\n        remainingQuantity\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}",
  "CancelFulfillmentOrder": "mutation CancelFulfillmentOrder($id: ID!) {\n  fulfillmentOrderCancel(id: $id) {\n    replacementFulfillmentOrder {\n      id\n    }\n    userErrors {\n      field\n    }\n  }\n}",
  "RequestCancellation": "mutation RequestCancellation($id: ID!, $message: String!) {\n  fulfillmentOrderSubmitCancellationRequest(id: $id, message: $message) {\n    fulfillmentOrder {\n      id\n    }\n    userErrors {\n      field\n    }\n  }\n}",
  "HoldFulfillmentOrder": "mutation HoldFulfillmentOrder($id: ID!, $hold: FulfillmentOrderHoldInput!) {\n  fulfillmentOrderHold(id: $id, fulfillmentHold: $hold) {\n    fulfillmentHold {\n      id\n      handle\n    }\n    userErrors {\n      code\n    }\n  }\n}",
  "ReleaseHolds": "mutation ReleaseHolds($id: ID!, $holdIds: [ID!]!) {\n  fulfillmentOrderReleaseHold(id: $id, holdIds: $holdIds) {\n    fulfillmentOrder {\n      id\n    }\n    userErrors {\n      code\n    }\n  }\n}",
  "OrderEvents": "query OrderEvents($id: ID!, $search: String!) {\n  order(id: $id) {\n    id\n    events(first: 25, reverse: true, sortKey: CREATED_AT, query: $search) {\n      nodes {\n        __typename\n        ... on BasicEvent {\n          action\n          createdAt\n          appTitle\n          attributeToApp\n          attributeToUser\n        }\n      }\n    }\n  }\n  currentAppInstallation {\n    app {\n      title\n    }\n  }\n}",
  "LocateFulfillmentOrders": "query LocateFulfillmentOrders($ids: [ID!]!) {\n  nodes(ids: $ids) {\n    __typename\n    ... on FulfillmentOrder {\n      orderId\n    }\n  }\n}",
  "RecentOrders": "query RecentOrders($query: String!, $after: String) {\n  orders(first: 20, after: $after, query: $query, sortKey: CREATED_AT) {\n    nodes {\n      id\n      name\n      createdAt\n      updatedAt\n      processedAt\n      cancelledAt\n      displayFulfillmentStatus\n      test\n      sourceName\n      tags\n      paymentGatewayNames\n      customerLocale\n      discountCodes\n      clientIp\n      email\n      phone\n      currencyCode\n      totalPriceSet {\n        shopMoney {\n          amount\n        }\n      }\n      totalTipReceivedSet {\n        shopMoney {\n          amount\n        }\n      }\n      billingAddress {\n        name\n        firstName\n        lastName\n        company\n        address1\n        address2\n        city\n        province\n        provinceCode\n        zip\n        country\n        countryCodeV2\n        phone\n      }\n      shippingAddress {\n        name\n        firstName\n        lastName\n        company\n        address1\n        address2\n        city\n        province\n        provinceCode\n        zip\n        country\n        countryCodeV2\n        phone\n      }\n      customer {\n        id\n        createdAt\n        firstName\n        lastName\n        defaultEmailAddress {\n          emailAddress\n        }\n        defaultPhoneNumber {\n          phoneNumber\n        }\n      }\n      lineItems(first: 9) {\n        nodes {\n          name\n          title\n          vendor\n          sku\n          quantity\n          isGiftCard\n          discountedUnitPriceAfterAllDiscountsSet {\n            shopMoney {\n              amount\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}",
  "PresentOrder": "query PresentOrder($id: ID!) {\n  order(id: $id) {\n    id\n    name\n    createdAt\n    updatedAt\n    processedAt\n    cancelledAt\n    displayFulfillmentStatus\n    test\n    sourceName\n    tags\n    paymentGatewayNames\n    customerLocale\n    discountCodes\n    clientIp\n    email\n    phone\n    currencyCode\n    totalPriceSet {\n      shopMoney {\n        amount\n      }\n    }\n    totalTipReceivedSet {\n      shopMoney {\n        amount\n      }\n    }\n    billingAddress {\n      name\n      firstName\n      lastName\n      company\n      address1\n      address2\n      city\n      province\n      provinceCode\n      zip\n      country\n      countryCodeV2\n      phone\n    }\n    shippingAddress {\n      name\n      firstName\n      lastName\n      company\n      address1\n      address2\n      city\n      province\n      provinceCode\n      zip\n      country\n      countryCodeV2\n      phone\n    }\n    customer {\n      id\n      createdAt\n      firstName\n      lastName\n      defaultEmailAddress {\n        emailAddress\n      }\n      defaultPhoneNumber {\n        phoneNumber\n      }\n    }\n    lineItems(first: 9) {\n      nodes {\n        name\n        title\n        vendor\n        sku\n        quantity\n        isGiftCard\n        discountedUnitPriceAfterAllDiscountsSet {\n          shopMoney {\n            amount\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n    currentTotalPriceSet {\n      shopMoney {\n        amount\n      }\n    }\n  }\n}",
  "OrderLines": "query OrderLines($id: ID!, $after: String!) {\n  order(id: $id) {\n    id\n    lineItems(first: 100, after: $after) {\n      nodes {\n        name\n        title\n        vendor\n        sku\n        quantity\n        isGiftCard\n        discountedUnitPriceAfterAllDiscountsSet {\n          shopMoney {\n            amount\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}",
  "OrderContext": "query OrderContext($id: ID!) {\n  order(id: $id) {\n    id\n    risk {\n      recommendation\n      assessments {\n        riskLevel\n        provider {\n          apiKey\n        }\n      }\n    }\n    shopifyProtect {\n      status\n      eligibility {\n        status\n      }\n    }\n    transactions(first: 10) {\n      kind\n      status\n      authorizationExpiresAt\n      paymentDetails {\n        __typename\n        ... on CardPaymentDetails {\n          company\n          number\n          name\n          expirationMonth\n          expirationYear\n          bin\n          avsResultCode\n          cvvResultCode\n          wallet\n        }\n      }\n    }\n  }\n}",
  "OrderDetail": "query OrderDetail($id: ID!, $orders: Int!) {\n  order(id: $id) {\n    id\n    displayFinancialStatus\n    customer {\n      createdAt\n      tags\n      numberOfOrders\n      amountSpent {\n        amount\n        currencyCode\n      }\n      orders(first: $orders, sortKey: CREATED_AT, reverse: true) {\n        nodes {\n          id\n          cancelledAt\n          displayFulfillmentStatus\n          returnStatus\n        }\n      }\n    }\n    shippingLine {\n      title\n    }\n    purchasingEntity {\n      __typename\n      ... on PurchasingCompany {\n        company {\n          name\n        }\n      }\n    }\n    risk {\n      recommendation\n      assessments {\n        riskLevel\n        provider {\n          apiKey\n        }\n      }\n    }\n    shopifyProtect {\n      status\n      eligibility {\n        status\n      }\n    }\n    transactions(first: 10) {\n      kind\n      status\n      authorizationExpiresAt\n      paymentDetails {\n        __typename\n        ... on CardPaymentDetails {\n          company\n          number\n          name\n          expirationMonth\n          expirationYear\n          bin\n          avsResultCode\n          cvvResultCode\n          wallet\n        }\n      }\n    }\n  }\n}",
  "OrderAssessments": "query OrderAssessments($id: ID!) {\n  order(id: $id) {\n    id\n    risk {\n      assessments {\n        riskLevel\n        facts {\n          description\n          sentiment\n        }\n      }\n    }\n  }\n}",
  "CreateAssessment": "mutation CreateAssessment($input: OrderRiskAssessmentCreateInput!) {\n  orderRiskAssessmentCreate(orderRiskAssessmentInput: $input) {\n    orderRiskAssessment {\n      riskLevel\n    }\n    userErrors {\n      code\n    }\n  }\n}",
  "AddTags": "mutation AddTags($id: ID!, $tags: [String!]!) {\n  tagsAdd(id: $id, tags: $tags) {\n    node {\n      id\n    }\n    userErrors {\n      field\n    }\n  }\n}",
  "RemoveTags": "mutation RemoveTags($id: ID!, $tags: [String!]!) {\n  tagsRemove(id: $id, tags: $tags) {\n    node {\n      id\n    }\n    userErrors {\n      field\n    }\n  }\n}",
  "OrderCancellation": "query OrderCancellation($id: ID!) {\n  order(id: $id) {\n    id\n    cancelledAt\n    displayFulfillmentStatus\n  }\n}",
  "CancelOrder": "mutation CancelOrder($orderId: ID!, $reason: OrderCancelReason!, $restock: Boolean!, $refundMethod: OrderCancelRefundMethodInput!, $notifyCustomer: Boolean!, $staffNote: String!) {\n  orderCancel(\n    orderId: $orderId\n    reason: $reason\n    restock: $restock\n    refundMethod: $refundMethod\n    notifyCustomer: $notifyCustomer\n    staffNote: $staffNote\n  ) {\n    jobResult {\n      id\n      status\n      errors {\n        code\n      }\n      order {\n        cancelledAt\n      }\n    }\n    orderCancelUserErrors {\n      code\n    }\n  }\n}",
  "CancelJob": "query CancelJob($id: ID!) {\n  node(id: $id) {\n    __typename\n    ... on OrderCancelJobResult {\n      id\n      status\n      errors {\n        code\n      }\n      order {\n        cancelledAt\n      }\n    }\n  }\n}",
  "ObserveOrder": "query ObserveOrder($id: ID!) {\n  order(id: $id) {\n    id\n    createdAt\n    cancelledAt\n    displayFulfillmentStatus\n    tags\n    risk {\n      recommendation\n      assessments {\n        riskLevel\n        provider {\n          apiKey\n        }\n      }\n    }\n    fulfillmentOrders(first: 50) {\n      nodes {\n        id\n        status\n        requestStatus\n        supportedActions {\n          action\n        }\n        fulfillmentHolds {\n          id\n          handle\n          heldByRequestingApp\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n  currentAppInstallation {\n    accessScopes {\n      handle\n    }\n  }\n}",
  "OrderPayment": "query OrderPayment($id: ID!) {\n  order(id: $id) {\n    id\n    cancelledAt\n    capturable\n    totalOutstandingSet {\n      presentmentMoney {\n        amount\n      }\n    }\n    transactions(first: 50) {\n      id\n      kind\n      status\n      authorizationExpiresAt\n      parentTransaction {\n        id\n      }\n      totalUnsettledSet {\n        presentmentMoney {\n          amount\n          currencyCode\n        }\n      }\n    }\n  }\n}",
  "CapturePayment": "mutation CapturePayment($input: OrderCaptureInput!) {\n  orderCapture(input: $input) {\n    transaction {\n      id\n      status\n    }\n    userErrors {\n      field\n    }\n  }\n}",
  "FireFlowTrigger": "mutation FireFlowTrigger($handle: String!, $payload: JSON!) {\n  flowTriggerReceive(handle: $handle, payload: $payload) {\n    userErrors {\n      field\n    }\n  }\n}",
  "ConfirmAccess": "query ConfirmAccess {\n  currentAppInstallation {\n    id\n  }\n}",
  "ShopLocale": "query ShopLocale {\n  shop {\n    id\n    currencyCode\n    ianaTimezone\n  }\n}",
  "ActivePlans": "query ActivePlans {\n  currentAppInstallation {\n    id\n    activeSubscriptions {\n      id\n      status\n    }\n  }\n}",
  "DiagnoseShop": "query DiagnoseShop($topics: [WebhookSubscriptionTopic!]!) {\n  currentAppInstallation {\n    id\n    accessScopes {\n      handle\n    }\n    app {\n      optionalAccessScopes {\n        handle\n      }\n    }\n  }\n  publicApiVersions {\n    handle\n    supported\n  }\n  webhookSubscriptions(first: 100, topics: $topics) {\n    nodes {\n      id\n      topic\n    }\n  }\n}",
  "ListSubscriptions": "query ListSubscriptions($topics: [WebhookSubscriptionTopic!]!) {\n  webhookSubscriptions(first: 100, topics: $topics) {\n    nodes {\n      id\n      topic\n    }\n  }\n}",
  "Subscribe": "mutation Subscribe($topic: WebhookSubscriptionTopic!, $uri: String!) {\n  webhookSubscriptionCreate(topic: $topic, webhookSubscription: {uri: $uri}) {\n    userErrors {\n      field\n    }\n  }\n}",
  "GrantedScopes": "query GrantedScopes {\n  currentAppInstallation {\n    id\n    accessScopes {\n      handle\n    }\n  }\n}"
} as const;

