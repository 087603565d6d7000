export {
  createCatalogClient,
  type CatalogClient,
  type CatalogClientOptions,
} from "./catalog/catalog-client.ts";
export type { CatalogBudget, SpentBudget } from "./catalog/budget.ts";
export type {
  FindJobsOptions,
  JobEnd,
  ReadJobOptions,
  WaitForJob,
  WaitForJobOptions,
  WatchedJob,
} from "./catalog/job-waiter.ts";
export {
  catalogWebhook,
  type CatalogWebhook,
  type CatalogWebhookOptions,
  type FastifyLikeReply,
} from "./catalog/events/webhook.ts";
export { openFileInbox, type EventInbox } from "./catalog/events/event-inbox.ts";
export type { CatalogEvent } from "./catalog/events/follow-event.ts";
export { parseEvent, type ReceivedEvent } from "./catalog/events/parse-event.ts";
export { WEBHOOK_EVENTS } from "./catalog/operations/webhooks.ts";
export type * from "./catalog/operations/files.ts";
export type * from "./catalog/operations/jobs.ts";
export type * from "./catalog/operations/names.ts";
export type * from "./catalog/operations/products.ts";
export type * from "./catalog/operations/webhooks.ts";
export type { AttributeValue, ListData, NoFields, Open, Pagination } from "./catalog/operations/operation.ts";
export type { Organization } from "./service/organization.ts";
export type { CatalogMethods, CsvDownload, JobKind } from "./catalog/operations/catalog-operations.ts";
export type {
  Answered,
  Call,
  CallOptions,
  RequestMethod,
  RequestOptions,
  ServiceResponse,
} from "./service/call.ts";
export type { AttemptEnd, AttemptStart } from "./service/client-options.ts";
export type { Page, Pages } from "./service/pages.ts";
export type { RateLimit } from "./service/rate-limit.ts";
export { HoldfastError, isHoldfastError, type ErrorCode } from "./base/errors.ts";
export type { FieldProblem } from "./base/field-codes.ts";
export {
  createOrderEnricher,
  type KeptProduct,
  type OrderEnricher,
  type OrderEnricherOptions,
  type OrderProducts,
  type ProductCache,
  type ProductFacts,
} from "./catalog/order-enricher.ts";
