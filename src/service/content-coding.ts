import { pipeline, type Readable } from "node:stream";
import type { ResponseHeaders } from "./rate-limit.ts";

/** Node's functions for a whole body and for one that arrives in parts. */
const DECODERS = {
  gzip: ["gunzipSync", "createGunzip"],
  "x-gzip": ["gunzipSync", "createGunzip"],
  deflate: ["inflateSync", "createInflate"],
  br: ["brotliDecompressSync", "createBrotliDecompress"],
} as const;

function findDecoder(headers: ResponseHeaders): (typeof DECODERS)[keyof typeof DECODERS] | undefined {
  const encoding = String(headers["content-encoding"] ?? "")
    .trim()
    .toLowerCase();
  return Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding as keyof typeof DECODERS] : undefined;
}

/** Loaded only here, because it loads slowly and is hardly ever needed. */
const loadZlib = () => process.getBuiltinModule("node:zlib");

/**
 * Decompress a body. We ask for uncompressed answers, but a proxy may compress them anyway, and the answer is paid for. A
 * body that can't be decoded, or would be too long, stays as it is, and then it isn't valid JSON.
 */
export function decodeBody(body: Buffer, headers: ResponseHeaders, maxOutputLength: number): Buffer {
  const decoder = findDecoder(headers);
  if (decoder === undefined) return body;
  try {
    return loadZlib()[decoder[0]](body, { maxOutputLength });
  } catch {
    return body;
  }
}

/** The same for a body that arrives in parts. One that can't be decoded ends with an error. */
export function decodeStream(body: Readable, headers: ResponseHeaders): Readable {
  const decoder = findDecoder(headers);
  // The reader of the decoded body gets the error.
  return decoder === undefined ? body : pipeline(body, loadZlib()[decoder[1]](), () => {});
}
