import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

/** Where Chromium is found: what the environment names, then where Debian and others put it. */
const PLACES = [
  process.env["CHROMIUM_PATH"] ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const FLAGS = [
  // Tests may run as root, as in a container, where the sandbox does not work; they load nothing but our own pages.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Whether tests in a browser are left out: this machine has no browser, and none is required.
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
