import type { IncomingMessage } from "node:http";
import type { RefusalCode } from "../../base/refusals.ts";

type Asked = Pick<IncomingMessage, "headers" | "method">;

/** Why a call may not come from the console. */
export type CallObjection = Extract<RefusalCode, "foreign-site" | "console-header-missing">;

/** Methods that change nothing. */
const SAFE_METHODS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);

/**
 * Why a call with a session cookie may not come from the console, or null. A browser sends the cookie whichever site makes
 * the call. So a call that changes something needs a header that other sites can't add without a preflight, and the browser
 * must not report it as coming from another site.
 */
export function findCookieObjection(req: Asked): CallObjection | null {
  if (SAFE_METHODS.has(req.method)) {
    return req.headers["sec-fetch-site"] === "cross-site" ? FOREIGN : null;
  }
  if (req.headers["x-holdfast"] !== "1") {
    return "console-header-missing";
  }
  return findOriginObjection(req);
}

/** Why the browser reports a changing call as coming from another site, or null. Also null if the browser doesn't say. */
export function findOriginObjection({ headers }: Asked): CallObjection | null {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return FOREIGN;
  const { origin } = headers;
  return origin !== undefined && !isOwnHost(origin, headers.host) ? FOREIGN : null;
}

const FOREIGN = "foreign-site";

/**
 * Whether the page is on the requested host. Headers about hosts (X-Forwarded-*) aren't used, because anybody can send them.
 */
function isOwnHost(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  // Only a plain origin can be ours, not `null`, `file:` or a longer address.
  if (url.origin !== origin.toLowerCase() || !/^https?:$/.test(url.protocol)) return false;
  const asked = `${url.protocol}//${host}`;
  return URL.canParse(asked) && new URL(asked).host === url.host;
}

/** Whether the browser says that the calling page was loaded over https. */
export function isFromHttpsPage({ headers }: Pick<Asked, "headers">): boolean {
  return headers.origin?.startsWith("https://") ?? false;
}
