/** A field's path (`shippingAddress.postalCode`, `items[0].name`) as words: "Shipping address: postal code". */
export function nameField(path: string): string {
  const parts = path.split(".").map((part) => toWords(part));
  const text = parts.join(": ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function toWords(part: string): string {
  const [, name = part, index] = /^(.*?)\[(\d+)\]$/.exec(part) ?? [];
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replaceAll(/\b(?:ip|id)\b/g, (word) => word.toUpperCase());
  return index === undefined ? words : `${words} ${Number(index) + 1}`;
}

/** A value of a field as text. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : JSON.stringify(value);
}
