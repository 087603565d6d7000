import { createHash } from "node:crypto";
import type { Request, RequestHandler } from "express";
import { FAVICON_SVG } from "./favicon.ts";
import { WEB_JS } from "./web-script.ts";
import { WEB_CSS } from "./web-style.ts";

/** Paths of the console page's own files. */
export const ASSET_PATHS = {
  script: "/assets/console.js",
  style: "/assets/console.css",
  icon: "/assets/favicon.svg",
} as const;

/** Handlers of the console's own files, by path. Browsers that ignore the page's icon link ask for `/favicon.ico`. */
export function createAssets(): ReadonlyMap<string, RequestHandler> {
  const icon = serve("image/svg+xml", FAVICON_SVG);
  return new Map([
    [ASSET_PATHS.script, serve("text/javascript; charset=utf-8", WEB_JS)],
    [ASSET_PATHS.style, serve("text/css; charset=utf-8", WEB_CSS)],
    [ASSET_PATHS.icon, icon],
    ["/favicon.ico", icon],
  ]);
}

function serve(contentType: string, text: string): RequestHandler {
  const body = Buffer.from(text);
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  return (req, res) => {
    // Asked again each time: a page and a script of two releases must not meet, and 304 costs little.
    res.setHeader("Cache-Control", "no-cache");
    res.setHeader("ETag", etag);
    if (isKnown(req, etag)) {
      res.writeHead(304).end();
      return;
    }
    res.writeHead(200, { "Content-Type": contentType, "Content-Length": body.length });
    res.end(body);
  };
}

function isKnown(req: Request, etag: string): boolean {
  // A proxy that compresses makes the tag a weak one.
  const tags = (req.headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag);
}
