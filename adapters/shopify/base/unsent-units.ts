interface LineUnits {
  readonly quantity: number;
  readonly unfulfilledQuantity: number;
  readonly nonFulfillableQuantity: number;
}

/** How many units of a line still have to be sent. Tips and refunded units can't be fulfilled. */
export function toUnsentUnits({ quantity, unfulfilledQuantity, nonFulfillableQuantity }: LineUnits): number {
  return Math.max(0, Math.min(unfulfilledQuantity, quantity - nonFulfillableQuantity));
}
