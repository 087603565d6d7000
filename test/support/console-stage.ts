import axe from "axe-core";
import type { Browser, BrowserContextOptions, Frame, Page, Route } from "playwright-core";
import { onTestFinished } from "vitest";
import { launchBrowser } from "./browser.ts";
import { createSay, PSEUDO, readTexts } from "./console-texts.ts";
import { CONSOLE_TOKEN, createShopifyStage, type ShopifyStage } from "./shopify-stage.ts";

/** Where Shopify's admin shows the app. */
const ADMIN = "https://admin.shopify.com";
const CDN = "https://cdn.shopify.com";
const TOKEN_BINDING = "askForEmulatedSessionToken";
const PROBLEM_BINDING = "noteProblemOfThePage";

/** How a page of the console is displayed. */
export interface ScreenOptions {
  /** Default 1280 by 800. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** How many pixels of the screen make one of the page: 2 at a zoom of 200 %. Default 1. */
  readonly deviceScaleFactor?: number;
  /** Default light. */
  readonly colorScheme?: "light" | "dark";
  /** Default: full motion. */
  readonly reducedMotion?: "reduce";
  /** The page's path in the app, such as `/orders`. Default: `/`. */
  readonly path?: string;
  /** Prepare {@link ConsolePage.findFaults}. */
  readonly withAxe?: boolean;
  /** The language, as Shopify's admin says it. Default: none, and the browser's is English. */
  readonly language?: string;
  /** The device's time zone. Default: UTC. */
  readonly timeZone?: string;
}

/** Options of {@link ConsoleStage.openEmbedded}. */
export interface EmbeddedOptions extends ScreenOptions {
  readonly shop: string;
  /** Default `7`. */
  readonly userId?: string;
  /** Shopify's CDN, whose script provides the session tokens. Default: emulated. */
  readonly cdn?: "emulated" | "blocked";
}

/** The console in a browser. */
export interface ConsolePage {
  /** The whole tab, for its keyboard and its size. */
  readonly page: Page;
  /** The app's own frame; the tab's if the console runs alone. */
  readonly app: Frame;
  /** What went wrong in the page so far: script errors, console errors, refused loads, breaches of the policy. */
  readonly problems: readonly string[];
  /** Ignore matching problems, from now on and before. */
  expectProblem(pattern: RegExp): void;
  /** Go to a view by its path, without reloading the page, and wait until it has loaded. */
  goTo(path: string): Promise<void>;
  /** Choose a view in the admin's menu, which is outside the frame. */
  chooseInMenu(view: string): Promise<void>;
  /** Enter the app's frame by keyboard, as a person without a mouse would. */
  enter(): Promise<void>;
  /** What axe-core finds wrong with the app's frame in its current state. */
  findFaults(): Promise<readonly string[]>;
}

/** The app between its emulated surroundings, and a browser. */
export interface ConsoleStage extends ShopifyStage {
  readonly browser: Browser;
  /** Open the app as Shopify's admin does, in a frame. */
  openEmbedded(options: EmbeddedOptions): Promise<ConsolePage>;
  /** Open the app on its own, signed out. */
  openStandAlone(options?: ScreenOptions): Promise<ConsolePage>;
  /** Open the app on its own and sign in through its form. Default token: the console's. */
  signIn(options?: ScreenOptions & { readonly token?: string }): Promise<ConsolePage>;
}

/** How long a browser test may wait for what the app does by itself. */
export const SOON = { timeout: 15_000, interval: 50 } as const;

/** More than twice the interval at which the page looks for news by itself. */
const WAIT_MS = 20_000;
const VIEWPORT = { width: 1280, height: 800 };

/**
 * Start the app, its surroundings and a browser. The test's file closes it.
 *
 * @param more - additional options of the app, created from its other options.
 */
