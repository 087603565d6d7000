import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";
import { isBrowserMissing } from "../support/browser.ts";
import { PHONE } from "../support/console-places.ts";
import { createConsoleStage, waitUntilLoaded, type ConsoleStage } from "../support/console-stage.ts";

const SCREENS = [
  { colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { colorScheme: "dark", viewport: PHONE },
] as const;

describe.skipIf(isBrowserMissing())("the catalog in the console", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage(({ VERIFY_URL = "" }) => ({ CATALOG_URL: VERIFY_URL }));
  });
  afterAll(() => stage.close());

  it.each(SCREENS)(
    "takes a key of the shop's own, and gives it up ($viewport.width wide)",
    async (screen) => {
      const opened = await stage.signIn({
        ...screen,
        withAxe: true,
        reducedMotion: "reduce",
        hash: "settings",
      });
      // A key that is refused is an answer that the browser notes.
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
      // Only what is wider than the screen would scroll.
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      expect(await opened.findFaults()).toEqual([]);

      await panel.getByRole("button", { name: "Remove key" }).click();
      await app.getByRole("dialog").getByRole("button", { name: "Remove key" }).click();
      await panel.getByText("None: orders are decided without the catalog").waitFor();
    },
  );

  it("isn't offered where no catalog is configured", async () => {
    const plain = await createConsoleStage();
    try {
      const { app } = await plain.signIn({ hash: "settings" });
      await app.getByRole("heading", { name: "Verification service" }).waitFor();
      await waitUntilLoaded(app);

      expect(await app.getByRole("heading", { name: "Catalog", exact: true }).count()).toBe(0);
    } finally {
      await plain.close();
    }
  });
});
