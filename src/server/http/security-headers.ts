import type { ServerResponse } from "node:http";
import type { PlatformPage } from "../../platform/platform.ts";
import { NO_PAGE_POLICY } from "./responses.ts";

/** One year, as browsers' preload lists require. Without subdomains, because we can't decide for them. */
const HSTS = "max-age=31536000";

export type SecurityHeaders = (res: ServerResponse) => void;

/**
 * Create the {@link SecurityHeaders} of every response except a webhook's receipt. A page may replace the policy and, if a
 * platform embeds it, remove `X-Frame-Options`, which can't list allowed ancestors.
 *
 * @param options.https - Whether people reach the app over https. Default false: no HSTS, which would lock out a plain-http
 * console.
 */
export function createSecurityHeaders(options: { readonly https?: boolean | undefined }): SecurityHeaders {
  return (res) => {
    res.setHeader("X-Content-Type-Options", "nosniff");
    res.setHeader("Referrer-Policy", "no-referrer");
    res.setHeader("X-Frame-Options", "DENY");
    res.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    res.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    res.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
    res.setHeader("Content-Security-Policy", NO_PAGE_POLICY);
    if (options.https === true) res.setHeader("Strict-Transport-Security", HSTS);
  };
}

/** What a page may load and who may embed it: nobody, if there are no ancestors. */
type PagePolicy = Pick<PlatformPage, "scriptSources" | "connectSources" | "frameAncestors">;

/** An https origin, optionally with a wildcard host label: the only shape of source a platform may add. */
const ORIGIN = /^https:\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/i;

/**
 * The sources that are https origins (a path is allowed behind them for scripts); the others are dropped, since a space or
 * semicolon in one would rewrite the policy.
 */
export function toSafeSources(sources: readonly string[]): readonly string[] {
  return sources.filter((source) => {
    const [, origin = "", path = ""] = /^(https:\/\/[^/]*)(.*)$/is.exec(source) ?? [];
    return ORIGIN.test(origin) && /^[\w./~-]*$/.test(path);
  });
}

/** The `Content-Security-Policy` of the console page: own files and the platform's scripts, nothing inline. */
export function toPageContentPolicy(policy: PagePolicy): string {
  const ancestors = toSafeSources(policy.frameAncestors);
  return [
    "default-src 'none'",
    ["script-src 'self'", ...toSafeSources(policy.scriptSources)].join(" "),
    "style-src 'self'",
    ["connect-src 'self'", ...toSafeSources(policy.connectSources ?? [])].join(" "),
    // `blob:` for pictures from buyers, which the page has loaded itself.
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(" ")}`,
  ].join("; ");
}
