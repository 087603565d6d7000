/** Field lengths the verification service accepts, in UTF-16 code units (its *Limits* table). */
export const REQUEST_LIMITS = {
  customerName: 255,
  customerPhone: 50,
  street: 500,
  city: 100,
  state: 100,
  postalCode: 20,
  country: 100,
  holderName: 255,
  userAgent: 1000,
  itemName: 255,
  itemSku: 100,
} as const;

/** Where the service names no limit, in UTF-16 code units. Longer texts are cut, so that no order is lost. */
export const OWN_LIMITS = {
  orderId: 255,
  companyName: 255,
  companyAddress: 1000,
  brand: 100,
  expiry: 20,
} as const;
