import { describe, expect, it } from "vitest";
import type { EmulatedHold } from "../../../../tools/emulators/shopify/emulated-order.ts";
import type { Operations } from "../../../../adapters/shopify/operations/generated/operations.ts";
import type { AdminClient } from "../../../../adapters/shopify/admin/admin-client.ts";
import { createEnforce } from "../../../../adapters/shopify/enforce/enforce.ts";
import type { EnforcementTarget, StepOutcome } from "../../../../src/adapter-kit.ts";
import {
  asWait,
  createTarget,
  keepToken,
  ORDER_ID,
  startFixture,
  type AdminCall,
  type AdminFixture,
} from "../admin-fixture.ts";

/** An order that Holdfast holds everywhere. */
async function startHeld(routed = 1) {
  const fixture = await startFixture();
  const order = fixture.shop.addOrder({ orderId: ORDER_ID, routed });
  await fixture.enforce("hold");
  return { ...fixture, order };
}

const othersHold = (id: string, handle = "another"): EmulatedHold => {
  return {
    id: `gid://shopify/FulfillmentHold/${id}`,
    handle,
    reason: "OTHER",
    reasonNotes: null,
    ours: false,
  };
};

/** The names in every release that was sent. */
function namedHolds({ emulator }: AdminFixture): unknown[] {
  return emulator.operations
    .filter(({ name }) => name === "ReleaseHolds")
    .map(({ variables }) => variables["holdIds"]);
}

/** Take the step while `happens` runs on the platform right before each release arrives there. */
function releaseAfter(
  { client, clock }: AdminFixture,
  happens: () => void,
  memory: EnforcementTarget["memory"] = {},
): Promise<StepOutcome> {
  const disturbed: AdminClient = {
    request: async <K extends keyof Operations>(...call: AdminCall<K>) => {
      if (call[1] === "ReleaseHolds") happens();
      return client.request(...call);
    },
  };
  return createEnforce(disturbed, clock.now)("release", createTarget({ memory }));
}

function once(happen: () => void): () => void {
  let happened = false;
  return () => {
    if (!happened) happen();
    happened = true;
  };
}