export async function createConsoleStage(
  more: (environment: Environment) => Environment = () => ({}),
): Promise<ConsoleStage> {
  const [stage, browser] = await Promise.all([startStage(more), launchBrowser()]);

  async function open(options: ScreenOptions): Promise<Opened> {
    const context = await browser.newContext(toContextOptions(options));
    const page = await context.newPage();
    page.setDefaultTimeout(WAIT_MS);
    const opened = await watchPage(page, options);
    onTestFinished(async () => {
      await context.close();
      const unexpected = opened.problems.filter(
        (problem) => !opened.expected.some((pattern) => pattern.test(problem)),
      );
      if (unexpected.length > 0) throw new Error(`the page had problems:\n${unexpected.join("\n")}`);
    });
    return opened;
  }

  const consoleStage: ConsoleStage = {
    ...stage,
    browser,
    async openEmbedded(options) {
      const { shop, userId = "7", cdn = "emulated", path = "/" } = options;
      // A page whose shop gets no token in time shows that, and the browser reports the 503.
      await stage.admit(shop);
      const opened = await open(options);
      await opened.page
        .context()
        .exposeBinding(TOKEN_BINDING, () => stage.emulator.createSessionToken(shop, { userId }));
      await routeOutside(opened, { cdn, frame: toFrameAddress(stage.url(), { ...options, shop, path }) });
      await opened.page.goto(`${ADMIN}/store/${shop.split(".")[0]}/apps/holdfast`);
      const element = await opened.page.waitForSelector("iframe");
      const app = await element.contentFrame();
      if (app === null) throw new Error("the admin's frame is empty");
      await app.waitForURL((url) => url.host === stage.url().host);
      return toConsolePage(opened, app);
    },
    async openStandAlone(options = {}) {
      const opened = await open(options);
      await routeOutside(opened, { cdn: "blocked" });
      const address = new URL(options.path ?? "/", stage.url());
      if (options.language !== undefined) address.searchParams.set("locale", options.language);
      await opened.page.goto(address.href);
      return toConsolePage(opened, opened.page.mainFrame());
    },
    async signIn(options = {}) {
      const opened = await consoleStage.openStandAlone(options);
      // Nobody is signed in; the first request finds that out.
      opened.expectProblem(/401 \(Unauthorized\)/);
      const say = createSay(options.language ?? "en");
      await opened.app.getByLabel(say("shell.token")).fill(options.token ?? CONSOLE_TOKEN);
      await opened.app.getByRole("button", { name: say("shell.sign-in") }).click();
      await opened.app.getByRole("navigation", { name: say("shell.views") }).waitFor();
      return opened;
    },
    async close() {
      await browser.close();
      await stage.close();
    },
  };
  return consoleStage;
}

type Environment = ShopifyStage["environment"];

async function startStage(more: (environment: Environment) => Environment): Promise<ShopifyStage> {
  const stage = await createShopifyStage();
  await stage.start(more(stage.environment));
  return stage;
}

function toContextOptions(options: ScreenOptions): BrowserContextOptions {
  const { viewport = VIEWPORT, deviceScaleFactor = 1, colorScheme = "light", reducedMotion } = options;
  return {
    viewport: { ...viewport },
    deviceScaleFactor,
    colorScheme,
    // The admin is a public page, and the app under test is on the loopback.
    permissions: ["local-network-access"],
    locale: "en-US",
    timezoneId: options.timeZone ?? "UTC",
    ...(reducedMotion !== undefined && { reducedMotion }),
  };
}

