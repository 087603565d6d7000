import { describe } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { describeDeliveries } from "./conformance-deliveries.ts";
import { describeErasure } from "./conformance-erasure.ts";
import { describeLedger } from "./conformance-ledger.ts";
import { describeOrders } from "./conformance-orders.ts";
import { describeOrderLists } from "./conformance-order-lists.ts";
import { describeRaces } from "./conformance-races.ts";
import { describeTenants } from "./conformance-tenants.ts";

/** Makes a new, empty store. The suite closes it. */
export type OpenStore = () => Promise<Store>;

/** Everything a {@link Store} promises, on a real engine. Run it on every implementation. */
export function describeStore(name: string, open: OpenStore): void {
  describe(name, () => {
    describeDeliveries(open);
    describeOrders(open);
    describeOrderLists(open);
    describeLedger(open);
    describeTenants(open);
    describeErasure(open);
    describeRaces(open);
  });
}
