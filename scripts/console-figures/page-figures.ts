import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { median } from "../../bench/figure.ts";

/** How a page loaded. */
export interface LoadFigures {
  readonly view: string;
  /** Largest Contentful Paint, ms; the median of the rounds. */
  readonly lcpMs: number;
  /** The slowest round. */
  readonly worstLcpMs: number;
  /** Cumulative Layout Shift; the worst of the rounds. */
  readonly cls: number;
  /** Bytes over the network by kind, headers included, with an empty cache. */
  readonly transfer: Readonly<Record<"document" | "script" | "style" | "api", number>>;
}

/** How long the page took to answer a kind of click or key. */
export interface InteractionFigure {
  readonly what: string;
  /** The slowest time from input to next paint, ms, to the nearest 8. Browsers don't report less than 16: 0 here. */
  readonly worstMs: number;
  readonly times: number;
}

interface Seen {
  lcpMs: number;
  cls: number;
  readonly events: { readonly durationMs: number }[];
}

const SETTLE_MS = 200;

/** Have the browser note paints, shifts and the time that inputs take, from the start of every page. */
export async function watchFigures(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const seen: Seen = { lcpMs: 0, cls: 0, events: [] };
    Object.assign(globalThis, { seenFigures: seen });
    type Entry = PerformanceEntry & { value: number; hadRecentInput: boolean; interactionId: number };
    const observe = (type: string, note: (entry: Entry) => void, options = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => note(entry as Entry))).observe({
        type,
        buffered: true,
        ...options,
      });
    observe("largest-contentful-paint", ({ startTime }) => (seen.lcpMs = startTime));
    observe("layout-shift", ({ value, hadRecentInput }) => {
      if (!hadRecentInput) seen.cls += value;
    });
    observe(
      "event",
      ({ duration, interactionId }) => {
        if (interactionId > 0) seen.events.push({ durationMs: duration });
      },
      { durationThreshold: 16 },
    );
  });
}

/** Slow the processor down to a phone's speed. 1 changes nothing. */
export async function slowDown(page: Page, times: number): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: times });
  return session;
}

/** What the page has recorded so far. */
export async function readSeen(page: Page): Promise<Seen> {
  await page.waitForTimeout(SETTLE_MS);
  return page.evaluate(() => (globalThis as unknown as { seenFigures: Seen }).seenFigures);
}

/** Wait until no placeholder is left. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => document.querySelector(".skeleton, main [aria-busy='true']") === null);
}

/** Options of {@link measureLoads}. */
export interface LoadOptions {
  readonly browser: Browser;
  readonly url: URL;
  readonly storageState: Awaited<ReturnType<BrowserContext["storageState"]>>;
  readonly views: readonly string[];
  readonly rounds: number;
  readonly slowness: number;
}

/** Open each view several times in a browser with an empty cache. */
export async function measureLoads(options: LoadOptions): Promise<readonly LoadFigures[]> {
  const figures: LoadFigures[] = [];
  for (const view of options.views) {
    const rounds = [];
    for (let round = 0; round < options.rounds; round += 1) rounds.push(await loadOnce(options, view));
    const lcps = rounds.map(({ lcpMs }) => lcpMs);
    figures.push({
      view,
      lcpMs: median(lcps),
      worstLcpMs: Math.max(...lcps),
      cls: Math.max(...rounds.map(({ cls }) => cls)),
      transfer: rounds[0]?.transfer ?? { document: 0, script: 0, style: 0, api: 0 },
    });
  }
  return figures;
}

async function loadOnce({ browser, url, storageState, slowness }: LoadOptions, view: string) {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 800 } });
  await watchFigures(context);
  const page = await context.newPage();
  await slowDown(page, slowness);
  await page.goto(new URL(`/${view}`, url).href);
  await waitUntilLoaded(page);
  const { lcpMs, cls } = await readSeen(page);
  const transfer = await page.evaluate(() => {
    const entries = [
      ...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource"),
    ];
    const sum = (isKind: (path: string) => boolean) =>
      entries
        .filter(({ name }) => isKind(new URL(name).pathname))
        .reduce((bytes, entry) => bytes + (entry as PerformanceResourceTiming).transferSize, 0);
    return {
      document: sum((path) => path === "/"),
      script: sum((path) => path.endsWith(".js")),
      style: sum((path) => path.endsWith(".css")),
      api: sum((path) => path.startsWith("/api/")),
    };
  });
  await context.close();
  return { lcpMs, cls, transfer };
}
