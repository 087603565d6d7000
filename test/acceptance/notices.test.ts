import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startMailServer } from "../alerts/mail-server.ts";
import { placeOrders } from "../support/placed-orders.ts";
import { createShopifyStage, type ShopifyStage } from "../support/shopify-stage.ts";
import { until } from "../support/until.ts";

const SHOP = "noticed.myshopify.com";
const OTHER = "other.myshopify.com";

let stage: ShopifyStage;

beforeEach(async () => {
  stage = await createShopifyStage();
});
afterEach(() => stage.close());

describe("a person's notices", () => {
  it("say by mail that orders are held, once, when the app stops at the latest", async () => {
    const mail = await startMailServer();
    await stage.start({
      SMTP_URL: `smtp://alerts:right@localhost:${mail.port}`,
      ALERT_EMAIL_FROM: "holdfast@shop.example",
      ALERT_EMAIL_TO: "operator@shop.example",
    });
    for (const [shop, email] of [
      [SHOP, "ann@shop.example"],
      [OTHER, "eve@shop.example"],
    ] as const) {
      await stage.admit(shop);
      const body = { email, events: { held: ["email"] }, isEmbedded: true };
      expect((await stage.send(shop, "PUT", "api/notices", { body })).status).toBe(200);
      await stage.send(shop, "POST", "api/notices/test", { body: { channel: "email" } });
      const [, emailCode] = /Your code is (\d{8})\r$/m.exec(mail.mails.at(-1)?.raw ?? "") ?? [];
      const confirmed = await stage.send(shop, "PUT", "api/notices", { body: { emailCode } });
      expect(confirmed.body).toMatchObject({ email, isEmailConfirmed: true });
    }
    mail.mails.splice(0);

    const [id = ""] = await placeOrders(stage, SHOP, [{ number: 1, as: "high" }]);
    await until(async () => {
      const orders = await stage.listOrders(SHOP);
      expect(orders).toMatchObject([{ state: "review" }]);
    });
    const link = new URL(`/orders/${id}?shop=${SHOP}`, stage.url());
    const opened = await fetch(link, { redirect: "manual" });
    // The admin opens the order in the app.
    expect(opened.headers.get("location")).toMatch(
      new RegExp(`^https://${SHOP}/admin/apps/[^/]+/orders/${id}$`),
    );
    await stage.stop();

    const sent = mail.mails.filter(({ to }) => !to.includes("operator@shop.example"));
    expect(sent.map(({ to }) => to)).toEqual([["ann@shop.example"]]);
    const text = sent[0]?.raw.replaceAll("=\r\n", "") ?? "";
    expect(text).toMatch(/^Subject: \[Holdfast\] Order #\S+ is held for review\r$/m);
    expect(text).toContain("Its risk level is high.");
    expect(text).toContain(`/orders/${id}?shop`);
    // The order's buyer.
    expect(text).not.toMatch(/Jane|high@risk|Street/);
  });
});
