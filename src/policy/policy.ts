/** What Holdfast can do with an order, mildest first. */
export const ACTIONS = ["allow", "tag", "hold", "cancel"] as const;
/** What Holdfast does with an order. */
export type Action = (typeof ACTIONS)[number];