interface Opened {
  readonly page: Page;
  readonly problems: string[];
  readonly expected: RegExp[];
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Record everything that must not happen in a page, in any of its frames. */
async function watchPage(page: Page, options: ScreenOptions): Promise<Opened> {
  const opened: Opened = { page, problems: [], expected: [] };
  const note = (text: string): void => void opened.problems.push(text);
  page.on("pageerror", (error) => note(`error: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") note(`console: ${message.text()} ${message.location().url}`);
  });
  page.on("dialog", (dialog) => {
    note(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.exposeFunction(PROBLEM_BINDING, note);
  await page.addInitScript((binding) => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const tell = (globalThis as unknown as Record<string, (text: string) => void>)[binding];
      tell?.(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
    });
  }, PROBLEM_BINDING);
  if (options.language === PSEUDO) await servePseudo(page);
  if (options.withAxe === true) await page.addInitScript({ content: axe.source });
  return opened;
}

/** The pseudo-language isn't shipped. */
async function servePseudo(page: Page): Promise<void> {
  const json = readTexts(PSEUDO);
  await page.route(`**/assets/texts/${PSEUDO}.json`, (route) => route.fulfill({ json }));
}

interface Surroundings {
  readonly cdn: "emulated" | "blocked";
  /** The content of the admin's frame. */
  readonly frame?: URL;
}

/** Answer for Shopify's own hosts, and block every other request to the network. */
async function routeOutside({ page, problems }: Opened, { cdn, frame }: Surroundings): Promise<void> {
  await page.route(
    (url) => !LOOPBACK.has(url.hostname),
    async (route: Route) => {
      const { origin, href } = new URL(route.request().url());
      if (origin === ADMIN && frame !== undefined) return route.fulfill(toAdminPage(frame));
      if (origin === CDN && cdn === "emulated") return route.fulfill(toScript(href));
      if (origin !== CDN) problems.push(`request: ${href}`);
      return route.abort("blockedbyclient");
    },
  );
}

function toFrameAddress(base: URL, { shop, path = "/", language }: EmbeddedOptions): URL {
  const host = Buffer.from(`admin.shopify.com/store/${shop.split(".")[0]}`).toString("base64");
  const address = new URL(path, base);
  const locale = language === undefined ? {} : { locale: language };
  for (const [name, value] of Object.entries({ shop, host, embedded: "1", ...locale })) {
    address.searchParams.set(name, value);
  }
  return address;
}

/** The admin, as far as the app can see it: a page with the app in a frame that fills it. */
function toAdminPage(frame: URL): Parameters<Route["fulfill"]>[0] {
  const style = "html,body{margin:0;height:100%}iframe{display:block;border:0;width:100%;height:100%}";
  const source = frame.href.replaceAll("&", "&amp;");
  return {
    contentType: "text/html; charset=utf-8",
    body: `<!doctype html><title>Admin</title><style>${style}</style><iframe title="Holdfast" src="${source}"></iframe>`,
  };
}

/** The save bar, which the admin draws above the app's frame. */
const SAVE_BAR = `{
  show: async (id) => void document.getElementById(id).style.setProperty("display", "block"),
  hide: async (id) => void document.getElementById(id)?.style.removeProperty("display"),
  leaveConfirmation: async () => void (document.documentElement.dataset.asked = "leave"),
}`;

/** App Bridge, as far as the app uses it; the other script only draws the admin's menu. */
function toScript(href: string): Parameters<Route["fulfill"]>[0] {
  const isBridge = href.endsWith("/app-bridge.js");
  return {
    contentType: "text/javascript",
    body: isBridge ? `globalThis.shopify = { idToken: () => ${TOKEN_BINDING}(), saveBar: ${SAVE_BAR} };` : "",
  };
}

function toConsolePage(opened: Opened, app: Frame): ConsolePage {
  const { page, problems, expected } = opened;
  return {
    page,
    app,
    problems,
    expectProblem: (pattern) => void expected.push(pattern),
    async goTo(path) {
      await app.evaluate(navigateTo, path);
      await waitUntilLoaded(app);
    },
    async chooseInMenu(view) {
      await app.locator(`s-app-nav [href="/${view}"]`).dispatchEvent("click");
    },
    async enter() {
      await page.keyboard.press("Tab");
      // The frame is another process: keys would still go to the page around it.
      await app.waitForFunction(() => document.hasFocus());
    },
    findFaults: () => runAxe(app),
  };
}

/** Change the address and let the page draw the new view, if only its placeholder. */
function navigateTo(path: string): Promise<void> {
  const url = new URL(path, location.origin);
  const query = new URLSearchParams(location.search);
  // What a link in the page keeps.
  for (const name of ["shop", "host", "embedded", "locale"]) {
    const value = query.get(name);
    if (value !== null) url.searchParams.set(name, value);
  }
  history.pushState(null, "", url);
  dispatchEvent(new PopStateEvent("popstate"));
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

/** Wait until no placeholder is left. */
export async function waitUntilLoaded(app: Frame): Promise<void> {
  await app.waitForFunction(() => document.querySelector(".skeleton, main [aria-busy='true']") === null);
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

async function runAxe(app: Frame): Promise<readonly string[]> {
  const { violations } = await app.evaluate(() => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResult> } };
    return axe.run({ resultTypes: ["violations"] });
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  );
}
