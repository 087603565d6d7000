import type { RequestHandler, Response } from "express";
import { refusalOf } from "../../base/refusals.ts";
import type { Platform, PlatformPage } from "../../platform/platform.ts";
import { sendProblem, sendText } from "../http/responses.ts";
import { toQuery } from "../http/query.ts";
import { toPageContentPolicy, toSafeSources } from "../http/security-headers.ts";

/** Query parameters by name, each given once. */
export type PageQuery = Readonly<Record<string, string | undefined>>;

/** A repeated parameter is left out, because it isn't known which value counts. */
export function toPageQuery(req: Parameters<typeof toQuery>[0]): PageQuery {
  const query = toQuery(req);
  const names = [...new Set(query.keys())];
  return Object.fromEntries(
    names.flatMap((name) => {
      const values = query.getAll(name);
      return values.length === 1 ? [[name, values[0]]] : [];
    }),
  );
}

/** The page of the platform that a request comes from, if a platform recognizes it and says who may embed it. */
export function findPlatformPage(platforms: readonly Platform[], query: PageQuery): PlatformPage | null {
  for (const platform of platforms) {
    const page = platform.page(query);
    if (isEmbeddable(page)) return page;
  }
  return null;
}

/** The https address for a visitor who bypassed the platform; null to show the console's page. */
export function findEntrance(platforms: readonly Platform[], query: PageQuery, path: string): string | null {
  for (const platform of platforms) {
    const address = platform.entrance?.(query, path) ?? null;
    if (address !== null && URL.canParse(address) && new URL(address).protocol === "https:") return address;
  }
  return null;
}

/**
 * Send a page that `page`'s platform may embed and load scripts into. Null: no embedding, and only our own script is loaded.
 */
export function sendPage(res: Response, page: PlatformPage | null, text: string): void {
  const policy = toPageContentPolicy(page ?? { scriptSources: [], frameAncestors: [] });
  res.setHeader("Content-Security-Policy", policy);
  if (page !== null) {
    res.removeHeader("X-Frame-Options");
    // A platform may open windows from inside its frame.
    res.removeHeader("Cross-Origin-Opener-Policy");
  }
  sendText(res, "text/html; charset=utf-8", text);
}

/** Handlers of the platforms' own sign-in pages, by path. They contain only the platform's script. */
export function createSignInPages(platforms: readonly Platform[]): ReadonlyMap<string, RequestHandler> {
  const pages = platforms.flatMap(({ signInPages }) => [...(signInPages ?? [])]);
  return new Map(pages.map(([path, toPage]) => [path, createSignInPage(toPage)]));
}

function createSignInPage(toPage: (query: PageQuery) => PlatformPage | null): RequestHandler {
  return (req, res) => {
    const page = toPage(toPageQuery(req));
    if (!isEmbeddable(page)) {
      sendProblem(res, refusalOf(400, "not-in-admin"));
      return;
    }
    sendPage(res, page, renderSignInPage(page));
  };
}

function isEmbeddable(page: PlatformPage | null): page is PlatformPage {
  return page !== null && toSafeSources(page.frameAncestors).length > 0;
}

function renderSignInPage({ head }: PlatformPage): string {
  return `<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${head}
        <title>Holdfast</title>
        <meta name="robots" content="noindex" />
      </head>
      <body>
        <p>Signing in…</p>
        <noscript><p>Turn on JavaScript to sign in.</p></noscript>
      </body>
    </html> `;
}
