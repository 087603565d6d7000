export { CONSOLE_VIEWS } from "./server/page/views.ts";
export { ERROR_CODES, HoldfastError, isHoldfastError } from "./base/errors.ts";
export { throwMissingPackage } from "./base/missing-package.ts";
export type { ErrorCode, FieldProblem, HoldfastErrorOptions, Metered } from "./base/errors.ts";
export { parseVerificationRequest, REQUEST_LIMITS, verificationRequestSchema } from "./order/request.ts";
export { toEmailAddress } from "./order/email-address.ts";
export { isBuyersIp, withIpAddress } from "./order/ip-address.ts";
export type {
  OrderAddress,
  OrderItem,
  PartialVerificationRequest,
  PaymentInfo,
  VerificationRequest,
} from "./order/request.ts";
export type { StandIn } from "./order/request.ts";
export { cutText } from "./order/text.ts";
export { toUtcTimestamp } from "./order/timestamp.ts";
export { ACCESS_STATES } from "./platform/platform.ts";
export { HOLD_GAPS, HOLD_RELEASERS, ORDER_ENDS } from "./platform/enforcement-step.ts";
export { SKIP_REASONS, type SkipReason } from "./order/skip-reasons.ts";
export type * from "./platform/platform.ts";
export type * from "./platform/enforcement-step.ts";
export { createHostPlatform, HOST_SIGNATURE_HEADER } from "./platform/host-platform.ts";
export { toMappedOrder } from "./platform/mapped-order.ts";
export type { HostPlatform, HostPlatformOptions, HostTopic, ShopNetwork } from "./platform/host-platform.ts";
export { NO_MARKS, SHOP_HOLDS } from "./platform/host-shop.ts";
export type * from "./platform/host-shop.ts";
export type { KnownProduct, OrderContext, PlatformRisk } from "./order/order-context.ts";
export { ACTIONS } from "./order/decision.ts";
export type { Action, Decision, DecisionSource } from "./order/decision.ts";
export type { Logger } from "./base/logger.ts";
export { checkOptions } from "./base/options.ts";
export type { OptionRules } from "./base/options.ts";
export { explainUnchecked } from "./policy/explain-unchecked.ts";
export { DEFAULT_POLICY, parsePolicy } from "./policy/policy.ts";
export type { Policy, PolicyDocument, PolicyRule, RuleConditions } from "./policy/policy.ts";
export {
  PROBLEM_MEDIA_TYPE,
  toInvalidOrderProblem,
  toProblem,
  toProblemResponse,
  toRefusalProblem,
} from "./base/problem.ts";
export type { Problem, ProblemDetails } from "./base/problem.ts";
export { assertDeadline } from "./base/waiting.ts";
export type {
  CheckOptions,
  CheckStatus,
  DecisionEvent,
  OrderCheck,
  Screener,
  ScreenerTelemetry,
} from "./screening/order-check.ts";
export { withWaitUntil } from "./screening/order-check.ts";
export type { WaitUntil } from "./screening/order-check.ts";
export {
  answerGuarded,
  checkGuardOptions,
  continueAfter,
  copyForOrder,
  createOrderGuard,
  guardUntilAborted,
  guardUntilClosed,
  isAnswered,
  readJson,
  toError,
} from "./screening/order-guard.ts";
export type {
  AbandonedOrder,
  GuardAnswers,
  GuardedOrder,
  OrderGuardOptions,
  RequestGuard,
  WatchedResponse,
} from "./screening/order-guard.ts";
export type { OrderWarning, WarningCode } from "./screening/order-warnings.ts";
export type { VerificationOrder } from "./screening/read-order.ts";
export { createScreener } from "./screening/screener.ts";
export type { ScreenerOptions, ServiceDispatcher, ServiceOptions } from "./screening/screener-options.ts";
export { createPostgresStore, createSqliteStore } from "./store/opening/open-store.ts";
export type { Store } from "./store/store.ts";
export { RISK_BANDS, RISK_LEVELS, type RiskLevel } from "./order/risk-level.ts";
export type { RiskFactor, VerificationResult } from "./order/result.ts";
