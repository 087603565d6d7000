import { isbot } from "isbot";
import type { OrderFacts } from "../facts/order-facts.ts";
import type { EvidenceGroup, Observation } from "./signal.ts";
import { say } from "./sentence.ts";
import { LAST_ON_OLD_WINDOWS, NEWEST_BROWSERS } from "../tables/data-sources.ts";

/** Automation tools that the list of crawlers may lack. */
const AUTOMATION = /headless|phantomjs|selenium|webdriver|puppeteer|playwright|cypress/i;
const HAS_PRODUCT = /[a-z][\w.-]*\/v?\d/i;
const PRINTABLE_ASCII = /^[\u0020-\u007e]+$/;
/** Windows 2000 to 8.1, which get no security updates. */
const OLD_WINDOWS = /windows nt (?:5\.\d|6\.[0-3])/i;
const ANCIENT_BROWSER = /\bmsie (?:[1-9]|10)\.|windows (?:95|98|me|ce)\b/i;
const YEAR_MS = 365.25 * 86_400_000;
/** A year and three quarters without an update. */
const OLD_MAJORS = 24;
/** Test channels are a few major versions ahead, and releases may become more frequent. */
const FUTURE_MAJORS = 12;

/** A product with its version, in printable ASCII (RFC 9110, section 10.1.5). */
function isWellFormed(userAgent: string): boolean {
  return PRINTABLE_ASCII.test(userAgent) && HAS_PRODUCT.test(userAgent);
}

interface DesktopBrowser {
  readonly name: keyof typeof NEWEST_BROWSERS.major;
  readonly major: number;
  /** How many major versions it was behind when the order was placed; negative for an unreleased one. */
  readonly behind: number;
}

/** The desktop browser in a user agent. Phones are left out, because their browsers can't always be updated. */
function toDesktopBrowser({ userAgent = "", nowMs }: OrderFacts): DesktopBrowser | undefined {
  if (/mobile|android|iphone|ipad/i.test(userAgent)) return undefined;
  const [, product = "", version = ""] = /\b(chrome|firefox)\/(\d{1,4})\./i.exec(userAgent) ?? [];
  const name = product.toLowerCase();
  if (name !== "chrome" && name !== "firefox") return undefined;
  const { asOf, perYear, major: newest } = NEWEST_BROWSERS;
  const released = newest[name] + ((nowMs - Date.parse(asOf)) / YEAR_MS) * perYear;
  return { name, major: Number(version), behind: released - Number(version) };
}

/** Operating systems that can't appear together in a user agent, except in phones that name another one for compatibility. */
function contradictsItself(facts: OrderFacts): boolean {
  const { userAgent = "" } = facts;
  if (/windows phone/i.test(userAgent)) return false;
  const isIPhone = /\(iphone|\(ipad/i.test(userAgent);
  const isWindows = /windows nt/i.test(userAgent);
  const isMac = /\(macintosh/i.test(userAgent);
  const isAndroid = /; ?android \d|\(android/i.test(userAgent);
  if ([isIPhone, isWindows, isMac, isAndroid].filter(Boolean).length > 1) return true;
  const browser = toDesktopBrowser(facts);
  if (browser === undefined) return false;
  return (
    browser.behind < -FUTURE_MAJORS ||
    (OLD_WINDOWS.test(userAgent) && browser.major > LAST_ON_OLD_WINDOWS[browser.name])
  );
}

function observeOld(facts: OrderFacts): Observation | null {
  const { userAgent = "", timeKnown } = facts;
  if (ANCIENT_BROWSER.test(userAgent)) {
    return { points: 8, says: say("The browser or operating system is more than a decade old.") };
  }
  if (contradictsItself(facts)) return null;
  if (OLD_WINDOWS.test(userAgent)) {
    return { points: 4, says: say("The computer runs a Windows version without security updates.") };
  }
  const browser = timeKnown ? toDesktopBrowser(facts) : undefined;
  return browser !== undefined && browser.behind >= OLD_MAJORS
    ? {
        points: 4,
        says: say("The browser ({name} {version}) is about {releases} releases old.", {
          name: browser.name,
          version: browser.major,
          releases: Math.floor(browser.behind),
        }),
      }
    : null;
}

/**
 * Whether a script or an automated browser placed the order. A malformed user agent has its own signal, although the list of
 * crawlers would match it too.
 */
export function isAutomated({ userAgent }: OrderFacts): boolean {
  return (
    userAgent !== undefined && isWellFormed(userAgent) && (AUTOMATION.test(userAgent) || isbot(userAgent))
  );
}

export const USER_AGENT_SIGNALS: EvidenceGroup = {
  name: "userAgent",
  isKnown: ({ userAgent }) => userAgent !== undefined,
  limitation: "The customer's browser is not known.",
  signals: [
    {
      code: "UA_BOT",
      category: "technical",
      title: "Automated client",
      voidsTrust: true,
      observe: (facts) =>
        isAutomated(facts)
          ? {
              points: 30,
              says: say(
                "The user agent belongs to a script or an automated browser, which nobody shops with by hand.",
              ),
            }
          : null,
    },
    {
      code: "UA_EMPTY",
      category: "technical",
      title: "Empty user agent",
      observe: ({ userAgent }) =>
        userAgent === "" ? { points: 6, says: say("The client sent an empty user agent.") } : null,
    },
    {
      code: "UA_MALFORMED",
      category: "technical",
      title: "Malformed user agent",
      observe: ({ userAgent }) =>
        userAgent !== undefined && userAgent !== "" && !isWellFormed(userAgent)
          ? { points: 8, says: say("The user agent doesn't have the format that browsers use.") }
          : null,
    },
    {
      code: "UA_INCONSISTENT",
      category: "technical",
      title: "Contradictory user agent",
      observe: (facts) =>
        contradictsItself(facts)
          ? {
              points: 8,
              says: say("The user agent names a browser that doesn't exist on this operating system."),
            }
          : null,
    },
    { code: "UA_OLD", category: "technical", title: "Outdated browser", observe: observeOld },
  ],
};
