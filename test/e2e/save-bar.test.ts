import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, SOON, type ConsoleStage } from "../support/console-stage.ts";

describe.skipIf(isBrowserMissing())("the admin's save bar", () => {
  let stage: ConsoleStage;

  beforeAll(async () => void (stage = await createConsoleStage()));
  afterAll(() => stage.close());

  it("saves and discards settings, and asks before somebody leaves", async () => {
    const shop = "savebar.myshopify.com";
    await stage.install(shop);
    const opened = await stage.openEmbedded({ shop, path: "/settings" });
    const { app } = opened;
    const webhook = app.getByLabel("Webhook", { exact: true });
    const save = app.getByRole("button", { name: "Save alerts" });
    await webhook.waitFor();
    expect(await save.count()).toBe(0);

    await webhook.fill("https://alerts.example/holdfast");
    await save.waitFor();
    await app.getByRole("button", { name: "Discard" }).click();
    await save.waitFor({ state: "hidden" });
    expect(await webhook.inputValue()).toBe("");

    await webhook.fill("https://alerts.example/holdfast");
    await save.click();
    await app.getByText("Alerts saved.").first().waitFor();
    await save.waitFor({ state: "hidden" });
    expect((await stage.get(shop, "api/settings")).body).toMatchObject({
      alerts: { webhookUrl: "https://alerts.example/holdfast" },
    });

    await opened.chooseInMenu("report");
    await app.getByRole("heading", { name: "Report", level: 1 }).waitFor();
    await expect
      .poll(() => app.evaluate(() => document.documentElement.dataset["asked"]), SOON)
      .toBe("leave");
  });

  it("isn't shown when the console runs alone: its own buttons are", async () => {
    const { app } = await stage.signIn({ path: "/policy" });
    await app.getByRole("button", { name: "Review and save" }).waitFor();
    expect(await app.locator("ui-save-bar").count()).toBe(0);
  });
});
