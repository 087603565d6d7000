/** What adapters of storefronts and platforms are made of, in addition to `holdfast`. */
export { raiseAlert } from "./base/alerts.ts";
export { CONSOLE_VIEWS } from "./server/page/views.ts";
export { toConfigError } from "./base/errors.ts";
export { throwMissingPackage } from "./base/missing-package.ts";
export { checkOptions, type OptionRules } from "./base/options.ts";
export {
  PROBLEM_MEDIA_TYPE,
  toInvalidOrderProblem,
  toProblemResponse,
  toRefusalProblem,
} from "./base/problem.ts";
export type { Problem } from "./base/problem.ts";
export { assertDeadline } from "./base/waiting.ts";
export type { Action, Decision } from "./order/decision.ts";
export { toEmailAddress } from "./order/email-address.ts";
export { isBuyersIp } from "./order/ip-address.ts";
export type { OrderContext, PlatformRisk } from "./order/order-context.ts";
export { parseVerificationRequest, REQUEST_LIMITS, verificationRequestSchema } from "./order/request.ts";
export type {
  OrderAddress,
  OrderItem,
  PartialVerificationRequest,
  PaymentInfo,
  StandIn,
} from "./order/request.ts";
export type { RiskFactor, VerificationResult } from "./order/result.ts";
export type { RiskLevel } from "./order/risk-level.ts";
export { SKIP_REASONS, type SkipReason } from "./order/skip-reasons.ts";
export { cutText } from "./order/text.ts";
export { toUtcTimestamp } from "./order/timestamp.ts";
export { HOLD_GAPS, HOLD_RELEASERS, ORDER_ENDS } from "./platform/enforcement-step.ts";
export type * from "./platform/enforcement-step.ts";
export type * from "./platform/card-code.ts";
export type * from "./platform/evidence.ts";
export { describeFinding } from "./platform/findings.ts";
export { createHostPlatform, HOST_SIGNATURE_HEADER } from "./platform/host-platform.ts";
export type { HostPlatform, HostPlatformOptions, HostTopic, ShopNetwork } from "./platform/host-platform.ts";
export { NO_MARKS, SHOP_HOLDS } from "./platform/host-shop.ts";
export type * from "./platform/host-shop.ts";
export { toMappedOrder } from "./platform/mapped-order.ts";
export { ACCESS_STATES } from "./platform/platform.ts";
export type * from "./platform/platform.ts";
export { explainUnchecked } from "./policy/explain-unchecked.ts";
export type { ScreenerTelemetry } from "./screening/order-check.ts";
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
  toClientSignal,
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
