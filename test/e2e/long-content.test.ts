import type { Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { waitUntilLoaded, createConsoleStage, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

const SHOP = "jakarta.myshopify.com";
const PHONE = { width: 360, height: 800 };
/** A shop chooses the text before and after an order's number. */
const NAME = "#WHOLESALE_EUROPE_SUMMER_2026_000123_ONLINE";
const ARABIC_NAME = "محمد بن عبد الله بن عبد العزيز آل سعود الطويل جدا";

describe.skipIf(isBrowserMissing())("long names and large amounts", () => {
  let stage: ConsoleStage;
  let orderId: string;

  beforeAll(async () => {
    stage = await createConsoleStage();
    await stage.install(SHOP);
    const [first_name, ...others] = ARABIC_NAME.split(" ");
    const billing_address = { first_name, last_name: others.join(" "), country_code: "AE" };
    const payload = { currency: "IDR", presentment_currency: "IDR", name: NAME, billing_address };
    [orderId = ""] = await placeOrders(stage, SHOP, [
      { number: 1, as: "high", amount: 1_234_567_890, payload },
    ]);
  });
  afterAll(() => stage.close());

  it("keep an amount in a list on one line", async () => {
    const { app } = await stage.openEmbedded({ shop: SHOP, path: "/orders" });
    await waitUntilLoaded(app);

    expect(await countLines(app, "td.c-amount")).toBe(1);
  });

  it("cut a right-to-left name at its end", async () => {
    const { app } = await stage.openEmbedded({ shop: SHOP, path: "/orders" });
    await waitUntilLoaded(app);
    const name = app.locator("td.c-buyer").getByText(ARABIC_NAME);

    expect(await name.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
    expect(await name.evaluate(isStartVisible)).toBe(true);
  });

  it("leave room for the name of an order, and don't overflow a phone's screen", async () => {
    const opened = await stage.openEmbedded({ shop: SHOP, viewport: PHONE, path: "/orders" });
    const { app } = opened;
    await waitUntilLoaded(app);
    expect(await findWidth(app)).toBeLessThanOrEqual(PHONE.width);

    await opened.goTo(`/orders/${orderId}`);
    expect(await countLines(app, "#order-title")).toBeLessThanOrEqual(3);
    expect(await findWidth(app)).toBeLessThanOrEqual(PHONE.width);

    await opened.goTo("/report");
    const cut = await app
      .locator(".report-table tbody th")
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
    expect(cut).toBe(0);
  });

  it("leave no gap below a bar at the bottom of the admin's frame", async () => {
    const opened = await stage.openEmbedded({ shop: SHOP, viewport: PHONE });
    await opened.goTo("/policy");
    const bar = await opened.app.locator(".save-bar").boundingBox();

    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBe(PHONE.height);
  });

  it("don't make the sign-in page scroll", async () => {
    const opened = await stage.openStandAlone({ viewport: { width: 1100, height: 700 } });
    opened.expectProblem(/401 \(Unauthorized\)/);
    await opened.app.getByLabel("Token").waitFor();

    expect(await opened.app.evaluate(() => document.documentElement.scrollHeight)).toBe(700);
  });
});

/** The number of lines that a text takes. */
function countLines(app: Frame, selector: string): Promise<number> {
  return app.locator(selector).evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element.lastChild ?? element);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  });
}

function findWidth(app: Frame): Promise<number> {
  return app.evaluate(() => document.documentElement.scrollWidth);
}

/** Whether the first letter of a text is inside its element. */
function isStartVisible(element: Element): boolean {
  const range = document.createRange();
  range.setStart(element.firstChild ?? element, 0);
  range.setEnd(element.firstChild ?? element, 1);
  const [letter, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
  return letter.left >= box.left - 1 && letter.right <= box.right + 1;
}
