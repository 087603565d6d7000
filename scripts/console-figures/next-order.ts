import type { Page } from "playwright-core";
import { percentile } from "../../bench/figure.ts";
import { waitUntilLoaded } from "./page-figures.ts";

/** How long it takes from `j` until the next order's verdict is painted. */
export interface NextOrderFigure {
  readonly orders: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Somebody looks at an order at least this long. By then the page has loaded the next one ahead. */
const LOOK_MS = 500;

/** Open the first order of the queue, and go on from order to order. */
export async function measureNextOrder(page: Page, url: URL, orders: number): Promise<NextOrderFigure> {
  await page.goto(new URL("/queue", url).href);
  await waitUntilLoaded(page);
  await page.locator("tbody a").first().click();
  await page.locator("#verdict").waitFor();
  const times: number[] = [];
  for (let index = 0; index < orders; index += 1) {
    await page.waitForTimeout(LOOK_MS);
    const [ms] = await Promise.all([timeNext(page), pressNext(page)]);
    times.push(ms);
  }
  return { orders, p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95) };
}

async function pressNext(page: Page): Promise<void> {
  // The page listens by then.
  await page.waitForFunction(() => document.documentElement.dataset["timing"] === "on");
  await page.keyboard.press("j");
}

/** From the key's own time to the end of the frame that shows another order with its verdict. */
function timeNext(page: Page): Promise<number> {
  return page
    .evaluate(
      () =>
        new Promise<number>((resolve) => {
          const read = () => document.querySelector("article h1")?.textContent;
          const before = read();
          let pressedAt = 0;
          const watch = new MutationObserver(() => {
            if (pressedAt === 0 || read() === before || document.querySelector("#verdict") === null) return;
            watch.disconnect();
            requestAnimationFrame(() => {
              const { port1, port2 } = new MessageChannel();
              port1.addEventListener("message", () => resolve(performance.now() - pressedAt));
              port1.start();
              port2.postMessage(null);
            });
          });
          watch.observe(document.body, { subtree: true, childList: true, characterData: true });
          const options = { capture: true, once: true };
          document.addEventListener("keydown", ({ timeStamp }) => (pressedAt = timeStamp), options);
          document.documentElement.dataset["timing"] = "on";
        }),
    )
    .finally(() => page.evaluate(() => delete document.documentElement.dataset["timing"]));
}
