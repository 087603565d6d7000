import type { IncomingMessage } from "node:http";
import type { BodyMemory, BodyShare } from "./body-memory.ts";

/** How reading a body ended. */
export type BodyOutcome =
  /** `release` gives back what the body holds of {@link BodyLimits.memory}, once its work is done. */
  | { readonly outcome: "complete"; readonly body: Buffer; readonly release: () => void }
  /** More bytes than allowed, announced or sent. */
  | { readonly outcome: "too-large" }
  /** Compressed: no legitimate sender compresses, and a small body could unpack to any size. */
  | { readonly outcome: "encoded" }
  /** Other bodies fill the memory set aside for them. */
  | { readonly outcome: "overloaded" }
  /** Slower than allowed, or slow while others needed the memory. */
  | { readonly outcome: "timed-out" }
  /** The sender disconnected. */
  | { readonly outcome: "aborted" };

/** Options of {@link readBody}. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** For the whole body, in milliseconds. */
  readonly timeoutMs: number;
  /** What all bodies together may hold. Default: no shared limit. */
  readonly memory?: BodyMemory | undefined;
}

const UNSHARED: BodyShare = { take: () => true, complete() {}, release() {} };

/**
 * Read a request's body as it came. Never rejects. After any outcome but `complete` and `aborted` the caller answers
 * and then calls {@link discardRest}.
 */
export function readBody(req: IncomingMessage, limits: BodyLimits): Promise<BodyOutcome> {
  const refusal = toRefusal(req, limits.maxBytes);
  return refusal === undefined ? collect(req, limits) : Promise.resolve({ outcome: refusal });
}

function toRefusal(req: IncomingMessage, maxBytes: number): "encoded" | "too-large" | "aborted" | undefined {
  const encoding = req.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") return "encoded";
  if (toAnnouncedBytes(req) > maxBytes) return "too-large";
  // Its `close` event may have passed already, and no other would follow.
  return req.destroyed ? "aborted" : undefined;
}

/** 0 for a body whose length shows only at its end. */
function toAnnouncedBytes(req: IncomingMessage): number {
  return Number(req.headers["content-length"] ?? 0);
}

function collect(req: IncomingMessage, limits: BodyLimits): Promise<BodyOutcome> {
  const { maxBytes, timeoutMs, memory } = limits;
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let bytes = 0;

    function stop(): void {
      clearTimeout(timer);
      req.off("data", onData).off("end", onEnd).off("close", onClose);
      chunks = [];
    }
    function giveUp(outcome: Exclude<BodyOutcome["outcome"], "complete">): void {
      stop();
      share.release();
      resolve({ outcome });
    }
    function onData(chunk: Buffer): void {
      if (bytes + chunk.length > maxBytes) return giveUp("too-large");
      if (!share.take(chunk.length)) return giveUp("overloaded");
      bytes += chunk.length;
      chunks.push(chunk);
      return undefined;
    }
    function onEnd(): void {
      const [first] = chunks;
      // Most orders arrive in one chunk, which needs no copy.
      const body = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, bytes);
      stop();
      share.complete(bytes);
      resolve({ outcome: "complete", body, release: () => share.release() });
    }
    function onClose(): void {
      giveUp("aborted");
    }
    function onLate(): void {
      giveUp("timed-out");
    }

    const share = memory?.open(toAnnouncedBytes(req), onLate) ?? UNSHARED;
    const timer = setTimeout(onLate, timeoutMs);
    // Without a listener a reset connection would be an uncaught error; `close` follows it.
    req.on("error", ignore).on("data", onData).on("end", onEnd).on("close", onClose);
  });
}

/** Sent on by a client that has not read our refusal yet. Enough for one more body of the largest size. */
const DISCARD_BYTES = 6 * 1024 * 1024;
const DISCARD_MS = 5_000;

/**
 * Throw away what is still coming of a refused body, within limits, then cut the connection. Closing at once would
 * reset the connection under a client that is still sending, which then never reads why.
 */
export function discardRest(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  let left = DISCARD_BYTES;
  const timer = setTimeout(() => req.destroy(), DISCARD_MS).unref();
  req.on("error", ignore);
  req.on("close", () => clearTimeout(timer));
  req.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.destroy();
  });
}

function ignore(): void {}
