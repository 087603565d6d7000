import type { PartialVerificationRequest } from "../order/request.ts";
import type { MappedOrder } from "./platform.ts";

/** What is known of an order, whether or not the service takes it. */
export function toKnown(mapped: MappedOrder): PartialVerificationRequest {
  return mapped.outcome === "screenable" ? mapped.request : mapped.known;
}