describe("release", () => {
  it("releases its holds on every fulfillment order, by their ids", async () => {
    const fixture = await startHeld(3);
    const held = fixture.order.fulfillmentOrders.map(({ holds }) => holds.map(({ id }) => id));

    expect(await fixture.enforce("release")).toEqual({ outcome: "done", detail: "holds released: 3" });

    expect(fixture.order.fulfillmentOrders.map(({ status }) => status)).toEqual(["OPEN", "OPEN", "OPEN"]);
    expect(namedHolds(fixture)).toEqual(held);
  });

  it("keeps others' holds, even with the same handle, and other holds of its own app", async () => {
    const fixture = await startHeld(2);
    const [first, second] = fixture.order.fulfillmentOrders;
    first?.holds.push(othersHold("1"), othersHold("2", "holdfast"));
    second?.holds.push({ ...othersHold("3", "by-hand"), ours: true });

    expect(await fixture.enforce("release")).toMatchObject({ outcome: "done" });

    expect(first?.holds.map(({ id }) => id.slice(-2))).toEqual(["/1", "/2"]);
    expect(second?.holds.map(({ handle }) => handle)).toEqual(["by-hand"]);
    expect(first?.status).toBe("ON_HOLD");
  });

  it("has nothing to do where only others hold, and sends nothing that could release their holds", async () => {
    const fixture = await startFixture();
    const order = fixture.shop.addOrder({ orderId: ORDER_ID });
    order.fulfillmentOrders[0]?.holds.push(othersHold("1", "holdfast"));

    expect(await fixture.enforce("release")).toEqual({ outcome: "moot", reason: "not-held" });

    expect(fixture.count("ReleaseHolds")).toBe(0);
    expect(order.fulfillmentOrders[0]?.holds).toHaveLength(1);
  });

  it.each([0, 1])(
    "has nothing to do on an order that nobody holds, with %i fulfillment orders",
    async (routed) => {
      const fixture = await startFixture();
      fixture.shop.addOrder({ orderId: ORDER_ID, routed });

      expect(await fixture.enforce("release")).toEqual({ outcome: "moot", reason: "not-held" });
    },
  );

  it("has one effect however often it is taken", async () => {
    const { enforce, order, count } = await startHeld(2);

    await enforce("release");
    expect(await enforce("release")).toEqual({ outcome: "moot", reason: "not-held" });

    expect(order.fulfillmentOrders.flatMap(({ holds }) => holds)).toEqual([]);
    expect(count("ReleaseHolds")).toBe(2);
  });

  it("continues where a failed try stopped", async () => {
    const { enforce, order, emulator } = await startHeld(3);
    emulator.fail(1, "reset-after-effect", { operation: "ReleaseHolds" });

    await expect(enforce("release")).rejects.toMatchObject({ code: "PLATFORM_UNAVAILABLE", retryable: true });
    expect(order.fulfillmentOrders.map(({ holds }) => holds.length)).toEqual([0, 1, 1]);

    expect(await enforce("release")).toEqual({ outcome: "done", detail: "holds released: 2" });
  });

  it("has one effect when workers race, and none of them fails", async () => {
    const { enforce, order } = await startHeld(2);

    const outcomes = await Promise.all(Array.from({ length: 6 }, () => enforce("release")));

    expect(outcomes.filter(({ outcome }) => outcome !== "done" && outcome !== "moot")).toEqual([]);
    expect(order.fulfillmentOrders.flatMap(({ holds }) => holds)).toEqual([]);
  });

  it("has nothing left to do when a person released the hold first", async () => {
    const { enforce, shop } = await startHeld(2);
    shop.releaseHold(ORDER_ID);

    expect(await enforce("release")).toEqual({ outcome: "moot", reason: "not-held" });
  });

  it("releases more holds than one page of fulfillment orders has", async () => {
    const { enforce, order } = await startHeld(60);

    expect(await enforce("release")).toEqual({ outcome: "done", detail: "holds released: 60" });
    expect(order.fulfillmentOrders.every(({ status }) => status === "OPEN")).toBe(true);
  });

  it("has nothing to do on a canceled order", async () => {
    const { enforce, shop, count } = await startHeld();
    shop.cancelOrder(ORDER_ID);

    expect(await enforce("release")).toEqual({
      outcome: "moot",
      ended: "cancelled",
      reason: "already-cancelled",
    });
    expect(count("ReleaseHolds")).toBe(0);
  });

  it.each(["CLOSED", "CANCELLED"] as const)("skips what is %s", async (status) => {
    const { enforce, order } = await startHeld(2);
    const [first] = order.fulfillmentOrders;
    if (first !== undefined) first.status = status;

    expect(await enforce("release")).toEqual({ outcome: "done", detail: "holds released: 1" });
    expect(first?.holds).toHaveLength(1);
  });

  it("waits when a hold moved to another fulfillment order meanwhile, and then releases it there", async () => {
    const fixture = await startHeld(1);
    const move = once(() => {
      const [from] = fixture.order.fulfillmentOrders;
      const [to] = fixture.shop.routeOrder(ORDER_ID);
      to?.holds.push(...(from?.holds.splice(0) ?? []));
    });

    const { reason, memory = {} } = asWait(await releaseAfter(fixture, move));

    expect(reason).toBe("routing-changed");
    expect(fixture.order.fulfillmentOrders.map(({ holds }) => holds.length)).toEqual([0, 1]);
    expect(await fixture.enforce("release", { memory })).toEqual({
      outcome: "done",
      detail: "holds released: 1",
    });
    expect(fixture.order.fulfillmentOrders.flatMap(({ holds }) => holds)).toEqual([]);
  });

  it("waits for the successor of a fulfillment order that was replaced meanwhile", async () => {
    const fixture = await startHeld(1);
    const replace = once(() => {
      const [gone] = fixture.order.fulfillmentOrders.splice(0);
      fixture.shop.routeOrder(ORDER_ID)[0]?.holds.push(...(gone?.holds ?? []));
    });

    expect(asWait(await releaseAfter(fixture, replace)).reason).toBe("routing-changed");
    expect(await fixture.enforce("release")).toMatchObject({ outcome: "done" });
  });

  it("gives up on that after a day, so that a person sees it", async () => {
    const fixture = await startHeld(1);
    const [entry] = fixture.order.fulfillmentOrders;
    const putBack = () => {
      const id = `gid://shopify/FulfillmentHold/${fixture.shop.nextId()}`;
      entry?.holds.splice(0, 1, { ...othersHold("1", "holdfast"), id, ours: true });
    };
    const { memory = {} } = asWait(await releaseAfter(fixture, putBack));

    fixture.clock.advance(24 * 3_600_000);
    keepToken(fixture.credentials, fixture.shop, fixture.clock.now());

    expect(await releaseAfter(fixture, putBack, memory)).toEqual({
      outcome: "impossible",
      reason: "routing-changed",
    });
  });

  it("is done when somebody else released the hold meanwhile", async () => {
    const fixture = await startHeld(2);

    const outcome = await releaseAfter(fixture, () => fixture.shop.releaseHold(ORDER_ID));

    expect(outcome).toEqual({ outcome: "done", detail: "holds released: 2" });
  });

  /** Release while Shopify refuses it with this code. */
  async function releaseRefused(
    fixture: AdminFixture,
    code: string | null,
    memory: EnforcementTarget["memory"] = {},
  ) {
    const refused: unknown = { fulfillmentOrderReleaseHold: { userErrors: [{ code }] } };
    const client: AdminClient = {
      request: async <K extends keyof Operations>(...call: AdminCall<K>) =>
        call[1] === "ReleaseHolds"
          ? { data: refused as Operations[K]["data"], errors: [] }
          : fixture.client.request(...call),
    };
    return createEnforce(client, fixture.clock.now)("release", createTarget({ memory }));
  }

  it("gives the code of a refusal", async () => {
    expect(await releaseRefused(await startHeld(1), "INVALID_ACCESS")).toEqual({
      outcome: "impossible",
      reason: "refused-INVALID_ACCESS",
    });
  });

  it("is tried again after a refusal without a code, for ten minutes", async () => {
    const fixture = await startHeld(1);

    const { reason, memory = {} } = asWait(await releaseRefused(fixture, null));
    expect(reason).toBe("refused-UNKNOWN");
    expect(await fixture.enforce("release", { memory })).toMatchObject({ outcome: "done" });

    const held = await startHeld(1);
    const first = asWait(await releaseRefused(held, null));
    held.clock.advance(10 * 60_000);
    expect(await releaseRefused(held, null, first.memory)).toEqual({ outcome: "impossible", reason });
  });

  it("is refused without the permission to release", async () => {
    const { enforce, shop } = await startHeld();
    shop.deny("Mutation.fulfillmentOrderReleaseHold");

    await expect(enforce("release")).rejects.toMatchObject({ code: "PLATFORM_REFUSED", retryable: false });
  });

  it.each(["404", "not-digits"])("is impossible for the unknown order %s", async (orderId) => {
    const { enforce } = await startHeld();

    expect(await enforce("release", { orderId })).toEqual({
      outcome: "impossible",
      reason: "order-not-found",
    });
  });
});
