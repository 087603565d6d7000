/** Card numbers that payment providers print in their test documentation: brand and last four digits. */
export const TEST_CARDS: ReadonlySet<string> = new Set([
  "visa 4242",
  "visa 1111",
  "visa 1881",
  "mastercard 4444",
  "mastercard 5100",
  "amex 0005",
  "amex 8431",
  "american express 0005",
  "american express 8431",
  "discover 1117",
  "discover 9424",
]);
