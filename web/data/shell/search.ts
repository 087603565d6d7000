/**
 * Whether a search can be in the address, which browsers keep in their history: an order number can, a name or an email
 * address can't.
 */
export function isOrderNumber(text: string): boolean {
  return /^#?[\w.-]*\d[\w.-]*$/.test(text);
}

let handed = "";

/** Have the list that opens next search for this. */
export function handSearch(text: string): void {
  handed = text;
}

/** The search text for the list that opens now. Read once. */
export function takeSearch(): string {
  const text = handed;
  handed = "";
  return text;
}
