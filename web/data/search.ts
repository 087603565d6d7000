/** Whether a search can stand in the address, which lands in histories: an order number can, a name or an email address can't. */
export function isOrderNumber(text: string): boolean {
  return /^#?[\w.-]*\d[\w.-]*$/.test(text);
}

let handed = "";

/** Have the list that opens next search for this. */
export function handSearch(text: string): void {
  handed = text;
}

/** What the list that opens now was asked to search for; once. */
export function takeSearch(): string {
  const text = handed;
  handed = "";
  return text;
}
