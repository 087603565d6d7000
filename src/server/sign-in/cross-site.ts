import type { IncomingMessage } from "node:http";

type Asked = Pick<IncomingMessage, "headers" | "method">;

/** Methods that change nothing. */
const SAFE_METHODS: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);

/**
 * Why a call with a session cookie may not come from the console, or null. A browser sends the cookie no matter who
 * made it call, so a call that changes something has to carry a header that no other site can add without being asked
 * for, and must not come from another site according to the browser.
 */
export function findCookieObjection(req: Asked): string | null {
  if (SAFE_METHODS.has(req.method)) {
    return req.headers["sec-fetch-site"] === "cross-site" ? FOREIGN : null;
  }
  if (req.headers["x-holdfast"] !== "1") {
    return "Requests with a session cookie that change something need the header X-Holdfast: 1.";
  }
  return findOriginObjection(req);
}

/** Why a changing call comes from another site according to the browser, or null. Null, too, when the browser doesn't say. */
export function findOriginObjection({ headers }: Asked): string | null {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return FOREIGN;
  const { origin } = headers;
  return origin !== undefined && !isOwnHost(origin, headers.host) ? FOREIGN : null;
}

const FOREIGN = "This request comes from another site.";

/** Whether the page is on the host that was asked. What a proxy adds about hosts (X-Forwarded-*) anybody can send. */
function isOwnHost(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  // Its own origin: `null`, `file:` and addresses with more than an origin are none of ours.
  if (url.origin !== origin.toLowerCase() || !/^https?:$/.test(url.protocol)) return false;
  const asked = `${url.protocol}//${host}`;
  return URL.canParse(asked) && new URL(asked).host === url.host;
}

/** Whether the page that calls was loaded over https, according to the browser. */
export function isFromHttpsPage({ headers }: Pick<Asked, "headers">): boolean {
  return headers.origin?.toLowerCase().startsWith("https://") ?? false;
}
