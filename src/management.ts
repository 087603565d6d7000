export {
  createManagementClient,
  type ManagementCallOptions,
  type ManagementClient,
  type ManagementClientOptions,
  type ManagementMethods,
} from "./management/management-client.ts";
export type { ManagementRecord, Workspace } from "./management/operations.ts";
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
