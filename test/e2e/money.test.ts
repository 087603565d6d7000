import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { findWide, PHONE } from "../support/console-places.ts";
import { createConsoleStage, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

describe.skipIf(isBrowserMissing())("currency and rates", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  it.each([1280, PHONE.width])(
    "are saved in the form that the report links to, %i px wide",
    async (width) => {
      const shop = `money-${width}.myshopify.com`;
      await placeOrders(stage, shop, [
        { number: 1, as: "high", payload: { currency: "EUR", presentment_currency: "EUR" } },
      ]);
      const opened = await stage.openEmbedded({
        shop,
        viewport: { width, height: 740 },
        path: "/report",
        withAxe: true,
      });
      const { app } = opened;
      await app.getByRole("link", { name: "enter their price" }).click();
      const form = app.getByRole("region", { name: "Currency and rates" });
      await form.getByLabel("Currency of reports").fill("usd");
      await form.getByLabel("Price of a credit in USD").fill("2 cents");
      await form.getByRole("button", { name: "Add a rate" }).click();
      await form.getByLabel("Currency", { exact: true }).fill("EUR");
      await form.getByLabel("Worth in USD").fill("1,08");
      await form.getByLabel("From").fill("2026-11-01");
      await form.getByRole("button", { name: "Save currency and rates" }).click();

      // Each error is beside its field, and nothing that was typed is lost.
      await form.getByText("Enter a number such as 0.02, with a point.").waitFor();
      await form.getByText("Enter a number above 0 such as 1.08, with a point.").waitFor();
      expect(await form.getByLabel("Price of a credit in USD").inputValue()).toBe("2 cents");
      expect(await form.getByLabel("Worth in USD").inputValue()).toBe("1,08");
      expect(await form.getByLabel("Worth in USD").getAttribute("aria-invalid")).toBe("true");
      expect(await opened.findFaults()).toEqual([]);
      expect(await findWide(opened, "/settings/money")).toEqual([]);

      await form.getByLabel("Price of a credit in USD").fill("0.02");
      await form.getByLabel("Worth in USD").fill("1.08");
      await form.getByRole("button", { name: "Save currency and rates" }).click();
      await app.getByText("Saved. Reports count with it from now on.").waitFor();
      const { money } = (await stage.get(shop, "api/settings")).body as { money: object };
      expect(money).toEqual({
        currency: "USD",
        creditPrice: 0.02,
        rates: [{ currency: "EUR", from: "2026-11-01", rate: 1.08 }],
        enteredIn: "USD",
      });
      expect(await form.getByLabel("Currency of reports").inputValue()).toBe("USD");

      // Rates that were entered in dollars say nothing about pounds.
      await form.getByLabel("Currency of reports").fill("GBP");
      await form.getByText(/^The saved price and rates are in USD/).waitFor();
      await form.getByLabel("Price of a credit in GBP").fill("0.03");
      opened.expectProblem(/422 \(Unprocessable/);
      await form.getByRole("button", { name: "Save currency and rates" }).click();
      await form.getByText(/this one is in USD/).waitFor();
      expect(await form.getByLabel("Worth in GBP").getAttribute("aria-invalid")).toBe("true");
      await form.getByLabel("Worth in GBP").fill("0.86");
      await form.getByRole("button", { name: "Save currency and rates" }).click();
      await form.getByText(/^The saved price and rates are in USD/).waitFor({ state: "detached" });

      await opened.goTo("/report");
      await app.getByText(/^GBP\s0\.03, \d+ saved$/).waitFor();
      expect(await app.getByRole("link", { name: "enter their price" }).count()).toBe(0);
    },
  );

  it("keep what is typed when somebody else changed the settings meanwhile", async () => {
    const shop = "meanwhile.myshopify.com";
    const opened = await stage.openEmbedded({ shop, path: "/settings/money" });
    const form = opened.app.getByRole("region", { name: "Currency and rates" });
    await form.getByLabel("Price of a credit").fill("0.05");
    await stage.send(shop, "PUT", "api/settings", { body: { alerts: { email: ["ops@shop.example"] } } });
    opened.expectProblem(/412 \(Precondition/);
    const save = form.getByRole("button", { name: "Save currency and rates" });
    const reloaded = opened.page.waitForResponse(
      (response) => response.url().endsWith("/api/settings") && response.request().method() === "GET",
    );
    await save.click();
    await form.getByRole("alert").waitFor();
    await reloaded;
    expect(await form.getByLabel("Price of a credit").inputValue()).toBe("0.05");

    await save.click();
    await opened.app.getByText("Saved. Reports count with it from now on.").waitFor();
    const { money, alerts } = (await stage.get(shop, "api/settings")).body as Record<string, object>;
    expect([money, alerts]).toMatchObject([{ creditPrice: 0.05 }, { email: ["ops@shop.example"] }]);
  });
});
