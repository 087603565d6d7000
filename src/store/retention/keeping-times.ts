export interface KeepingTimes {
  /** Days for which the content of orders is kept: request, answers, changes. */
  readonly contentDays: number;
  /** Days for which orders are kept, in the end without their content, and the answers to those that have an id. */
  readonly ordersDays: number;
}

/** A month for reviews, and a quarter for questions about decisions. */
export const DEFAULT_KEEPING_TIMES: KeepingTimes = { contentDays: 30, ordersDays: 90 };

/**
 * The shortest time for which the answer to a customer's data request is kept: as long as a shop has to answer. A shorter time for
 * content doesn't cut it.
 */
export const REPORTS_KEPT_MS = 30 * 86_400_000;
