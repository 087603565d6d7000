import type { Page } from "playwright-core";
import { approve } from "./interactions.ts";
import { toMadeOrder } from "./made-orders.ts";
import { waitUntilLoaded } from "./page-figures.ts";

/** How long a person's task took in the browser, from the first key to what it asks for. */
export interface TaskFigure {
  readonly what: string;
  readonly ms: number;
}

const CLEARED = 30;
/** The line that counts a list's orders: `10,000 orders · USD 3,210,114.00`. */
const COUNTED = /^[\d,]+ orders?/;

/** What somebody may know of an order, by its name in the table. */
function toKeys(number: number): readonly (readonly [what: string, typed: string])[] {
  const { request, name, amount } = toMadeOrder(number, Date.now());
  const { customerEmail, items, paymentInfo, shippingAddress, ipAddress } = request;
  const [mailbox = "", domain = ""] = customerEmail.split("@");
  const keys = [
    ["order number", name],
    ["customer", request.customerName],
    ["amount", amount.toFixed(2)],
    ["part of an email address", mailbox],
    ["domain", `@${domain}`],
    ["IP address", ipAddress],
    ["last four digits", paymentInfo?.lastFourDigits],
    ["product", items?.[0]?.name],
    ["country", shippingAddress?.country === "SG" ? "Singapore" : undefined],
    ["day", new Date(request.orderTimestamp ?? 0).toISOString().slice(0, 10)],
  ] as const;
  return keys.flatMap(([what, typed]) => (typed === undefined ? [] : [[what, typed] as const]));
}

/** Do each task once in a signed-in page. `risky` is the number of an order that has every key. */
export async function measureTasks(page: Page, url: URL, risky: number): Promise<readonly TaskFigure[]> {
  const figures: TaskFigure[] = [];
  const measure = async (what: string, run: () => Promise<unknown>): Promise<void> => {
    const begun = performance.now();
    await run();
    figures.push({ what, ms: performance.now() - begun });
  };
  await open(page, url, "orders");
  for (const [what, typed] of toKeys(risky)) {
    const all = await page.getByText(COUNTED).first().innerText();
    await measure(`find by ${what}`, () => find(page, typed, all));
    await page.getByRole("searchbox").fill("");
    await page.getByText(all, { exact: true }).first().waitFor();
    await waitUntilLoaded(page);
  }
  await open(page, url, "queue");
  await page.locator("tbody a").first().click();
  await page.getByRole("heading", { name: "Decide" }).waitFor();
  await measure(`approve ${CLEARED} orders of the queue, one after the other`, () => clear(page));
  await open(page, url, "policy");
  await measure("write a rule of three conditions, with its replay", () => writeRule(page));
  await measure("save it", () => save(page));
  return figures;
}

async function open(page: Page, url: URL, view: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(new URL(`/${view}`, url).href);
  await waitUntilLoaded(page);
}

/** Type it in one go, and wait until the list shows what was found: fewer than all orders, and at least one. */
async function find(page: Page, typed: string, all: string): Promise<void> {
  await page.getByRole("searchbox").click();
  await page.keyboard.insertText(typed);
  await page.getByText(all, { exact: true }).first().waitFor({ state: "detached" });
  await waitUntilLoaded(page);
  await page.locator("tbody a").first().waitFor();
}

async function clear(page: Page): Promise<void> {
  for (let count = 0; count < CLEARED; count += 1) await approve(page);
}

async function writeRule(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Add rule" }).click();
  const form = page.getByRole("group", { name: "Conditions" });
  await page.getByRole("textbox", { name: "Name" }).fill("Big EUR orders abroad");
  // The shop's currency isn't known here, so none is entered.
  if (!(await form.getByRole("textbox", { name: "Currency" }).isVisible()))
    await form.getByLabel("Add condition").selectOption("currency");
  await form.getByRole("textbox", { name: "Currency" }).fill("EUR,");
  await form.getByLabel("Add condition").selectOption("shippingCountryDiffers");
  await page.getByText(/^Hold orders of 500 EUR or more shipped to another country/).waitFor();
  await waitUntilLoaded(page);
}

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Review and save" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this policy?" });
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Policy saved.").first().waitFor();
}
