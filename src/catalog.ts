export {
  createCatalogClient,
  type CatalogClient,
  type CatalogClientOptions,
} from "./catalog/catalog-client.ts";
export type { CatalogBudget, SpentBudget } from "./catalog/budget.ts";
export type {
  JobEnd,
  ReadJobOptions,
  WaitForJob,
  WaitForJobOptions,
  WatchedJob,
} from "./catalog/job-waiter.ts";
export {
  catalogWebhook,
  type CatalogEvent,
  type CatalogWebhook,
  type CatalogWebhookOptions,
} from "./catalog/webhook.ts";
export { openFileInbox, type EventInbox, type ReceivedEvent } from "./catalog/event-inbox.ts";
export { WEBHOOK_EVENTS } from "./catalog/operations/webhooks.ts";
export type { CatalogFile } from "./catalog/operations/files.ts";
export type {
  CallOptions,
  CatalogMethods,
  CsvDownload,
  JobKind,
} from "./catalog/operations/catalog-operations.ts";
export type { Page, Pages } from "./service/pages.ts";
export { HoldfastError, isHoldfastError, type ErrorCode, type FieldProblem } from "./base/errors.ts";
export {
  createOrderEnricher,
  type KeptProduct,
  type OrderEnricher,
  type OrderEnricherOptions,
  type OrderProducts,
  type ProductCache,
  type ProductFacts,
} from "./catalog/order-enricher.ts";
