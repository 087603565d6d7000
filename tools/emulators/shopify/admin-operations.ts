import * as diagnosis from "../../../adapters/shopify/admin/diagnose-operations.ts";
import * as fulfillment from "../../../adapters/shopify/admin/fulfillment-operations.ts";
import * as listing from "../../../adapters/shopify/admin/listing-operations.ts";
import * as operations from "../../../adapters/shopify/admin/operations.ts";
import * as payment from "../../../adapters/shopify/admin/payment-operations.ts";

const exported = Object.values({ ...operations, ...fulfillment, ...listing, ...diagnosis, ...payment });

/** Every document the adapter sends, by operation name. */
export const ADMIN_OPERATIONS: Readonly<Record<string, string>> = Object.fromEntries(
  exported.flatMap((text) => {
    const name = /^\s*(?:query|mutation) (\w+)/.exec(String(text))?.[1];
    return name === undefined ? [] : [[name, String(text)]];
  }),
);
