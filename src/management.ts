export {
  createManagementClient,
  type ManagementCallOptions,
  type ManagementClient,
  type ManagementClientOptions,
  type ManagementMethods,
} from "./management/management-client.ts";
export type { Page, Pages } from "./service/pages.ts";
export { HoldfastError, isHoldfastError, type ErrorCode, type FieldProblem } from "./base/errors.ts";
