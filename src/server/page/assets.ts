import { createHash } from "node:crypto";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import type { Request, RequestHandler } from "express";
import { WEB_JS_BROTLI } from "../generated/web-script.ts";
import { WEB_CSS } from "../generated/web-style.ts";
import { WEB_TEXTS_BROTLI } from "../generated/web-texts.ts";

export const ASSET_PATHS = {
  script: "/assets/console.js",
  style: "/assets/console.css",
  icon: "/assets/favicon.svg",
} as const;

let assets: ReadonlyMap<string, RequestHandler> | undefined;

/**
 * Handlers of the console's own files, by path. All servers of a process share them, because compressing the files takes
 * longer than the rest of a start. Browsers that ignore the page's icon link ask for `/favicon.ico`.
 */
export function getAssets(): ReadonlyMap<string, RequestHandler> {
  return (assets ??= createAssets());
}

function createAssets(): ReadonlyMap<string, RequestHandler> {
  const icon = serve("image/svg+xml", FAVICON_SVG);
  return new Map([
    [ASSET_PATHS.script, serveBrotli("text/javascript; charset=utf-8", WEB_JS_BROTLI)],
    ...Object.entries(WEB_TEXTS_BROTLI).map(
      ([language, texts]) =>
        [`/assets/texts/${language}.json`, serveBrotli("application/json", texts)] as const,
    ),
    [ASSET_PATHS.style, serve("text/css; charset=utf-8", WEB_CSS)],
    [ASSET_PATHS.icon, icon],
    ["/favicon.ico", icon],
  ]);
}

/** @param brotli - The file, compressed, in base64. */
function serveBrotli(contentType: string, brotli: string): RequestHandler {
  const compressed = Buffer.from(brotli, "base64");
  return serve(contentType, brotliDecompressSync(compressed), compressed);
}

/** @param brotli - The same in Brotli, which is too slow to compress at each start. Default: never sent. */
function serve(contentType: string, file: string | Buffer, brotli?: Buffer): RequestHandler {
  const plain = Buffer.from(file);
  const digest = createHash("sha256").update(plain).digest("base64url").slice(0, 22);
  // Compress here, because there may be no proxy in front of the app. The first coding that a browser accepts is sent.
  const compressed = [
    ...(brotli === undefined ? [] : [{ coding: "br", body: brotli }]),
    { coding: "gzip", body: gzipSync(plain, { level: 9 }) },
  ];
  return (req, res) => {
    // A wildcard (`*`) gets the uncompressed file.
    const accepted = new Set(req.acceptsEncodings());
    const { coding, body } = compressed.find((version) => accepted.has(version.coding)) ?? { body: plain };
    const etag = coding === undefined ? `"${digest}"` : `"${digest}-${coding}"`;
    const headers = coding === undefined ? {} : { "Content-Encoding": coding };
    // Browsers revalidate each time, so that a page and a script of different releases don't mix. A 304 is cheap.
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

function isKnown(req: Request, etag: string): boolean {
  // A compressing proxy makes the tag weak.
  const tags = (req.headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag);
}

/** The console's icon: a shield with a check mark, drawn for 16 pixels. SVG. */
export const FAVICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<path fill="#0b6e4f" d="M16 1 4 5.5v9.8C4 22.8 9 28.6 16 31c7-2.4 12-8.2 12-15.7V5.5z"/>
<path fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" d="m10 16 4.5 4.5L22.5 11"/>
</svg>
`;
