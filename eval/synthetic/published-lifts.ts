/**
 * One property of an order, as a list of its possible values.
 *
 * `share` is the part of all orders, `lift` the fraud rate among them divided by the overall one. `null` stands for
 * the one value without a published lift: it gets the numbers that bring the shares and the average lift to 1.
 */
export interface Trait<Value> {
  readonly levels: readonly TraitLevel<Value>[];
}

/** One value of a {@link Trait}. */
export interface TraitLevel<Value> {
  readonly value: Value;
  /** Part of all orders, 0 to 1; null: the rest. */
  readonly share: number | null;
  /** Fraud rate here over the overall fraud rate; null: the rest. */
  readonly lift: number | null;
}

/** The sample in which the lifts were counted. */
export const SAMPLE_ORDERS = 18_000;
/** Share of that sample that was fraud. */
export const SAMPLE_FRAUD_RATE = 0.035;

/** An inclusive range to draw a number from. */
export type Range = readonly [min: number, max: number];

/** Counts including the order itself; two counters of the sample, which starts at 0 other orders. */
export const LINKED_ORDERS: Trait<Range> = {
  levels: [
    { value: [6, 12], share: 209 / SAMPLE_ORDERS, lift: 10.7 },
    { value: [3, 5], share: 608 / SAMPLE_ORDERS, lift: 4.2 },
    { value: [2, 2], share: null, lift: null },
    { value: [1, 1], share: 0.76, lift: 0.62 },
  ],
};

export const LINKED_EMAILS: Trait<Range> = {
  levels: [
    { value: [6, 12], share: 395 / SAMPLE_ORDERS, lift: 7.7 },
    { value: [3, 5], share: 741 / SAMPLE_ORDERS, lift: 3.7 },
    { value: [2, 2], share: null, lift: null },
    { value: [1, 1], share: 0.72, lift: 0.63 },
  ],
};

/** Counted from 1 in the sample. */
export const LINKED_ADDRESSES: Trait<Range> = {
  levels: [
    { value: [10, 20], share: 0.08, lift: 2.5 },
    { value: [5, 9], share: 0.07, lift: 1.6 },
    { value: [3, 4], share: 0.13, lift: 1.25 },
    { value: [2, 2], share: null, lift: null },
    { value: [1, 1], share: 0.53, lift: 0.67 },
  ],
};

/** Email domain; null: no address. */
export const EMAIL_DOMAINS: Trait<string | null> = {
  levels: [
    { value: "gmail.com", share: 0.386, lift: 1.16 },
    { value: "yahoo.com", share: 0.17, lift: 0.66 },
    { value: "hotmail.com", share: 1_331 / SAMPLE_ORDERS, lift: 1.5 },
    { value: "aol.com", share: 0.048, lift: 0.68 },
    { value: "icloud.com", share: 0.011, lift: 0.82 },
    { value: "outlook.com", share: 140 / SAMPLE_ORDERS, lift: 3.1 },
    { value: "att.net", share: 365 / SAMPLE_ORDERS / 4, lift: 0 },
    { value: "sbcglobal.net", share: 365 / SAMPLE_ORDERS / 4, lift: 0 },
    { value: "verizon.net", share: 365 / SAMPLE_ORDERS / 4, lift: 0 },
    { value: "bellsouth.net", share: 365 / SAMPLE_ORDERS / 4, lift: 0 },
    { value: null, share: null, lift: null },
  ],
};

export const CARD_TYPES: Trait<"credit" | "debit"> = {
  levels: [
    { value: "credit", share: 0.25, lift: 1.9 },
    { value: "debit", share: 0.75, lift: 0.7 },
  ],
};

/** US dollars. */
export const AMOUNTS: Trait<Range> = {
  levels: [
    { value: [800, 2_000], share: 0.022, lift: 1.7 },
    { value: [400, 799], share: 0.055, lift: 1.4 },
    { value: [25, 399], share: null, lift: null },
    { value: [3, 24], share: 0.055, lift: 1.9 },
  ],
};

/** Whether the amount is a multiple of 50. */
export const ROUNDNESS: Trait<boolean> = {
  levels: [
    { value: true, share: 1_900 / SAMPLE_ORDERS, lift: 1.4 },
    { value: false, share: null, lift: null },
  ],
};

/** Hours of the day in UTC. All orders are American: 4 to 12 is night there. */
export const HOURS: Trait<"night" | "day"> = {
  levels: [
    { value: "night", share: 0.12, lift: 2 },
    { value: "day", share: null, lift: null },
  ],
};

/** What is known about the places. */
export const PLACES: Trait<"near" | "middling" | "far" | "abroad" | "billing only" | "none"> = {
  levels: [
    { value: "near", share: 0.29, lift: 0.58 },
    { value: "middling", share: 0.08, lift: 0.8 },
    { value: "far", share: 540 / SAMPLE_ORDERS, lift: 1.6 },
    { value: "abroad", share: 135 / SAMPLE_ORDERS, lift: 1.9 },
    { value: "none", share: 1_924 / SAMPLE_ORDERS, lift: 3.3 },
    { value: "billing only", share: null, lift: null },
  ],
};

/** Whole days. */
export const ACCOUNT_AGES: Trait<Range> = {
  levels: [
    { value: [0, 0], share: 8_474 / SAMPLE_ORDERS, lift: 1.14 },
    { value: [1, 6], share: 853 / SAMPLE_ORDERS, lift: 3 },
    { value: [7, 29], share: 0.09, lift: 1.24 },
    { value: [30, 89], share: 0.12, lift: 0.69 },
    { value: [90, 179], share: null, lift: null },
    { value: [180, 364], share: 0.1, lift: 0.42 },
    { value: [365, 640], share: 0.0818, lift: 0.32 },
  ],
};

/** Whether the name on the card is the customer's. */
export const HOLDERS: Trait<"same" | "other" | "unknown"> = {
  levels: [
    { value: "same", share: 0.483, lift: 0.6 },
    { value: "other", share: 0.0575, lift: 1.3 },
    { value: "unknown", share: null, lift: null },
  ],
};
