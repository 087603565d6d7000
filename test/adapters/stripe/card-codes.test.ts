import { expect, it } from "vitest";
import { createManualCapture, createStripeCardCodes } from "../../../adapters/stripe/index.ts";
import { createLogRecorder } from "../../support/log-recorder.ts";
import { aCheck } from "../../support/screener.ts";
import { startCardCodeApi } from "./card-code-api.ts";

async function setUp() {
  const api = await startCardCodeApi();
  const log = createLogRecorder();
  return { api, log, codes: createStripeCardCodes({ stripe: api.toClient(), logger: log.logger }) };
}

async function prepare({ api, codes }: Awaited<ReturnType<typeof setUp>>): Promise<string> {
  api.pay("pi_1");
  const prepared = await codes.prepare(["pi_1"], "QXTRMV");
  if (prepared.outcome !== "prepared") throw new Error(prepared.reason);
  return prepared.reference;
}

it("shows a code in the text of a small amount of its own, which is authorized and never captured", async () => {
  const stage = await setUp();
  const { api, codes } = stage;
  const reference = await prepare(stage);
  expect(api.bank).toEqual([]);

  expect(await codes.show(reference)).toEqual({ outcome: "shown" });
  expect(api.find(reference)).toMatchObject({
    suffix: "QXTRMV",
    amount: 100,
    currency: "usd",
    payment_method: "pm_pi_1",
    metadata: { holdfast: "card-code" },
  });

  await codes.end(reference);
  await codes.end(reference);
  expect(api.bank).toEqual([
    ["authorized", reference],
    ["released", reference],
  ]);
  expect(api.find("pi_1").status).toBe("requires_capture");
  expect(api.requests).not.toContain("capture");
});

type Api = Awaited<ReturnType<typeof startCardCodeApi>>;

it.each<[string, string, (api: Api) => readonly string[]]>([
  ["no payment", "no-payment", () => []],
  ["a payment that Stripe doesn't know", "no-payment", () => ["pi_2"]],
  ["a payment of another provider", "not-a-card", () => ["pi_1", ""]],
  ["a path in place of an ID", "not-a-card", () => ["pi_1/../x"]],
  [
    "another card that was tried first and refused",
    "several-cards",
    (api) => (api.try("pi_1", "own"), ["pi_1"]),
  ],
  [
    "another card in another payment of the order",
    "several-cards",
    (api) => (api.pay("pi_0", { fingerprint: "own", status: "canceled" }), ["pi_0", "pi_1"]),
  ],
  [
    "more tries than are looked at",
    "several-cards",
    (api) => (Array.from({ length: 100 }, () => api.try("pi_1", "card-1")), ["pi_1"]),
  ],
  ["more payments than are looked at", "several-cards", () => Array.from({ length: 11 }, () => "pi_1")],
  [
    "a try with something else than a card",
    "not-a-card",
    (api) => (api.try("pi_1", null, "klarna"), ["pi_1"]),
  ],
  ["a card without a fingerprint", "not-a-card", (api) => (api.try("pi_1", null), ["pi_1"])],
  ["a payment that failed", "no-payment", (api) => (api.change("pi_1", { status: "canceled" }), ["pi_1"])],
  ["a card that isn't saved", "card-not-saved", (api) => (api.detach("pi_1"), ["pi_1"])],
  [
    "a card of another customer",
    "card-not-saved",
    (api) => (api.change("pi_1", { customer: "cus_2" }), ["pi_1"]),
  ],
  [
    "a currency without a safe amount",
    "platform-cannot",
    (api) => (api.pay("pi_3", { currency: "inr" }), ["pi_3"]),
  ],
])("isn't possible with %s", async (_what, reason, change) => {
  const { api, codes } = await setUp();
  api.pay("pi_1");
  const payments = change(api);

  expect(await codes.find(payments)).toEqual({ outcome: "not-possible", reason });
  expect(await codes.prepare(payments, "QXTRMV")).toEqual({ outcome: "not-possible", reason });
  expect(api.codes()).toEqual([]);
});

it("is possible after a try with the same card that the bank refused", async () => {
  const { api, codes } = await setUp();
  api.pay("pi_1");
  api.try("pi_1", "card-1");

  expect(await codes.find(["pi_1"])).toEqual({ outcome: "possible" });
});

