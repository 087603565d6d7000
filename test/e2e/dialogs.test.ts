import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, SOON, type ConsolePage, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders, seeOnPlatform } from "../support/placed-orders.ts";

const QUESTION = "Discard what you entered?";

describe.skipIf(isBrowserMissing())("a dialog", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  /** A click beside the dialog, on what it covers. */
  const clickOutside = ({ page }: ConsolePage) => page.mouse.click(5, 5);

  async function openBulk(name: string, act: "Approve" | "Decline") {
    const shop = `${name}.myshopify.com`;
    const ids = await placeOrders(stage, shop, [
      { number: 1, as: "high" },
      { number: 2, as: "high" },
    ]);
    const opened = await stage.openEmbedded({ shop });
    const { app } = opened;
    await app.getByRole("checkbox", { name: "Select all shown orders" }).check();
    const ask = async () => {
      await app.getByRole("group", { name: "Selected orders" }).getByRole("button", { name: act }).click();
      const dialog = app.getByRole("dialog", { name: `${act} 2 orders?` });
      await dialog.waitFor();
      return dialog;
    };
    return { ...opened, shop, ids, ask };
  }

  it("about several orders closes by Escape and by a click outside, and decides nothing then", async () => {
    const opened = await openBulk("bulk-close", "Decline");
    const { page, shop, ids, ask } = opened;
    let dialog = await ask();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    dialog = await ask();
    await clickOutside(opened);
    await dialog.waitFor({ state: "detached" });
    dialog = await ask();
    // The reason has the focus, where Enter declines nothing.
    await page.keyboard.press("Enter");
    expect(await dialog.isVisible()).toBe(true);
    for (const id of ids)
      expect(seeOnPlatform(stage, shop, id)).toMatchObject({ holds: 1, cancellations: 0 });
  });

  it("about several orders asks before it discards a note", async () => {
    const opened = await openBulk("bulk-note", "Decline");
    const { app, page, ask } = opened;
    const dialog = await ask();
    const note = dialog.getByLabel("Note");
    for (const leave of [() => page.keyboard.press("Escape"), () => clickOutside(opened)]) {
      await note.fill("A reseller.");
      await leave();
      await dialog.getByText(QUESTION).waitFor();
      // Escape answers the question: it goes back.
      await page.keyboard.press("Escape");
      await dialog.getByText(QUESTION).waitFor({ state: "detached" });
      expect(await note.inputValue()).toBe("A reseller.");
    }
    await clickOutside(opened);
    await dialog.getByRole("button", { name: "Discard" }).click();
    await dialog.waitFor({ state: "detached" });
    await app.getByRole("group", { name: "Selected orders" }).waitFor();
  });

  it("about several approvals approves them by Enter", async () => {
    const opened = await openBulk("bulk-enter", "Approve");
    const { app, page, ask } = opened;
    const dialog = await ask();
    await dialog.getByRole("button", { name: "Approve 2 orders" }).focus();
    await page.keyboard.press("Enter");
    await app.getByText("2 orders approved.").first().waitFor();
    await dialog.waitFor({ state: "detached" });
  });

  it("that saves the policy closes by Escape and a click outside with the draft kept, and saves by Enter", async () => {
    const shop = "save-dialog.myshopify.com";
    const opened = await stage.openEmbedded({ shop, path: "/policy" });
    const { app, page } = opened;
    await app.getByLabel("Medium risk: action").selectOption("hold");
    const dialog = app.getByRole("dialog", { name: "Save this policy?" });
    const ask = async () => {
      await app.getByRole("button", { name: "Review and save" }).click();
      await dialog.waitFor();
    };
    for (const leave of [() => page.keyboard.press("Escape"), () => clickOutside(opened)]) {
      await ask();
      await leave();
      await dialog.waitFor({ state: "detached" });
      expect(await app.getByLabel("Medium risk: action").inputValue()).toBe("hold");
    }
    const readAction = async () => {
      const { levels } = (await stage.get(shop, "api/policy")).body as {
        readonly levels: { readonly medium: { readonly action: string } };
      };
      return levels.medium.action;
    };
    expect(await readAction()).not.toBe("hold");
    await ask();
    const save = dialog.getByRole("button", { name: "Save", exact: true });
    await expect.poll(() => save.evaluate((one) => one === document.activeElement), SOON).toBe(true);
    // Once the replay is there.
    await expect.poll(() => save.getAttribute("aria-disabled"), SOON).toBeNull();
    await page.keyboard.press("Enter");
    await app.getByText("Policy saved.").waitFor();
    expect(await readAction()).toBe("hold");
  });
});
