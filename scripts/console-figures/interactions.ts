import type { Page } from "playwright-core";
import { readSeen, waitUntilLoaded, type InteractionFigure } from "./page-figures.ts";

interface Step {
  readonly what: string;
  readonly times: number;
  /** Where it happens; not measured. */
  readonly view: string;
  /** Before the first time; not measured. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly run: (page: Page, time: number) => Promise<unknown>;
}

const openFirst = async (page: Page): Promise<void> => {
  await page.locator("tbody a").first().click();
  await page.getByRole("heading", { name: "Decide" }).waitFor();
};

/** Approve the open order by its key, and wait for the next one. */
export async function approve(page: Page): Promise<void> {
  const name = await page.locator("article h1").textContent();
  // For half a second after the page opened the order by itself, it takes no decision.
  await page.locator(".acts button[aria-keyshortcuts='a']:not([aria-disabled])").waitFor();
  await page.keyboard.press("a");
  await page.waitForFunction((old) => document.querySelector("article h1")?.textContent !== old, name);
  await page.getByRole("heading", { name: "Decide" }).waitFor();
}

/** Real clicks and keys of somebody who works through the queue and tries a policy. */
const STEPS: readonly Step[] = [
  { what: "next order in the list (j)", times: 15, view: "queue", run: (page) => page.keyboard.press("j") },
  {
    what: "select an order (x)",
    times: 5,
    view: "queue",
    prepare: (page) => page.keyboard.press("j"),
    async run(page, time) {
      await page.keyboard.press("x");
      const bar = page.getByRole("group", { name: "Selected orders" });
      await bar.waitFor({ state: time % 2 === 0 ? "attached" : "detached" });
    },
  },
  {
    what: "select all orders",
    times: 4,
    view: "queue",
    run: (page) => page.getByRole("columnheader").getByRole("checkbox").click(),
  },
  { what: "open an order", times: 1, view: "queue", run: openFirst },
  {
    what: "next order while one is open (j)",
    times: 10,
    view: "queue",
    prepare: openFirst,
    async run(page) {
      await page.keyboard.press("j");
      await page.getByRole("heading", { name: "Decide" }).waitFor();
    },
  },
  {
    what: "open and close the dialog of Decline",
    times: 5,
    view: "queue",
    prepare: openFirst,
    async run(page) {
      await page.keyboard.press("d");
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    },
  },
  {
    what: "approve, and on to the next order (a)",
    times: 5,
    view: "queue",
    prepare: openFirst,
    run: approve,
  },
  {
    what: "load more orders, up to 500",
    times: 9,
    view: "orders",
    async run(page) {
      const rows = await page.locator("tbody tr").count();
      await page.getByRole("button", { name: "Load more" }).click();
      await page.waitForFunction((known) => document.querySelectorAll("tbody tr").length > known, rows);
    },
  },
  {
    what: "type into the search",
    times: 5,
    view: "orders",
    prepare: (page) => page.getByRole("searchbox").click(),
    run: (page, time) => page.keyboard.press(String(time + 1)),
  },
  {
    what: "filter by risk",
    times: 4,
    view: "orders",
    prepare: (page) => page.getByLabel("Risk", { exact: true }).focus(),
    async run(page) {
      await page.keyboard.press("ArrowDown");
      await waitUntilLoaded(page);
    },
  },
  {
    what: "another period of the overview",
    times: 3,
    view: "overview",
    async run(page, time) {
      await page.getByText(["7 days", "90 days", "30 days"][time] ?? "", { exact: true }).click();
      await waitUntilLoaded(page);
    },
  },
  {
    what: "change the policy, which replays it",
    times: 4,
    view: "policy",
    prepare: (page) => page.getByLabel("Medium risk: action").focus(),
    async run(page, time) {
      await page.keyboard.press(time % 2 === 0 ? "ArrowDown" : "ArrowUp");
      await waitUntilLoaded(page);
    },
  },
  {
    what: "go from view to view",
    times: 6,
    view: "queue",
    async run(page, time) {
      const name = ["Orders", "Overview", "Report", "Policy", "Settings", "Queue"][time] ?? "Queue";
      await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name }).click();
      await waitUntilLoaded(page);
    },
  },
];

/** Do all of it in a signed-in page, and return the longest time of each kind of input. */
export async function measureInteractions(page: Page, url: URL): Promise<readonly InteractionFigure[]> {
  const figures: InteractionFigure[] = [];
  for (const { what, times, view, prepare, run } of STEPS) {
    await page.goto("about:blank");
    await page.goto(new URL(`/${view}`, url).href);
    await waitUntilLoaded(page);
    await prepare?.(page);
    const before = (await readSeen(page)).events.length;
    for (let time = 0; time < times; time += 1) await run(page, time);
    const { events } = await readSeen(page);
    const worstMs = Math.max(0, ...events.slice(before).map(({ durationMs }) => durationMs));
    figures.push({ what, worstMs, times });
  }
  return figures;
}
