/** What a storefront uses. Adapter authors find more in `holdfast/adapter-kit`. */
export { ERROR_CODES, HoldfastError, isHoldfastError, type ErrorCode } from "./base/errors.ts";
export type { Logger } from "./base/logger.ts";
export type { VerificationRequest } from "./order/request.ts";
export { DEFAULT_POLICY, parsePolicy, type Policy } from "./policy/policy.ts";
export {
  withWaitUntil,
  type CheckOptions,
  type DecisionEvent,
  type OrderCheck,
  type Screener,
} from "./screening/order-check.ts";
export type { VerificationOrder } from "./screening/read-order.ts";
export { createScreener } from "./screening/screener.ts";
export type { ScreenerOptions, ServiceOptions } from "./screening/screener-options.ts";
export { createPostgresStore, createSqliteStore } from "./store/opening/open-store.ts";
export type { Ledger, ScreenerStore, Store } from "./store/store.ts";
