import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, SOON, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders, seeOnPlatform } from "../support/placed-orders.ts";

describe.skipIf(isBrowserMissing())("the first day", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  it("guides a new shop through its setup, and lets it watch an order that costs and touches nothing", async () => {
    const shop = "new.myshopify.com";
    const opened = await stage.openEmbedded({ shop, path: "/overview" });
    const { app } = opened;
    const paid = stage.service.calls.length;

    await app.getByRole("heading", { name: "Welcome to Holdfast" }).waitFor();
    await app.getByText("2 steps left.").waitFor();
    // The recommended choice is selected first, and the page explains canceling before you can choose it.
    expect(await app.getByRole("radio", { name: /^Watch only/ }).isChecked()).toBe(true);
    await app.getByText("Shopify refunds the customer. You can't undo a cancellation.").waitFor();
    await app.getByRole("button", { name: "Save", exact: true }).click();
    await app.getByText("Holdfast only watches your orders.").waitFor();
    expect((await stage.get(shop, "api/policy")).body).toMatchObject({ mode: "shadow" });

    await app.getByRole("radio", { name: "Critical", exact: true }).check();
    await app.getByRole("button", { name: "Send sandbox order" }).click();
    await app.getByText("Setup complete. Holdfast checks orders as they come in.").waitFor();
    expect(stage.service.calls).toHaveLength(paid);
    expect(stage.emulator.shop(shop).orders()).toEqual([]);

    await app.getByRole("link", { name: "Open order" }).click();
    await app.getByRole("article").getByText("Sandbox critical").first().waitFor();
  });

  it.each([
    ["Hold orders", "hold", "Holdfast holds risky orders and cancels none."],
    ["Hold and cancel orders", "cancel", "Holdfast holds risky orders and cancels critical ones."],
  ])("lets the owner of a new shop choose: %s", async (choice, action, saved) => {
    const shop = `${action}-first.myshopify.com`;
    const { app } = await stage.openEmbedded({ shop, path: "/overview" });

    await app.getByRole("radio", { name: new RegExp(`^${choice}`) }).check();
    await app.getByRole("button", { name: "Save", exact: true }).click();
    await app.getByText(saved).waitFor();

    expect((await stage.get(shop, "api/policy")).body).toMatchObject({
      mode: "active",
      levels: { critical: { action }, high: { action: "hold" } },
    });
  });

  it("shows the first waiting orders to a person who has the setup open", async () => {
    const shop = "waiting.myshopify.com";
    const opened = await stage.openEmbedded({ shop });
    const { app } = opened;
    await app.getByRole("heading", { name: "Welcome to Holdfast" }).waitFor();
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);

    await opened.goTo(`/queue/${id}`);
    await app.getByRole("article", { name: "#1001" }).waitFor();
    await opened.goTo("/queue");
    // The page repeats its once-a-minute request at once when somebody comes back to it.
    const button = app.getByRole("button", { name: "Show orders" });
    await expect
      .poll(async () => {
        await app.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
        return button.isVisible();
      }, SOON)
      .toBe(true);
    await button.click();
    await app.getByRole("link", { name: "#1001" }).waitFor();
  });

  it("shows what it would have done in shadow mode, in money, and as a file", async () => {
    const shop = "shadow.myshopify.com";
    const policy = (await stage.get(shop, "api/policy")).body as object;
    await stage.send(shop, "PUT", "api/policy", { body: { ...policy, mode: "shadow" } });
    const [, high = ""] = await placeOrders(stage, shop, [
      { number: 1, as: "low", amount: 10 },
      { number: 2, as: "high", amount: 250.25, payload: { name: "=HYPERLINK(1)" } },
      { number: 3, as: "critical", amount: 1_000 },
    ]);
    expect(seeOnPlatform(stage, shop, high)).toMatchObject({ holds: 0, tags: [] });
    const opened = await stage.openEmbedded({ shop, path: "/report" });
    const { app, page } = opened;

    await app.getByRole("heading", { name: "Report (watch only)" }).waitFor();
    const figure = (label: string) => app.locator(".figure").filter({ hasText: label });
    await expect.poll(() => figure("Would be held").textContent(), SOON).toContain("$250.25");
    await expect.poll(() => figure("Would be canceled").textContent(), SOON).toContain("$1,000.00");
    await expect
      .poll(() => app.getByRole("region", { name: "Orders in the report" }).getByRole("row").count(), SOON)
      .toBe(3);

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      app.getByRole("button", { name: "CSV" }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    expect(text).toContain("1000");
    expect(text).toContain("'=HYPERLINK(1)");

    await app.getByRole("button", { name: "Switch to active" }).click();
    await app.getByText("1 change", { exact: true }).waitFor();
    await expect.poll(() => app.getByRole("radio", { name: "Active" }).isChecked(), SOON).toBe(true);
  });

  it("counts the day's decisions and the orders to review", async () => {
    const shop = "overview.myshopify.com";
    await stage.install(shop);
    await placeOrders(stage, shop, [
      { number: 1, as: "low" },
      { number: 2, as: "low" },
      { number: 3, as: "medium" },
      { number: 4, as: "high" },
      { number: 5, as: "critical" },
    ]);
    const opened = await stage.openEmbedded({ shop, path: "/overview" });
    const { app } = opened;

    await app.getByText("5 orders in 30 days").waitFor();
    const figure = (label: string) => app.locator(".figure").filter({ hasText: label });
    await expect.poll(() => figure("Held for review").textContent(), SOON).toContain("1");
    await expect.poll(() => figure("Used today").textContent(), SOON).toContain("5");
    await expect.poll(() => figure("Typical time to decide").count(), SOON).toBe(1);
    // A tile opens the list that it counts.
    for (const label of ["Held for review", "Due within 6 hours", "Overdue", "Needs attention"]) {
      const count = (await figure(label).locator("strong").textContent()) ?? "";
      await figure(label).click();
      const title = count === "1" ? "1 order" : `${count} orders`;
      await app.locator(".list-status").filter({ hasText: title }).waitFor();
      await opened.goTo("/overview");
    }
    // The charts' numbers are there for people who can't see them, too.
    const format = new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", timeZone: "UTC" });
    for (const [title, numbers] of [
      ["Orders per day by risk level", ["2", "1", "1", "1"]],
      ["Orders per day by decision", ["2", "1", "1", "1"]],
    ] as const) {
      await app
        .getByText("View as table")
        .nth(title.endsWith("level") ? 0 : 1)
        .click();
      const row = app
        .getByRole("table", { name: title })
        .getByRole("row", { name: format.format(Date.now()) });
      await expect.poll(() => row.getByRole("cell").allTextContents(), SOON).toEqual(numbers);
    }
  });

  it("records who looked at personal data, and who did what", async () => {
    const shop = "log.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    const reviewer = await stage.openEmbedded({ shop, userId: "33", path: `/queue/${id}` });
    await reviewer.app.getByRole("article").getByRole("button", { name: "Approve" }).click();
    await reviewer.app.getByText("#1001 approved.").first().waitFor();

    const owner = await stage.openEmbedded({ shop, userId: "7", path: "/settings/access" });
    const rows = owner.app.getByRole("region", { name: "Access log entries" }).getByRole("row");
    await rows.filter({ hasText: "Ben Ito" }).first().waitFor();
    const entries = await rows.filter({ hasText: "Ben Ito" }).allTextContents();
    expect(entries.join("\n")).toContain("#1001");
    expect(entries.length).toBeGreaterThanOrEqual(2);
    await owner.app.getByLabel("What").selectOption("approve");
    await expect.poll(() => rows.count(), SOON).toBe(2);
  });
});