it.each(["reset-before", "reset-after", "redirect", 429, 500, 503] as const)(
  "authorizes once if confirming ends with %s and is repeated",
  async (fault) => {
    const stage = await setUp();
    const reference = await prepare(stage);
    stage.api.fail("confirm", fault);

    // The client repeats a call by itself whose connection was closed.
    await stage.codes
      .show(reference)
      .catch((error: unknown) => expect(String(error)).toMatch(/Stripe failed/));
    expect(await stage.codes.show(reference)).toEqual({ outcome: "shown" });
    expect(stage.api.bank).toEqual([["authorized", reference]]);
  },
);

it("authorizes once if two processes show the same code at once", async () => {
  const stage = await setUp();
  const reference = await prepare(stage);

  await Promise.allSettled([stage.codes.show(reference), stage.codes.show(reference)]);

  expect(await stage.codes.show(reference)).toEqual({ outcome: "shown" });
  expect(stage.api.bank).toEqual([["authorized", reference]]);
});

it.each(["insufficient_funds", "authentication_required"])(
  "isn't possible after %s, also later",
  async (code) => {
    const stage = await setUp();
    const reference = await prepare(stage);
    stage.api.decline(code);

    expect(await stage.codes.show(reference)).toEqual({ outcome: "not-possible", reason: "no-payment" });
    stage.api.decline(undefined);
    expect(await stage.codes.show(reference)).toEqual({ outcome: "not-possible", reason: "no-payment" });
    await stage.codes.end(reference);
    expect(stage.api.find(reference).status).toBe("canceled");
  },
);

it("shows nothing that was given back before", async () => {
  const stage = await setUp();
  const reference = await prepare(stage);
  await stage.codes.end(reference);

  expect(await stage.codes.show(reference)).toEqual({ outcome: "not-possible", reason: "no-payment" });
  expect(stage.api.bank).toEqual([]);
});

it("refunds what somebody captured by hand, once", async () => {
  const stage = await setUp();
  const reference = await prepare(stage);
  await stage.codes.show(reference);
  stage.api.change(reference, { status: "succeeded" });

  await stage.codes.end(reference);
  await stage.codes.end(reference);
  expect(stage.api.bank.at(-1)).toEqual(["refunded", reference]);
  expect(stage.api.bank).toHaveLength(2);
});

it("has nothing to give back of what Stripe doesn't know, and keeps failing while Stripe does", async () => {
  const stage = await setUp();
  const reference = await prepare(stage);
  await stage.codes.end("pi_of_another_account");
  stage.api.fail("cancel", 500);

  await expect(stage.codes.end(reference)).rejects.toThrow("Stripe failed (500)");
  await stage.codes.end(reference);
  expect(stage.api.find(reference).status).toBe("canceled");
});

it("isn't set up with a wrong key, and says nothing personal or secret", async () => {
  const { api, log } = await setUp();
  api.pay("pi_1");
  const wrong = createStripeCardCodes({ stripe: api.toClient("sk_wrong_secret"), logger: log.logger });
  const codes = createStripeCardCodes({ stripe: api.toClient(), logger: log.logger });

  expect(await wrong.find(["pi_1"])).toEqual({ outcome: "not-possible", reason: "not-configured" });
  api.fail("GET intent", 500);
  const error: unknown = await codes.find(["pi_1"]).catch((cause: unknown) => cause);

  const said = JSON.stringify(log.lines) + String(error) + JSON.stringify(error);
  expect(said).toContain("api_key_invalid");
  expect(said).not.toMatch(/ada@|secret|sk_/);
});

it("isn't possible if Stripe takes no text with the account's prefix", async () => {
  const { api, codes } = await setUp();
  api.pay("pi_1");
  api.fail("create", 400);

  expect(await codes.prepare(["pi_1"], "QXTRMV")).toEqual({
    outcome: "not-possible",
    reason: "platform-cannot",
  });
});

it("isn't taken for an order's payment by a webhook that captures authorized ones", async () => {
  const stage = await setUp();
  const reference = await prepare(stage);
  await stage.codes.show(reference);
  const { bank } = stage.api;
  const captured: string[] = [];
  const payments = createManualCapture({
    screener: { check: async () => aCheck({ action: "allow" }), on: () => () => undefined },
    stripe: {
      paymentIntents: {
        retrieve: async (id) => ({ ...stage.api.find(id), amount_capturable: 100 }),
        capture: async (id) => void captured.push(id),
        cancel: async () => undefined,
      },
    },
  });

  expect(await payments.settle(reference)).toEqual({ paymentIntent: reference, outcome: "not-authorized" });
  expect(await payments.capture(reference)).toMatchObject({ outcome: "not-authorized" });
  expect(captured).toEqual([]);
  expect(bank).toHaveLength(1);
});
