import { setTimeout as sleep } from "node:timers/promises";
import type { ClockedApp, ShownOrder } from "./clocked-app.ts";
import type { FailingService } from "./failing-service.ts";

const LOOK_EVERY_MS = 25;
/** After this many looks without a change, nothing is being done. */
const LOOKS_AT_REST = 20;

/** What {@link passUntil} looks at. */
export interface PassTime {
  readonly app: ClockedApp;
  readonly service: FailingService;
  readonly shop: string;
  /** Body of a delivery that changes nothing: it wakes the worker, which otherwise looks at its clock once a second. */
  readonly wake: string;
}

/** Let time pass in steps, as it would, until the condition holds. */
export async function passUntil(
  { app, service, shop, wake }: PassTime,
  stepMs: number,
  condition: (orders: readonly ShownOrder[]) => boolean,
): Promise<readonly ShownOrder[]> {
  for (;;) {
    app.pass(stepMs);
    await app.deliver(shop, "orders/create", wake);
    let before = await look();
    for (let same = 0; same < LOOKS_AT_REST;) {
      await sleep(LOOK_EVERY_MS);
      const after = await look();
      same = after.seen === before.seen ? same + 1 : 0;
      before = after;
    }
    if (condition(before.orders)) return before.orders;
  }

  async function look(): Promise<{ readonly orders: readonly ShownOrder[]; readonly seen: string }> {
    const orders = await app.orders(shop);
    return { orders, seen: JSON.stringify([orders, service.calls.length, service.probes]) };
  }
}
