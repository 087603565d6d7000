import { Stripe } from "stripe";
import { describe, expect, it } from "vitest";
import {
  createManualCapture,
  fromStripeSession,
  type LateSettlement,
  type ManualCapture,
  type StripeClient,
  type StripePaymentIntent,
} from "../../../adapters/stripe/index.ts";
import { createScreener } from "../../../src/index.ts";
import type { DecisionListener, OrderCheck } from "../../../src/screening/order-check.ts";
import { readHostPayload } from "../../support/host-orders.ts";
import { aCheck } from "../../support/screener.ts";
import { until } from "../../support/until.ts";
import { startStripeApi, type StripeApi } from "./stripe-api.ts";

type Answer = (order: unknown) => OrderCheck | Promise<OrderCheck>;

interface Stage {
  readonly api: StripeApi;
  readonly payments: ManualCapture;
  readonly asked: readonly unknown[];
  readonly late: readonly LateSettlement[];
  /** Makes the decision about a payment arrive after its deadline. */
  readonly announce: (id: string, check: Partial<OrderCheck>) => Promise<void>;
  /** Another process of the same shop. */
  readonly another: () => ManualCapture;
}

async function setUp(answer: Answer): Promise<Stage> {
  const api = await startStripeApi();
  // The real client: the compiler checks what it accepts and what the adapter passes.
  const stripe: StripeClient = new Stripe("sk_test_1", {
    host: "127.0.0.1",
    port: api.port,
    protocol: "http",
    maxNetworkRetries: 0,
  });
  const asked: unknown[] = [];
  const late: LateSettlement[] = [];
  const listeners = new Set<DecisionListener>();
  const screener = {
    check: async (order: unknown) => {
      asked.push(order);
      return await answer(order);
    },
    on: (_event: "decision", listener: DecisionListener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const create = (): ManualCapture =>
    createManualCapture({ stripe, screener, onLate: (settlement) => void late.push(settlement) });
  const payments = create();
  return {
    api,
    payments,
    asked,
    late,
    announce: async (id, check) => {
      const event = { orderId: id, check: aCheck(check), late: true };
      await Promise.all([...listeners].map((listener) => listener(event)));
    },
    another: create,
  };
}

describe("a payment without an email address that can be sent", () => {
  it.each([
    ["local", null, "captured"],
    ["hold", null, "held"],
    ["local", "ada at example.com", "captured"],
    ["hold", "ada@example", "held"],
  ] as const)(
    "is settled as whenUnavailable %s says, with %j: %s",
    async (whenUnavailable, email, outcome) => {
      // The service would refuse the call, so it isn't made.
      const service = { url: "http://127.0.0.1:1", apiKey: "key" };
      await using stack = new AsyncDisposableStack();
      const screener = createScreener({ service, policy: { whenUnavailable } });
      stack.defer(async () => await screener.close());
      const { api, payments } = await setUp((order) => screener.check(order));
      api.authorize("pi_1", { receipt_email: email, latest_charge: null, shipping: null });

      const settled = await payments.settle("pi_1");

      expect(settled).toMatchObject({ outcome, check: { status: "degraded", creditsSpent: 0 } });
      expect(settled.check?.reasons).toContain("skipped:NO_EMAIL");
      expect((await payments.settle("pi_1")).outcome).toBe(outcome === "captured" ? "ended" : outcome);
    },
  );
});

describe("a payment that is captured manually", () => {
  it("is checked with the saved customer's email address where the charge has none", async () => {
    const { api, payments, asked } = await setUp(() => aCheck({ action: "allow" }));
    api.authorize("pi_1", { latest_charge: null, customer: { id: "cus_1", email: "ada@home.example" } });

    await payments.settle("pi_1");

    expect(asked).toMatchObject([{ customerEmail: "ada@home.example" }]);
  });

  it.each([
    ["allow", "captured", "succeeded"],
    ["tag", "captured", "succeeded"],
    ["hold", "held", "requires_capture"],
    ["cancel", "canceled", "canceled"],
  ] as const)("after %s is %s", async (action, outcome, status) => {
    const { api, payments, asked } = await setUp(() => aCheck({ action }));
    api.authorize("pi_1");

    expect(await payments.settle("pi_1")).toMatchObject({
      paymentIntent: "pi_1",
      outcome,
      check: { action },
    });
    expect(api.status("pi_1")).toBe(status);
    expect(asked).toMatchObject([
      { orderId: "pi_1", orderAmount: 17.5, paymentInfo: { lastFourDigits: "4242" } },
    ]);
  });

  it("is checked once and captured once for 40 deliveries at once, and not again after them", async () => {
    const { api, payments, asked } = await setUp(() => aCheck());
    api.authorize("pi_1");
    let read = 0;
    const order = () => {
      read += 1;
      return fromStripeSession(readHostPayload("stripe-session"));
    };

    const settled = await Promise.all(Array.from({ length: 40 }, () => payments.settle("pi_1", order)));

    expect(new Set(settled.map(({ outcome }) => outcome))).toEqual(new Set(["captured"]));
    expect(api.calls).toEqual([
      {
        action: "capture",
        id: "pi_1",
        parameters: { amount_to_capture: "1750" },
        key: expect.any(String) as unknown,
      },
    ]);
    // Once for the check, and once for the review right before the capture.
    expect({ read, asked: asked.length, retrieved: api.retrieved }).toEqual({
      read: 1,
      asked: 1,
      retrieved: 2,
    });
    expect(asked[0]).toMatchObject({ orderId: "pi_1", items: [{ name: "Mug" }] });
    expect(await payments.settle("pi_1", order)).toEqual({ paymentIntent: "pi_1", outcome: "ended" });
    expect(asked).toHaveLength(1);
  });

  it("is captured once by two processes", async () => {
    const { api, payments, another } = await setUp(() => aCheck());
    api.authorize("pi_1");

    const settled = await Promise.all([payments.settle("pi_1"), another().settle("pi_1")]);

    expect(settled.map(({ outcome }) => outcome).toSorted()).toEqual(["captured", "ended"]);
    expect(api.status("pi_1")).toBe("succeeded");
  });

  it.each(["allow", "cancel"] as const)(
    "is settled after %s by a redelivery if Stripe failed first",
    async (action) => {
      const { api, payments } = await setUp(() => aCheck({ action }));
      api.authorize("pi_1");
      api.failNext(500);

      await expect(payments.settle("pi_1")).rejects.toMatchObject({ statusCode: 500 });

      expect(await payments.settle("pi_1")).toMatchObject({
        outcome: action === "allow" ? "captured" : "canceled",
      });
    },
  );

  it.each([
    ["succeeded", "ended"],
    ["canceled", "ended"],
    ["requires_payment_method", "not-authorized"],
    ["processing", "not-authorized"],
  ])("with status %s is %s, and costs no check", async (status, outcome) => {
    const { api, payments, asked } = await setUp(() => aCheck());
    api.authorize("pi_1", { status });

    expect(await payments.settle("pi_1")).toEqual({ paymentIntent: "pi_1", outcome });
    expect(asked).toEqual([]);
  });

  it("is ended if it was canceled during the check", async () => {
    const { api, payments } = await setUp(() => {
      api.authorize("pi_1", { status: "canceled" });
      return aCheck();
    });
    api.authorize("pi_1");

    expect(await payments.settle("pi_1")).toMatchObject({ outcome: "ended" });
  });

  it("is settled by the next delivery after a failed check", async () => {
    let fails = true;
    const { api, payments } = await setUp(() => {
      if (fails) throw new Error("the store can't be reached");
      return aCheck();
    });
    api.authorize("pi_1");

    await expect(payments.settle("pi_1")).rejects.toThrow("the store can't be reached");
    fails = false;
    expect(await payments.settle("pi_1")).toMatchObject({ outcome: "captured" });
  });

  it.each([
    ["capture", "captured", "succeeded"],
    ["cancel", "canceled", "canceled"],
  ] as const)("is held until a person decides to %s it, once", async (decide, outcome, status) => {
    const { api, payments } = await setUp(() => aCheck({ action: "hold" }));
    api.authorize("pi_1");
    await payments.settle("pi_1");

    const decided = await Promise.all([payments[decide]("pi_1"), payments[decide]("pi_1")]);

    expect(decided).toEqual([
      { paymentIntent: "pi_1", outcome },
      { paymentIntent: "pi_1", outcome },
    ]);
    expect(api.calls).toHaveLength(1);
    expect(api.status("pi_1")).toBe(status);
    expect(await payments[decide]("pi_1")).toEqual({ paymentIntent: "pi_1", outcome: "ended" });
  });
});

describe("a payment that Stripe reviews", () => {
  it.each(["review", "latest_charge.review"] as const)(
    "isn't captured while its review, at %s, is open, and is captured once it is approved",
    async (of) => {
      const { api, payments } = await setUp(() => aCheck({ action: "allow" }));
      api.authorize("pi_1");
      api.openReview("pi_1", of);

      expect(await payments.settle("pi_1")).toMatchObject({
        outcome: "in-review",
        check: { action: "allow" },
      });
      expect(await payments.capture("pi_1")).toEqual({ paymentIntent: "pi_1", outcome: "in-review" });
      expect(api.calls).toEqual([]);

      api.closeReview("pi_1", "approved");
      expect(await payments.settle("pi_1")).toMatchObject({ outcome: "captured" });
      expect(api.status("pi_1")).toBe("succeeded");
    },
  );

  it("isn't captured when the review opens during the check", async () => {
    const { api, payments } = await setUp(() => {
      api.openReview("pi_1");
      return aCheck({ action: "tag" });
    });
    api.authorize("pi_1");

    expect(await payments.settle("pi_1")).toMatchObject({ outcome: "in-review" });
    expect(api.calls).toEqual([]);
  });

  it("isn't captured by a late decision while the review is open", async () => {
    const { api, payments, late, announce } = await setUp(() => aCheck({ status: "pending" }));
    api.authorize("pi_1");
    await payments.settle("pi_1");
    api.openReview("pi_1");

    await announce("pi_1", { action: "allow" });

    expect(late).toMatchObject([{ outcome: "in-review" }]);
    expect(api.calls).toEqual([]);
  });

  it.each(["redacted", "disputed", "acknowledged", "refunded_as_fraud"] as const)(
    "is left to a person when its review ended as %s",
    async (reason) => {
      const { api, payments } = await setUp(() => aCheck({ action: "allow" }));
      api.authorize("pi_1");
      api.openReview("pi_1");
      api.closeReview("pi_1", reason);

      expect(await payments.settle("pi_1")).toMatchObject({ outcome: "held" });
      expect(api.calls).toEqual([]);
      expect(await payments.capture("pi_1")).toMatchObject({ outcome: "captured" });
    },
  );

  it.each([
    ["hold", "held"],
    ["cancel", "canceled"],
  ] as const)("follows a %s as without a review", async (action, outcome) => {
    const { api, payments } = await setUp(() => aCheck({ action }));
    api.authorize("pi_1");
    api.openReview("pi_1");

    expect(await payments.settle("pi_1")).toMatchObject({ outcome });
  });

  it("is captured when the review is approved while an earlier event is being settled", async () => {
    const { promise: read, resolve: reading } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const review = { open: true, closed_reason: null as string | null };
    let captures = 0;
    const payments = createManualCapture({
      screener: { check: async () => await Promise.resolve(aCheck()), on: () => () => undefined },
      stripe: {
        paymentIntents: {
          async retrieve(id, { expand }) {
            const intent = { ...readHostPayload("stripe-payment-intent"), id, review: { ...review } };
            if (expand.includes("review") && review.open) {
              reading();
              await answered;
            }
            return intent as StripePaymentIntent & typeof intent;
          },
          capture: async () => await Promise.resolve(void (captures += 1)),
          cancel: async () => await Promise.reject(new Error("not canceled")),
        },
      },
    });

    const first = payments.settle("pi_1");
    await read;
    Object.assign(review, { open: false, closed_reason: "approved" });
    const second = payments.settle("pi_1");
    answer();

    expect(await first).toMatchObject({ outcome: "in-review" });
    expect(await second).toMatchObject({ outcome: "captured" });
    expect(captures).toBe(1);
  });
});

describe("a payment whose check was pending", () => {
  const pending = () => aCheck({ status: "pending", action: "allow" });

  it.each([
    ["allow", "captured"],
    ["cancel", "canceled"],
    ["hold", "held"],
  ] as const)("waits, and is settled by a late %s", async (action, outcome) => {
    const { api, payments, late, announce } = await setUp(pending);
    api.authorize("pi_1");

    expect(await payments.settle("pi_1")).toMatchObject({ outcome: "waiting" });
    expect(api.calls).toEqual([]);
    await announce("pi_2", { action: "cancel" });
    await announce("pi_1", { action });
    await announce("pi_1", { action });

    expect(late).toMatchObject([{ paymentIntent: "pi_1", outcome }]);
    expect(api.calls).toHaveLength(action === "hold" ? 0 : 1);
  });

  it("is settled by a decision that arrives before the check's own answer", async () => {
    const { api, payments, announce, late } = await setUp(async () => {
      await announce("pi_1", { action: "cancel" });
      return pending();
    });
    api.authorize("pi_1");

    expect(await payments.settle("pi_1")).toMatchObject({ outcome: "canceled" });
    expect(late).toEqual([]);
  });

  it("keeps waiting when a redelivery fails", async () => {
    let checks = 0;
    const { api, payments, late, announce } = await setUp(() => {
      checks += 1;
      if (checks === 2) throw new Error("the store can't be reached");
      return pending();
    });
    api.authorize("pi_1");
    await payments.settle("pi_1");
    await expect(payments.settle("pi_1")).rejects.toThrow("the store can't be reached");

    await announce("pi_1", { action: "allow" });

    expect(late).toMatchObject([{ outcome: "captured" }]);
  });

  it("is settled only by the decision about what was checked last", async () => {
    let checks = 0;
    const { api, payments, late, announce } = await setUp(() => {
      checks += 1;
      return aCheck({ status: "pending", action: "allow", fingerprint: `content-${checks}` });
    });
    api.authorize("pi_1");
    await payments.settle("pi_1");
    // The authorization was raised, and its webhook describes another order.
    await payments.settle("pi_1");

    await announce("pi_1", { action: "allow", fingerprint: "content-1" });
    expect(api.calls).toEqual([]);
    expect(late).toEqual([]);
    await announce("pi_1", { action: "cancel", fingerprint: "content-2" });

    expect(late).toMatchObject([{ paymentIntent: "pi_1", outcome: "canceled" }]);
    expect(api.status("pi_1")).toBe("canceled");
  });

  it("isn't settled by the former check's decision if it arrives during the next check", async () => {
    let checks = 0;
    let announced: Promise<void> | undefined;
    const { api, payments, announce } = await setUp(() => {
      checks += 1;
      if (checks === 2) announced = announce("pi_1", { action: "allow", fingerprint: "content-1" });
      return aCheck({ status: "pending", action: "allow", fingerprint: `content-${checks}` });
    });
    api.authorize("pi_1");

    await payments.settle("pi_1");
    expect(await payments.settle("pi_1")).toMatchObject({ outcome: "waiting" });
    await announced;

    expect(api.calls).toEqual([]);
  });

  it("is captured once when its decision and a redelivery arrive together", async () => {
    const { api, payments, announce, late } = await setUp(pending);
    api.authorize("pi_1");
    await payments.settle("pi_1");

    const redelivered = payments.settle("pi_1");
    await announce("pi_1", { action: "allow" });
    await redelivered;

    await until(() => api.status("pi_1") === "succeeded");
    expect(api.calls).toHaveLength(1);
    expect(late.length).toBeLessThanOrEqual(1);
  });

  it("reports when Stripe fails", async () => {
    const { api, payments, late, announce } = await setUp(pending);
    api.authorize("pi_1");
    await payments.settle("pi_1");
    api.failNext(500);

    await announce("pi_1", { action: "allow" });

    expect(late).toMatchObject([{ paymentIntent: "pi_1", outcome: "failed", error: { statusCode: 500 } }]);
  });

  it("is left to the person who decided first", async () => {
    const { api, payments, late, announce } = await setUp(pending);
    api.authorize("pi_1");
    await payments.settle("pi_1");
    await payments.capture("pi_1");

    await announce("pi_1", { action: "cancel" });

    expect(late).toEqual([]);
    expect(api.status("pi_1")).toBe("succeeded");
  });

  it("is ignored after close", async () => {
    const { api, payments, late, announce } = await setUp(pending);
    api.authorize("pi_1");
    await payments.settle("pi_1");
    payments.close();

    await announce("pi_1", { action: "allow" });

    expect(late).toEqual([]);
    expect(api.calls).toEqual([]);
  });
});
