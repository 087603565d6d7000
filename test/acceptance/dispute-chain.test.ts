import { afterEach, beforeEach, expect, it } from "vitest";
import { DISPUTES_SCOPE, EVIDENCE_SCOPE } from "../../adapters/shopify/admin/scopes.ts";
import { DEMO_ORDERS, toPayload, type DemoOrder } from "../../tools/demo/demo-orders.ts";
import type { EmulatedDispute } from "../../tools/emulators/shopify/disputes.ts";
import { createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { toInquiry } from "../support/shop-orders.ts";
import { until } from "../support/until.ts";

const SHOP = "chain.myshopify.com";
const [LOW] = DEMO_ORDERS as readonly [DemoOrder];
const ORDER_ID = "7000000000000000001";
const ORDER = `api/orders/${ORDER_ID}`;
const HOUR_MS = 3_600_000;
const STARTED_MS = Math.ceil(Date.now() / 1_000) * 1_000;
/** The watch looks half a minute after a start, and this starts the app several times. */
const LIMIT_MS = 300_000;

let stage: ShopifyStage;
beforeEach(async () => {
  stage = await createShopifyStage();
  await stage.start();
});
afterEach(() => stage.close());

interface Shown {
  readonly state: string;
  readonly evidenceDueBy: string | null;
}
interface Pack {
  readonly dispute: { readonly disputeId: string; readonly evidenceDueBy: string };
  readonly statements: readonly { readonly text: string }[];
}
interface Preview {
  readonly version: string;
  readonly why: string | null;
  readonly fields: readonly { readonly field: string; readonly text: string; readonly kept: boolean }[];
}

const show = async () => (await stage.get(SHOP, ORDER)).body as Shown;
const draft = { disputeId: "77", communication: "She wrote: it came" };
const post = (path: string, body: object) => stage.send(SHOP, "POST", `${ORDER}/evidence/${path}`, { body });
/** The deadlines that the app alerted about. */
const alerted = () =>
  stage
    .log()
    .split("\n")
    .filter((line) => line.includes('"alert":"dispute_evidence_due"'))
    .map((line) => /"dueAt":"([^"]+)"/.exec(line)?.[1]);
const inHours = (hours: number) => new Date(STARTED_MS + hours * HOUR_MS).toISOString();

/** A chargeback of Shopify Payments: the webhook, and the form in Shopify. */
async function raise(id: number, evidenceDueBy: string): Promise<EmulatedDispute> {
  const form: EmulatedDispute = {
    id: String(id),
    status: "NEEDS_RESPONSE",
    evidenceDueBy,
    evidenceSentOn: null,
    evidence: {},
  };
  stage.emulator.shop(SHOP).disputes.push(form);
  const body = toInquiry(ORDER_ID, {
    id,
    type: "chargeback",
    evidence_due_by: evidenceDueBy,
    initiated_at: new Date().toISOString(),
  });
  expect(await stage.deliver({ shop: SHOP, topic: "disputes/create", body })).toBe(200);
  return form;
}

it(
  "a dispute goes from the webhook to a draft in Shopify that nobody submitted, and one alert before the deadline",
  async () => {
    await stage.install(SHOP);
    const shop = stage.emulator.shop(SHOP);
    shop.scopes = [...shop.scopes, DISPUTES_SCOPE, EVIDENCE_SCOPE];
    shop.addOrder({ orderId: ORDER_ID });
    const body = toPayload({ ...LOW, orderId: ORDER_ID }, 1);
    expect(await stage.deliver({ shop: SHOP, topic: "orders/create", body })).toBe(200);
    await until(async () => expect(await show()).toMatchObject({ state: "settled" }));

    // Ten days ahead: the app's own clock says when two days are left.
    const evidenceDueBy = inHours(240);
    const form = await raise(77, evidenceDueBy);
    await until(async () => expect(await show()).toMatchObject({ evidenceDueBy }));
    const listed = (await stage.listOrders(SHOP))[0];
    expect(listed).toMatchObject({ orderId: ORDER_ID, evidenceDueBy });

    const pack = (await stage.get(SHOP, `${ORDER}/evidence`)).body as Pack;
    expect(pack.dispute).toMatchObject({ disputeId: "77", evidenceDueBy });
    const preview = (await post("preview", draft)).body as Preview;
    expect(preview.why).toBeNull();
    const statement = preview.fields.find(({ field }) => field === "statement")?.text;
    for (const { text } of pack.statements) expect(statement).toContain(text);
    expect(form.evidence).toEqual({});

    // A killed app has lost nothing that it answered, and the draft is still the one that was shown.
    await stage.kill();
    await stage.start();
    expect(await show()).toMatchObject({ evidenceDueBy });
    const saved = await post("draft", { ...draft, version: preview.version });
    expect(saved).toMatchObject({
      status: 200,
      body: { saved: expect.arrayContaining(["statement", "email"]) },
    });
    expect(form.evidence["uncategorizedText"]).toBe(statement);
    expect(form).toMatchObject({ status: "NEEDS_RESPONSE", evidenceSentOn: null });

    // A draft isn't an answer: the bank still waits. Another dispute shows that the app has looked.
    const earlier = inHours(230);
    await raise(78, earlier);
    const startAt = async (hours: number): Promise<void> => {
      await stage.untilHeard();
      await stage.stop();
      await stage.start({ CLOCK_AHEAD_MS: String(hours * HOUR_MS) });
    };
    await startAt(190);
    await until(() => expect(alerted()).toEqual([earlier]));
    await startAt(193);
    await until(() => expect(alerted()).toEqual([earlier, evidenceDueBy]));
    // Nor does it come again.
    const later = inHours(242);
    await raise(79, later);
    await startAt(195);
    await until(() => expect(alerted()).toEqual([earlier, evidenceDueBy, later]));
    expect(form).toMatchObject({ status: "NEEDS_RESPONSE", evidenceSentOn: null });
  },
  LIMIT_MS,
);
