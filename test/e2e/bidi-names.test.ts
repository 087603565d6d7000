import type { Frame } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isBrowserMissing } from "../support/browser.ts";
import { waitUntilLoaded, createConsoleStage, type ConsoleStage } from "../support/console-stage.ts";
import { placeOrders } from "../support/placed-orders.ts";

const SHOP = "bidi.myshopify.com";
/** Right-to-left override: what follows is read backwards. */
const OVERRIDE = "\u202E";

describe.skipIf(isBrowserMissing())("names with bidirectional controls", () => {
  let stage: ConsoleStage;
  let orderId: string;

  beforeAll(async () => {
    stage = await createConsoleStage();
    await stage.install(SHOP);
    const billing_address = {
      first_name: "Ann",
      last_name: `Lee${OVERRIDE}`,
      company: `Acme${OVERRIDE}`,
      address1: `1 Main St${OVERRIDE}`,
      city: `Town${OVERRIDE}`,
      zip: `10115${OVERRIDE}`,
      country_code: "DE",
    };
    const line_items = [{ title: `Mug${OVERRIDE}`, sku: "SKU-1", quantity: 2, price: "60.00" }];
    const payload = { billing_address, line_items };
    [orderId = ""] = await placeOrders(stage, SHOP, [{ number: 1, as: "high", payload }]);
  });
  afterAll(() => stage.close());

  it("change the direction of nothing else in the list and on the order's page", async () => {
    const opened = await stage.openEmbedded({ shop: SHOP, path: "/orders" });
    for (const path of ["/orders", `/orders/${orderId}`]) {
      await opened.goTo(path);
      await waitUntilLoaded(opened.app);

      expect(await opened.app.locator("body").textContent()).toContain(OVERRIDE);
      expect(await findReversed(opened.app), path).toEqual([]);
    }
  });
});

/** Texts without a control that are read from right to left. */
function findReversed(app: Frame): Promise<readonly string[]> {
  return app.evaluate(() => {
    const reversed: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.nodeValue ?? "";
      const at = /[A-Za-z]{2}/.exec(text)?.index;
      if (at === undefined || /[\u202A-\u202E\u2066-\u2069]/.test(text)) continue;
      const [first, second] = [at, at + 1].map((start) => {
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, start + 1);
        return range.getBoundingClientRect();
      });
      if (first && second && second.left < first.left && second.top === first.top) reversed.push(text);
    }
    return reversed;
  });
}
