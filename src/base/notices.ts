import type { Logger } from "./logger.ts";

/**
 * What a person can be notified of:
 *
 * - `held`: an order is held for review.
 * - `inquiry`: a bank asks about a payment, or took it back.
 * - `deadline`: a hold, what protects its payment, or the time for a dispute's evidence is about to end.
 * - `attention`: a step failed, or an order is overdue.
 * - `assigned`: somebody gives the person an order or mentions them.
 * - `service`: the verification service has a problem.
 */
export const NOTICE_EVENTS = ["held", "inquiry", "deadline", "attention", "assigned", "service"] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

/** An event that isn't an alert, so only those who asked for it hear of it. */
export interface RaisedNotice {
  readonly event: "held" | "assigned";
  readonly tenant: string;
  readonly orderId: string;
  /** A code. */
  readonly reason: string;
  /** `person:ID`. Default: everybody who wants to know of the event. */
  readonly to?: string | undefined;
}

/** Write the log line of an event, from which the app notifies people. */
export function raiseNotice(
  logger: Pick<Logger, "info">,
  { event: notice, ...facts }: RaisedNotice,
  message: string,
): void {
  logger.info({ notice, ...facts }, message);
}
