import { isbot } from "isbot";
import type { EvidenceGroup } from "../signal.ts";

/** Automation that a list of crawlers may not know. */
const AUTOMATION = /headless|phantomjs|selenium|webdriver|puppeteer|playwright|cypress/i;
const HAS_PRODUCT = /[a-z][\w.-]*\/v?\d/i;
const PRINTABLE_ASCII = /^[\u0020-\u007e]+$/;

/** A product with its version, in printable ASCII (RFC 9110, section 10.1.5). */
function isWellFormed(userAgent: string): boolean {
  return PRINTABLE_ASCII.test(userAgent) && HAS_PRODUCT.test(userAgent);
}

/** What the browser says it is. */
export const USER_AGENT_SIGNALS: EvidenceGroup = {
  name: "userAgent",
  isKnown: ({ userAgent }) => userAgent !== undefined,
  limitation: "The customer's browser is not known.",
  signals: [
    {
      code: "UA_BOT",
      category: "technical",
      title: "Automated client",
      observe: ({ userAgent }) =>
        // What has no form at all is judged as that: the list of crawlers would match it too.
        userAgent !== undefined && isWellFormed(userAgent) && (AUTOMATION.test(userAgent) || isbot(userAgent))
          ? { points: 30, description: "The user agent is that of a script or an automated browser." }
          : null,
    },
    {
      code: "UA_EMPTY",
      category: "technical",
      title: "Empty user agent",
      observe: ({ userAgent }) =>
        userAgent === "" ? { points: 6, description: "The client sent an empty user agent." } : null,
    },
    {
      code: "UA_MALFORMED",
      category: "technical",
      title: "Malformed user agent",
      observe: ({ userAgent }) =>
        userAgent !== undefined && userAgent !== "" && !isWellFormed(userAgent)
          ? { points: 8, description: "The user agent does not have the form that browsers use." }
          : null,
    },
  ],
};
