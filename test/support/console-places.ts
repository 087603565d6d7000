import type { ConsolePage } from "./console-stage.ts";
import { placeOrders } from "./placed-orders.ts";
import type { ShopifyStage } from "./shopify-stage.ts";

/** A dialog of the console and where it is opened. */
export interface DialogPlace {
  readonly path: string;
  readonly opener: string | RegExp;
  /** Select an order first. */
  readonly select?: true;
}

/** The narrowest screen that the console has to fit. */
export const PHONE = { width: 360, height: 740 };

const LONG = "Extraordinarily long product names do exist ".repeat(4);

/** Every view of the console, with one order opened in two of them. */
export function listPlaces(orderId: string): readonly string[] {
  return [
    "/queue",
    `/queue/${orderId}`,
    "/orders",
    `/orders/${orderId}`,
    "/overview",
    "/report",
    "/policy",
    "/policy/versions",
    "/policy/phantom",
    "/settings",
    "/settings/people",
    "/settings/access",
    "/settings/requests",
    "/settings/setup",
    "/settings/about",
    "/nowhere",
  ];
}

/** The dialogs that can be opened without changing anything. */
export function listDialogs(orderId: string, isPhone: boolean): readonly DialogPlace[] {
  return [
    { path: `/queue/${orderId}`, opener: "Decline" },
    { path: `/queue/${orderId}`, opener: "Check again" },
    { path: "/queue", opener: "Decline", select: true },
    { path: "/queue", opener: /Signed in as/ },
    { path: "/settings/people", opener: "Add user" },
    // Phones have no keys to press.
    ...(isPhone ? [] : [{ path: "/queue", opener: "Keyboard shortcuts" }]),
  ];
}

/** Open each of the dialogs, look at it, and close it. */
export async function lookAtDialogs(
  opened: ConsolePage,
  places: readonly DialogPlace[],
  look: (place: string) => Promise<void>,
): Promise<void> {
  const { app, page } = opened;
  for (const { path, opener, select } of places) {
    await opened.goTo(path);
    if (select === true)
      await app
        .getByRole("checkbox", { name: /^Select #/ })
        .first()
        .check();
    await app.getByRole("button", { name: opener }).filter({ visible: true }).first().click();
    await app.getByRole("dialog").waitFor();
    await look(`${path}, ${opener}`);
    await page.keyboard.press("Escape");
    await app.getByRole("dialog").waitFor({ state: "detached" });
  }
}

/** Fill a shop with something for every view, some of it long. Returns the id of an order that waits for a person. */
export async function fillShop(stage: ShopifyStage, shop: string): Promise<string> {
  const items = [
    { name: LONG, title: LONG, quantity: 2, price: "40.00", sku: "A".repeat(60), gift_card: false },
  ];
  const [orderId = ""] = await placeOrders(stage, shop, [
    { number: 1, as: "high", amount: 123_456.78, payload: { line_items: items } },
    { number: 2, as: "high", amount: 12 },
    { number: 3, as: "medium" },
    { number: 4, as: "low" },
    { number: 5, as: "critical", amount: 900 },
    { number: 6, as: "error-500", amount: 77 },
  ]);
  const policy = (await stage.get(shop, "api/policy")).body as object;
  const rules = [
    { name: `Rule of ${LONG}`.slice(0, 100), when: { minAmount: 5_000 }, then: { action: "hold" } },
  ];
  await stage.send(shop, "PUT", "api/policy", { body: { ...policy, rules } });
  const note = `${"W".repeat(200)} noted`;
  await stage.send(shop, "POST", `api/orders/${orderId}/note`, { body: { note } });
  return orderId;
}
