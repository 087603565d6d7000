/** Pure parts for mapping a platform's order. Neither this module nor its imports load a package. */
export { hasPlace, toAddress, toKnownAddress, type AddressParts } from "./mapping/address.ts";
export { FieldReader } from "./mapping/field-reader.ts";
export {
  countDays,
  pickAddress,
  pickPerson,
  readAddress,
  readHostOrder,
  readItems,
  readPerson,
  toCard,
  toExpiry,
  toRecipientName,
  type AddressPaths,
  type HostOrder,
  type PersonPaths,
  type ReadLine,
  type ReadOrder,
} from "./mapping/host-order.ts";
export { findMinorDigits, toMajorUnits } from "./mapping/money.ts";
export { cleanText, firstText, joinText } from "./order/text.ts";
export { REQUEST_LIMITS } from "./order/request-limits.ts";
