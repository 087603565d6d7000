export interface KeepingTimes {
  /** Days for which the content of orders is kept: request, answers, changes. */
  readonly contentDays: number;
  /**
   * Days for which orders are kept, in the end without their content, with the answers to those that have an id. The access
   * log is kept as long.
   */
  readonly ordersDays: number;
}

/** A month for reviews, and a quarter for questions about decisions. */
export const DEFAULT_KEEPING_TIMES: KeepingTimes = { contentDays: 30, ordersDays: 90 };

/**
 * The shortest time for which the answer to a customer's data request is kept: as long as a shop has to answer. A shorter time for
 * content doesn't cut it.
 */
export const REPORTS_KEPT_MS = 30 * 86_400_000;

/**
 * For how many days a shop may keep orders for later disputes. Visa takes earlier orders from day 120 to day 364 before a dispute;
 * then a bank leaves up to 30 days to answer. Half a year more is enough for banks that are late.
 */
export const KEPT_ORDERS_DAYS = { least: 150, usual: 400, most: 540 } as const;
