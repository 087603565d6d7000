import type { Frame, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { findWide, PHONE } from "../support/console-places.ts";
import { createConsoleStage, SOON, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

const SHOP = "views.myshopify.com";
const viewsOf = (app: Frame) => app.getByRole("combobox", { name: "Saved views" });
const choicesOf = (select: Locator) =>
  select.locator("option").evaluateAll((all) => all.map((one) => one.textContent));
const filterOf = (app: Frame, name: string) => app.getByRole("search").getByLabel(name, { exact: true });

describe.skipIf(isBrowserMissing())("saved views and filters", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
    await placeOrders(stage, SHOP, [
      { number: 1, as: "low" },
      { number: 2, as: "high" },
    ]);
  });
  afterAll(() => stage.close());

  it("shows a view to everyone with the name of who shared it, and nobody else what is only theirs", async () => {
    const ben = await stage.openEmbedded({ shop: SHOP, userId: "9", withAxe: true });
    await ben.goTo("/orders?level=high&sort=amount");
    await ben.app.getByRole("button", { name: "Save view" }).click();
    const dialog = ben.app.getByRole("dialog", { name: "Save view" });
    await dialog.getByRole("textbox", { name: "Name of the view" }).fill("High and large");
    await dialog.getByRole("radio", { name: "Everyone in this shop" }).check();
    expect(await ben.findFaults()).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await ben.app.getByText("View saved.").waitFor();
    await ben.goTo("/orders?level=low");
    await ben.app.getByRole("button", { name: "Save view" }).click();
    // The name that is taken is said at its field, and what was typed stays.
    await dialog.getByRole("textbox").fill("high and LARGE");
    await ben.page.keyboard.press("Enter");
    await dialog.getByText("A view with this name exists. Choose another name.").waitFor();
    ben.expectProblem(/422 \(Unprocessable/);
    expect(await dialog.getByRole("textbox").inputValue()).toBe("high and LARGE");
    await dialog.getByRole("textbox").fill("Mine");
    await ben.page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await choicesOf(viewsOf(ben.app))).toEqual(["Saved views", "High and large", "Mine"]);

    const ada = await stage.openEmbedded({ shop: SHOP, userId: "8", path: "/orders" });
    await expect
      .poll(() => choicesOf(viewsOf(ada.app)), SOON)
      .toEqual(["Saved views", "High and large · Ben Ito"]);
    await viewsOf(ada.app).selectOption({ label: "High and large · Ben Ito" });
    await ada.app.getByText("#1002").waitFor();
    expect(await filterOf(ada.app, "Risk").inputValue()).toBe("high");
    expect(await filterOf(ada.app, "Sort by").inputValue()).toBe("amount");
    // In the queue, there are others.
    await ada.goTo("/queue");
    await ada.app.getByText("#1002").waitFor();
    expect(await viewsOf(ada.app).count()).toBe(0);
  });

  it("can be renamed and deleted", async () => {
    const opened = await stage.openEmbedded({ shop: SHOP, userId: "9" });
    const { app, page } = opened;
    await opened.goTo("/queue?sort=amount");
    await app.getByRole("button", { name: "Save view" }).click();
    await app.getByRole("textbox", { name: "Name of the view" }).fill("By amount");
    await page.keyboard.press("Enter");
    await app.getByRole("button", { name: "Edit view" }).click();
    await app.getByRole("textbox", { name: "Name of the view" }).fill("Largest first");
    await page.keyboard.press("Enter");
    await expect.poll(() => choicesOf(viewsOf(app)), SOON).toEqual(["Saved views", "Largest first"]);

    await app.getByRole("button", { name: "Edit view" }).click();
    await app.getByRole("button", { name: "Delete view" }).click();
    const question = app.getByRole("dialog", { name: "Delete “Largest first”?" });
    await question.getByText("Only you use this view.").waitFor();
    await question.getByRole("button", { name: "Delete view" }).click();
    await app.getByText("View deleted.").waitFor();
    expect(await viewsOf(app).count()).toBe(0);
  });

  it("lets a viewer keep a view only for themselves, and says why", async () => {
    const added = await stage.send(SHOP, "POST", "api/people", {
      body: { name: "Eve Park", role: "viewer" },
    });
    const { token } = added.body as { token: string };
    const { app } = await stage.signIn({ token, path: "/orders?level=low" });
    await app.getByRole("button", { name: "Save view" }).click();
    const dialog = app.getByRole("dialog", { name: "Save view" });
    expect(await dialog.getByRole("radio", { name: "Everyone in this shop" }).isDisabled()).toBe(true);
    await dialog.getByText(/reviewer/).waitFor();
    await dialog.getByRole("textbox").fill("Only Eve");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => choicesOf(viewsOf(app)), SOON).toContain("Only Eve");
  });

  it("puts the filters of a phone into a sheet that takes the focus, and applies them at once", async () => {
    const opened = await stage.openEmbedded({
      shop: SHOP,
      userId: "8",
      viewport: PHONE,
      path: "/orders",
      withAxe: true,
    });
    const { app, page } = opened;
    await app.getByText("#1001").waitFor();
    // The first order is on the first screen.
    expect((await app.getByText("#1002").boundingBox())?.y).toBeLessThan(300);
    const button = app.getByRole("button", { name: /^Filters/ });
    await button.click();
    const sheet = app.getByRole("dialog", { name: "Filter orders" });
    await sheet.getByLabel("Risk").selectOption("low");
    await sheet.getByLabel("State").selectOption("settled");
    expect(await opened.findFaults()).toEqual([]);
    expect(await findWide(opened, "the sheet")).toEqual([]);
    const box = await sheet.boundingBox();
    expect([box?.x, box?.width, (box?.y ?? 0) + (box?.height ?? 0)]).toEqual([0, PHONE.width, PHONE.height]);
    const isInside = () => sheet.evaluate((element) => element.contains(document.activeElement));
    for (let presses = 0; presses < 14; presses += 1) {
      await page.keyboard.press("Tab");
      // Between its end and its start, the focus is on the browser's own controls.
      const isOnPage = await app.evaluate(() => document.activeElement !== document.body);
      if (isOnPage) expect(await isInside()).toBe(true);
    }

    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    expect(await button.textContent()).toBe("Filters");
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);

    await button.click();
    await sheet.getByLabel("Risk").selectOption("low");
    await sheet.getByLabel("State").selectOption("settled");
    await sheet.getByRole("button", { name: "Show orders" }).click();
    await expect.poll(() => button.textContent(), SOON).toBe("Filters (2)");
    await app.getByText(/^1 order /).waitFor();
    await button.click();
    await sheet.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => button.textContent(), SOON).toBe("Filters");
    await app.getByText(/^2 orders/).waitFor();
  });

  it.each([1280, 360])("has the download at the end of the title's line, %i px wide", async (width) => {
    const { app } = await stage.openEmbedded({
      shop: SHOP,
      viewport: { width, height: 740 },
      path: "/orders",
    });
    const download = await app.getByRole("button", { name: "Download CSV" }).boundingBox();
    const title = await app.getByRole("heading", { name: "Orders", level: 1 }).boundingBox();
    const list = await app.locator(".list").boundingBox();
    if (download === null || title === null || list === null) throw new Error("not drawn");

    expect(Math.abs(download.y + download.height / 2 - (title.y + title.height / 2))).toBeLessThan(4);
    expect(Math.abs(download.x + download.width - (list.x + list.width))).toBeLessThan(2);
  });
});
