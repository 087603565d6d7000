import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { isBrowserMissing } from "../support/browser.ts";
import { PHONE } from "../support/console-places.ts";
import { createConsoleStage, waitUntilLoaded, type ConsoleStage } from "../support/console-stage.ts";

const SCREENS = [
  { colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { colorScheme: "dark", viewport: PHONE },
] as const;

const withOtherServices = ({ VERIFY_URL = "" }: Readonly<Record<string, string>>) => ({
  CATALOG_URL: VERIFY_URL,
  MANAGEMENT_URL: VERIFY_URL,
  MANAGEMENT_TOKEN: SANDBOX_API_KEY,
});

describe.skipIf(isBrowserMissing())("the catalog and the workspace in the console", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage(withOtherServices);
  });
  afterAll(() => stage.close());

  it.each(SCREENS)("takes a shop's own key, and removes it ($viewport.width wide)", async (screen) => {
    const opened = await stage.signIn({
      ...screen,
      withAxe: true,
      reducedMotion: "reduce",
      path: "/settings",
    });
    // The browser logs the answer to a refused key.
    opened.expectProblem(/422 \(Unprocessable/);
    const { app, page } = opened;
    const panel = app.locator("section", {
      has: app.getByRole("heading", { name: "Catalog", exact: true }),
    });
    const save = panel.getByRole("button", { name: "Test and save" });
    await panel.getByText("None: orders are decided without the catalog").waitFor();
    expect(await opened.findFaults()).toEqual([]);

    await panel.getByLabel("Catalog key").fill("a-key-of-nobody");
    await save.click();
    await panel.getByText("rejected this key").waitFor();
    expect(await panel.getByLabel("Catalog key").inputValue()).toBe("a-key-of-nobody");
    expect(await opened.findFaults()).toEqual([]);

    await panel.getByLabel("Catalog key").fill(SANDBOX_API_KEY);
    await save.click();
    await panel.getByText("Saved here").waitFor();
    expect(await panel.getByText("sandbox", { exact: true }).count()).toBe(1);
    expect(await panel.getByLabel("New catalog key").inputValue()).toBe("");
    // Only something wider than the screen would scroll.
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await opened.findFaults()).toEqual([]);

    await panel.getByRole("button", { name: "Remove key" }).click();
    await app.getByRole("dialog").getByRole("button", { name: "Remove key" }).click();
    await panel.getByText("None: orders are decided without the catalog").waitFor();
  });

  it.each(SCREENS)("fills in the name of a workspace's member ($viewport.width wide)", async (screen) => {
    const opened = await stage.signIn({ ...screen, withAxe: true, path: "/settings/people" });
    const { app, page } = opened;
    const dialog = app.getByRole("dialog");
    const addUser = app.getByRole("button", { name: "Add user" });
    const member = dialog.getByLabel("From your workspace");

    await addUser.click();
    await member.selectOption("Sandbox (sandbox@example.com)");
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Sandbox");
    expect(await opened.findFaults()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    await dialog.getByRole("button", { name: "Create token" }).click();
    await dialog.getByRole("button", { name: "Done" }).click();

    // People who are already here aren't offered.
    await app.getByLabel("Role for Sandbox").waitFor();
    await addUser.click();
    await dialog.getByLabel("Name").waitFor();
    await waitUntilLoaded(app);
    expect(await member.count()).toBe(0);
    await page.keyboard.press("Escape");
    const row = app.getByRole("listitem").filter({ has: app.getByLabel("Role for Sandbox") });
    await row.getByRole("button", { name: "Remove access" }).first().click();
    await dialog.getByRole("button", { name: "Remove access" }).click();
    await app.getByText("Access removed for Sandbox.").first().waitFor();
    expect(stage.log()).not.toContain("sandbox@example.com");
  });

  it("isn't offered if neither service is configured", async () => {
    const plain = await createConsoleStage();
    try {
      const { app } = await plain.signIn({ path: "/settings" });
      await app.getByRole("heading", { name: "Verification service" }).waitFor();
      await waitUntilLoaded(app);

      expect(await app.getByRole("heading", { name: "Catalog", exact: true }).count()).toBe(0);

      await app.getByRole("link", { name: "People" }).click();
      await app.getByRole("button", { name: "Add user" }).click();
      await app.getByRole("dialog").getByLabel("Name").waitFor();
      await waitUntilLoaded(app);
      expect(await app.getByLabel("From your workspace").count()).toBe(0);
    } finally {
      await plain.close();
    }
  });
});
