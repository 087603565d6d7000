import { describe, expect, it } from "vitest";
import type { CommitFault } from "../support/commit-faults.child.ts";
import { toDelivery } from "../support/crash-orders.ts";
import { begin, type Trial } from "../support/crash-trial.ts";
import type { RequestFault } from "../support/request-faults.ts";
import { until } from "../support/until.ts";

const PATIENCE_MS = 1_800_000;
const SHOP = "captures.myshopify.com";
const SIDES = ["before", "after"] as const;
const AUTHORIZED = { kind: "AUTHORIZATION", status: "SUCCESS", card: null };

/** Where the process dies: at a request about the payment, or at a commit that records a step. */
type Fault = { readonly request: RequestFault } | { readonly commit: CommitFault };

const REQUESTS: readonly Fault[] = SIDES.flatMap((side) =>
  ["OrderPayment", "CapturePayment"].map((name) => ({ request: { side, name, number: 1 } })),
);

/** Each commit of a step, for as many steps as there are: the process survives numbers that are too high. */
const toCommits = (steps: number): readonly Fault[] =>
  SIDES.flatMap((side) =>
    Array.from({ length: steps }, (_, index) => ({
      commit: { side, number: index + 1, containing: "order_steps" },
    })),
  );

/** Run `work` with a fault, restart the process, and wait until the order is done. Resolves to whether it died. */
async function dieAt(trial: Trial, fault: Fault, orderId: string, work: () => Promise<unknown>) {
  const { campaign, app } = trial;
  const { requestFaults } = campaign.stage;
  if ("commit" in fault) await app.arm(fault.commit);
  else requestFaults.arm(fault.request);
  await work();
  const isSettled = async () => (await app.order(SHOP, orderId))?.state === "settled";
  await until(async () => !app.isRunning() || (await isSettled()), {
    what: "the process dies, or has ended",
  });
  const died = !(await app.disarm());
  requestFaults.arm(null);
  if (died) {
    await campaign.note(JSON.stringify(fault));
    await app.start();
    await until(isSettled, { what: `the order is settled after ${JSON.stringify(fault)}` });
  }
  return died;
}

/** What the emulated shop shows for an order's payment and holds. */
function show({ campaign }: Trial, orderId: string) {
  const order = campaign.stage.emulator.shop(SHOP).order(orderId);
  const captures = order.transactions.filter(({ kind }) => kind === "CAPTURE");
  return {
    captures: captures.map(({ status }) => status),
    financialStatus: order.financialStatus,
    holds: order.fulfillmentOrders.flatMap(({ holds }) => holds).length,
  };
}

const CAPTURED_ONCE = { captures: ["SUCCESS"], financialStatus: "PAID", holds: 0 };

describe("an app that is killed while it captures payments", () => {
  it(
    "captures each payment once and loses none, whether allowed or approved",
    { timeout: PATIENCE_MS },
    async (context) => {
      const trial = await begin(context);
      const { campaign, app } = trial;
      await app.start();
      await app.install(SHOP, { captureWhenApproved: true });
      const shop = campaign.stage.emulator.shop(SHOP);

      for (const fault of [...REQUESTS, ...toCommits(2)]) {
        const order = campaign.orders.create(SHOP, "low");
        shop.payOrder(order.orderId, [AUTHORIZED]);
        const deliver = () => app.deliver(toDelivery(order));
        expect(await dieAt(trial, fault, order.orderId, deliver), JSON.stringify(fault)).toBe(true);
        expect(show(trial, order.orderId), JSON.stringify(fault)).toEqual(CAPTURED_ONCE);
      }
      for (const fault of [...REQUESTS, ...toCommits(3)]) {
        const order = campaign.orders.create(SHOP, "high");
        shop.payOrder(order.orderId, [AUTHORIZED]);
        expect(await app.deliver(toDelivery(order))).toBe(true);
        await campaign.untilAtRest(app, order);
        expect(show(trial, order.orderId).captures).toEqual([]);
        const approve = () => app.approve(SHOP, order.orderId);
        expect(await dieAt(trial, fault, order.orderId, approve), JSON.stringify(fault)).toBe(true);
        expect(show(trial, order.orderId), JSON.stringify(fault)).toEqual(CAPTURED_ONCE);
      }
    },
  );
});
