import type { Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, SOON, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

const isFocused = (element: Element) => element === document.activeElement;

describe.skipIf(isBrowserMissing())("what is typed", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  const noteOf = (app: Frame) => app.getByRole("article").getByRole("textbox", { name: "Note" });

  it("stays with its order through the next order and a reload, and marks it in the list", async () => {
    const shop = "drafts.myshopify.com";
    const [first = "", second = ""] = await placeOrders(stage, shop, [
      { number: 1, as: "high" },
      { number: 2, as: "high" },
    ]);
    const opened = await stage.openEmbedded({ shop, path: `/queue/${first}` });
    await noteOf(opened.app).fill("Called: no answer yet");
    const row = (id: string) => opened.app.locator(`[data-order="${id}"]`);
    await row(first).getByText("unsaved note").waitFor();

    await opened.goTo(`/queue/${second}`);
    await expect.poll(() => noteOf(opened.app).inputValue(), SOON).toBe("");
    await opened.goTo(`/queue/${first}`);
    await expect.poll(() => noteOf(opened.app).inputValue(), SOON).toBe("Called: no answer yet");
    expect(await row(second).getByText("unsaved note").count()).toBe(0);

    await opened.app.getByRole("button", { name: "Save note" }).click();
    await opened.app.locator(".notes li").getByText("Called: no answer yet").waitFor();
    expect(await noteOf(opened.app).inputValue()).toBe("");
    await row(first).getByText("1 note").waitFor();
    expect(await row(first).getByText("unsaved note").count()).toBe(0);
  });

  it("mentions a colleague, and gives them the order", async () => {
    const shop = "team.myshopify.com";
    const [id = ""] = await placeOrders(stage, shop, [{ number: 1, as: "high" }]);
    // Each opens the app once: Ada Moss, then Ben Ito.
    await stage.openEmbedded({ shop, userId: "8" });
    const ben = await stage.openEmbedded({ shop, userId: "9", path: `/queue/${id}` });
    const { app, page } = ben;
    await noteOf(app).click();
    await page.keyboard.type("Known to you? @ad");
    await app.getByRole("button", { name: "@Ada Moss" }).click();
    expect(await noteOf(app).inputValue()).toBe("Known to you? @Ada Moss ");
    await app.getByRole("button", { name: "Save note" }).click();
    await app.getByRole("combobox", { name: "Assigned to" }).selectOption({ label: "Ada Moss" });
    await app.locator(`[data-order="${id}"]`).getByText("for Ada Moss").waitFor();

    const ada = await stage.openEmbedded({ shop, userId: "8", path: `/queue/${id}` });
    const note = ada.app.locator(".notes li");
    await note.filter({ hasText: "Ben Ito" }).filter({ hasText: "mentions you" }).waitFor();
  });

  it("is kept in a dialog on Escape and a click outside, which ask; Enter sends it", async () => {
    const shop = "dialogs.myshopify.com";
    await placeOrders(stage, shop, [{ number: 1, as: "low" }]);
    const { app, page } = await stage.openEmbedded({ shop, path: "/settings/people" });
    await app.getByRole("button", { name: "Add user" }).click();
    const dialog = app.getByRole("dialog", { name: "Add user" });
    const name = dialog.getByRole("textbox", { name: "Name" });
    await expect.poll(() => name.evaluate(isFocused), SOON).toBe(true);
    await page.keyboard.type("Grace Hopper");

    await page.keyboard.press("Escape");
    await dialog.getByText("Discard what you entered?").waitFor();
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    await page.mouse.click(2, 2);
    await dialog.getByText("Discard what you entered?").waitFor();
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    expect(await name.inputValue()).toBe("Grace Hopper");

    await name.press("Enter");
    const token = app.getByRole("dialog", { name: "Token for Grace Hopper" });
    await token.getByText(/^hf_/).waitFor();
    await page.keyboard.press("Escape");
    await token.getByText("You haven’t copied the token. It isn’t shown again.").waitFor();
    await token.getByRole("button", { name: "Keep editing" }).click();
    await token.getByText(/^hf_/).waitFor();
  });
});
