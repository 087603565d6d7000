import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Request, RequestHandler } from "express";
import { FAVICON_SVG } from "./favicon.ts";
import { WEB_JS } from "../generated/web-script.ts";
import { WEB_CSS } from "../generated/web-style.ts";

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
  const plain = Buffer.from(text);
  const digest = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  const versions = {
    plain: { body: plain, etag: `"${digest}"`, headers: {} },
    // Compressed once, here, since nothing may stand in front of the app that would.
    gzip: {
      body: gzipSync(plain, { level: 9 }),
      etag: `"${digest}-gzip"`,
      headers: { "Content-Encoding": "gzip" },
    },
  };
  return (req, res) => {
    const { body, etag, headers } = takesGzip(req) ? versions.gzip : versions.plain;
    // Asked again each time: a page and a script of two releases must not meet, and 304 costs little.
    res.setHeader("Cache-Control", "no-cache");
    res.setHeader("Vary", "Accept-Encoding");
    res.setHeader("ETag", etag);
    if (isKnown(req, etag)) {
      res.writeHead(304).end();
      return;
    }
    res.writeHead(200, { "Content-Type": contentType, "Content-Length": body.length, ...headers });
    res.end(body);
  };
}

/** Whether gzip is named and not refused (RFC 9110, 12.5.3). What takes anything (`*`) gets the file as it is. */
function takesGzip(req: Request): boolean {
  const codings = (req.headers["accept-encoding"] ?? "").toLowerCase().split(",");
  return codings.some((coding) => {
    const [name = "", ...parameters] = coding.split(";").map((part) => part.trim());
    return name === "gzip" && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

function isKnown(req: Request, etag: string): boolean {
  // A proxy that compresses makes the tag a weak one.
  const tags = (req.headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag);
}
