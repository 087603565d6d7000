import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

/** Where Chromium is found: the environment's path, then the usual places in Debian and elsewhere. */
const PLACES = [
  process.env["CHROMIUM_PATH"] ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const FLAGS = [
  // Tests may run as root, as in a container, where the sandbox doesn't work; they load nothing but our own pages.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Whether browser tests are skipped: this machine has no browser, and none is required.
 * `BROWSER_TESTS=required`, as CI sets it, makes them fail instead.
 */
export function isBrowserMissing(): boolean {
  return findBrowser() === undefined && process.env["BROWSER_TESTS"] !== "required";
}

/** Start a browser. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) {
    throw new Error(
      "no Chromium was found: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH",
    );
  }
  return chromium.launch({ executablePath, args: FLAGS });
}

function findBrowser(): string | undefined {
  return PLACES.find((path) => path !== "" && existsSync(path));
}
