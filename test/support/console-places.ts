import type { ConsolePage } from "./console-stage.ts";
import { createSay, type Say } from "./console-texts.ts";
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

/** Every view of the console, with one order opened in two of them, and its buyer. */
export function listPlaces(orderId: string): readonly string[] {
  return [
    "/queue",
    `/queue/${orderId}`,
    "/orders",
    `/orders/${orderId}`,
    `/orders/${orderId}?buyer=${orderId}`,
    "/overview",
    "/report",
    "/policy",
    "/policy/versions",
    "/policy/phantom",
    "/settings",
    "/settings/money",
    "/settings/notices",
    "/settings/people",
    "/settings/access",
    "/settings/requests",
    "/settings/setup",
    "/settings/about",
    "/nowhere",
  ];
}

/** The dialogs that can be opened without changing anything. */
export function listDialogs(
  orderId: string,
  isPhone: boolean,
  say: Say = createSay("en"),
): readonly DialogPlace[] {
  return [
    { path: `/queue/${orderId}`, opener: say("review.decline") },
    { path: `/queue/${orderId}`, opener: say("review.check-again") },
    { path: "/queue", opener: say("review.decline"), select: true },
    { path: "/queue", opener: new RegExp(`^${say("shell.signed-in-as")}`) },
    { path: "/settings/people", opener: say("settings.add-user") },
    { path: "/settings/people", opener: new RegExp(`^${say("settings.rename")} `) },
    { path: "/orders?level=high", opener: say("orders.save-view") },
    isPhone
      ? { path: "/orders?level=high", opener: say("orders.filters", { count: 1 }) }
      : // Phones have no keys to press.
        { path: "/queue", opener: say("shell.keyboard-shortcuts") },
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
    if (select === true) await app.locator("td input[type='checkbox']").first().check();
    await app.getByRole("button", { name: opener }).filter({ visible: true }).first().click();
    await app.getByRole("dialog").waitFor();
    await look(`${path}, ${opener}`);
    await page.keyboard.press("Escape");
    await app.getByRole("dialog").waitFor({ state: "detached" });
  }
}

/** What makes the page wider than its window. */
export function findWide({ app }: ConsolePage, where: string): Promise<readonly string[]> {
  return app.evaluate((place) => {
    const width = document.scrollingElement?.scrollWidth ?? 0;
    if (width <= innerWidth) return [];
    const widest = [...document.querySelectorAll("body *")]
      .filter((one) => one.getBoundingClientRect().right > innerWidth && one.closest(".scroll-x") === null)
      .slice(0, 3)
      .map((one) => `${one.tagName.toLowerCase()}.${one.getAttribute("class") ?? ""}`);
    return [`${place}: ${width} px (${widest.join(", ")})`];
  }, where);
}

/** Texts of the page that are cut, or that leave what is around them. Names may be cut at their end. */
export function findCut({ app }: ConsolePage, where: string): Promise<readonly string[]> {
  return app.evaluate((place) => {
    // Chromium trims a closing bracket at the end of a line, but counts its whole width as overflow.
    document.documentElement.style.setProperty("text-spacing-trim", "space-all");
    const MAY_BE_CUT = ".clip, .unseen, .scroll-x, .save-bar, svg, textarea, thead";
    const isCut = (one: Element): boolean => {
      const style = getComputedStyle(one);
      if (!(one instanceof HTMLSelectElement))
        return style.display !== "inline" && one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
      const canvas = document.createElement("canvas").getContext("2d");
      if (canvas === null) return false;
      canvas.font = style.font;
      const arrow = 18;
      const around = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight) + arrow;
      return canvas.measureText(one.selectedOptions[0]?.text ?? "").width > one.clientWidth - around;
    };
    return [...document.querySelectorAll("body *")]
      .filter((one) => one.checkVisibility() && one.closest(MAY_BE_CUT) === null && isCut(one))
      .map((one) => {
        const text = one instanceof HTMLSelectElement ? one.selectedOptions[0]?.text : one.textContent;
        return `${place}: ${one.tagName.toLowerCase()} "${text?.trim().slice(0, 40)}"`;
      });
  }, where);
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
