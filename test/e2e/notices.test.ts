import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Frame, Page } from "playwright-core";
import { startMailServer } from "../alerts/mail-server.ts";
import { isBrowserMissing } from "../support/browser.ts";
import { createConsoleStage, SOON, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

const SHOP = "notices.myshopify.com";

type Recording = { readonly shownNotifications: Notification[] };

/** Remember the notifications that a page shows. */
async function recordNotifications(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shown: Notification[] = [];
    class Recorded extends Notification {
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        shown.push(this);
      }
    }
    Object.assign(globalThis, { Notification: Recorded, shownNotifications: shown });
  });
}

const readShown = (app: Frame) =>
  app.evaluate(() =>
    (globalThis as unknown as Recording).shownNotifications.map(({ title, body }) => `${title} | ${body}`),
  );

/** Click on the newest notification, which the browser shows outside the page. */
const clickNewest = (app: Frame) =>
  app.evaluate(() =>
    (globalThis as unknown as Recording).shownNotifications.at(-1)?.dispatchEvent(new Event("click")),
  );

/** As if another tab or window were in front. */
const hide = (app: Frame) =>
  app.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });

describe.skipIf(isBrowserMissing())("a person's notices", () => {
  let stage: ConsoleStage;

  beforeAll(async () => {
    stage = await createConsoleStage();
  });
  afterAll(() => stage.close());

  /** Somebody with a token of the shop, on the page of their notices. */
  async function open({ isAllowed = true } = {}) {
    await stage.admit(SHOP);
    const { body } = await stage.send(SHOP, "POST", "api/people", {
      body: { name: "Ada Moss", role: "reviewer" },
    });
    const { token } = body as { token: string };
    const opened = await stage.signIn({ token });
    if (isAllowed)
      await opened.page.context().grantPermissions(["notifications"], { origin: stage.url().origin });
    await recordNotifications(opened.page);
    await opened.page.reload();
    await opened.goTo("/settings/notices");
    return opened;
  }

  it("refuses a webhook that isn't public, beside its field", async () => {
    const opened = await open();
    const { app } = opened;
    opened.expectProblem(/422/);
    const url = app.getByRole("textbox", { name: "Webhook URL" });
    await url.fill("https://127.0.0.1/hook");
    await app.getByRole("button", { name: "Save notices" }).click();

    await app.getByText("Expected a public https URL without credentials or fragment.").waitFor();
    expect(await url.getAttribute("aria-invalid")).toBe("true");
    expect(await app.getByText("This installation has no mail server").count()).toBe(1);
    expect(await app.getByRole("checkbox", { name: /^Email/ }).count()).toBe(0);
  });

  it("says what happened to a test, and that the address is saved without showing it", async () => {
    const { app } = await open();
    await app
      .getByRole("textbox", { name: "Webhook URL" })
      .fill("https://hooks.invalid/services/T0/B0/s3cret");
    await app.getByRole("checkbox", { name: "Webhook: An order is held for review" }).check();
    await app.getByRole("button", { name: "Save notices" }).click();

    await app.getByText("Saved: hooks.invalid/…cret.").waitFor();
    expect(
      await app.getByRole("checkbox", { name: "Webhook: An order is held for review" }).isChecked(),
    ).toBe(true);
    await app.getByRole("button", { name: "Send a test to the webhook" }).click();
    await app.getByText("The test couldn't be sent").waitFor();
    expect(await app.getByText("s3cret").count()).toBe(0);
  });

  it("are notifications of the browser, also in the background, which lead to the order", async () => {
    const { app, page } = await open();
    await app.getByRole("button", { name: "Show a test notification" }).click();
    await expect.poll(() => readShown(app), SOON).toEqual(["Holdfast test | Your notices arrive here."]);
    await app.getByRole("checkbox", { name: "Browser: An order is held for review" }).check();
    await app.getByRole("button", { name: "Save notices" }).click();
    await app.getByText("Notices saved.").waitFor();

    await hide(app);
    const [id = ""] = await placeOrders(stage, SHOP, [{ number: 1, as: "high", amount: 899 }]);
    // Notices of the same event wait for each other.
    await expect
      .poll(() => readShown(app), { ...SOON, timeout: 45_000 })
      .toContainEqual(expect.stringMatching(/^Held for review: order #\S+ \| .*899/));
    await clickNewest(app);
    await page.waitForURL(`**/orders/${id}`);
  });

  it("say that the browser blocks them, and stay off", async () => {
    // A browser without a window refuses by itself.
    const { app } = await open({ isAllowed: false });
    const choice = app.getByRole("checkbox", { name: "Browser: An order is held for review" });
    await choice.click();
    await app.getByText("Your browser blocks notifications from this site.").waitFor();
    await expect.poll(() => choice.isChecked(), SOON).toBe(false);
  });

  it("aren't offered inside the platform's admin, which says why", async () => {
    const { app } = await stage.openEmbedded({ shop: SHOP, path: "/settings/notices" });
    await app.getByText("Browsers don't allow notifications inside another site's page.").waitFor();
    expect(await app.getByRole("checkbox", { name: /^Browser/ }).count()).toBe(0);
  });
});

describe.skipIf(isBrowserMissing())("a new email address", () => {
  it("gets no notices until the person enters the code from a mail to it", async () => {
    const mail = await startMailServer();
    const stage = await createConsoleStage(() => ({
      SMTP_URL: `smtp://alerts:right@localhost:${mail.port}`,
      ALERT_EMAIL_FROM: "holdfast@shop.example",
      ALERT_EMAIL_TO: "operator@shop.example",
    }));
    onTestFinished(() => stage.close());
    const opened = await stage.signIn();
    const { app } = opened;
    await opened.goTo("/settings/notices");

    await app.getByRole("textbox", { name: "Your email address" }).fill("ann@shop.example");
    await app.getByRole("button", { name: "Save notices" }).click();
    await app.getByText("Confirm this address").waitFor();
    await app.getByRole("button", { name: "Send the code by email" }).click();
    await app.getByText("Code sent.").waitFor();
    const [, code = ""] = /Your code is (\d{8})/.exec(mail.mails.at(-1)?.raw ?? "") ?? [];
    await app.getByRole("textbox", { name: "Code from the email" }).fill(code);
    await app.getByRole("button", { name: "Save notices" }).click();

    await app.getByRole("button", { name: "Send a test email" }).waitFor();
    expect(await app.getByText("Confirm this address").count()).toBe(0);
  });
});
