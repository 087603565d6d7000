/**
 * What a shop's orders of the last weeks and hours were like when an order was placed. Counts only: they name nobody. Undefined
 * where a shop is too new to have usual orders.
 */
export interface ShopCounts {
  /** Orders of the last weeks, without those of the last hours. */
  readonly usualOrders: number;
  /** Of them, those of customers with a history. */
  readonly usualKnown: number;
  /** Orders of the last hours, including this one. */
  readonly recentOrders: number;
  /** The share of usual orders in its currency that were smaller, in percent; undefined if there are too few of them. */
  readonly percentile?: number | undefined;
  /** The amount that 99 of 100 usual orders in its currency don't exceed. */
  readonly top?: number | undefined;
  /** Orders in its currency that were worth at most as much. */
  readonly small?: ShopShare | undefined;
  /** Orders whose most valuable article was the same. */
  readonly goods?: ShopShare | undefined;
  /** Orders paid with cards of the same issuer's range. */
  readonly bin?: ShopShare | undefined;
  /** Orders from the same provider's network, which is far larger than one customer's. */
  readonly network?: ShopShare | undefined;
}

/** How many orders have something in common with an order. */
export interface ShopShare {
  /** In the last hours, by customers without a history; includes the order itself. */
  readonly newcomers: number;
  /** In the last hours, by customers with a history. */
  readonly known: number;
  /** In the last weeks, without the last hours. */
  readonly usual: number;
}

/** What orders of a shop can have in common. */
export const SHOP_SHARES = ["small", "goods", "bin", "network"] as const;
