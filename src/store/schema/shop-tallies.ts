/** How many orders of each kind a shop had, by the hour and by the week. Names nobody. */
export interface ShopTallies {
  /** What is counted: all orders, amounts, articles, issuers of cards, networks. */
  trait: string;
  /** The currency of an amount, the digest of another trait, empty for all orders. */
  item: string;
  /** `hour` or `week`. */
  span: string;
  /** When it began. */
  at: number;
  /** The step of an amount, 0 for other traits. */
  step: number;
  /** When it is no longer needed. */
  until: number;
  /** Orders by customers without a history. */
  newcomers: number;
  known: number;
}
