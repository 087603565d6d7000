import type { IncomingMessage } from "node:http";

/** How reading a body ended. */
export type BodyOutcome =
  | { readonly outcome: "complete"; readonly body: Buffer }
  /** More bytes than allowed, announced or sent. */
  | { readonly outcome: "too-large" }
  /** Compressed: nobody who should talk to us compresses, and a small body could unpack to any size. */
  | { readonly outcome: "encoded" }
  /** Other bodies fill the memory set aside for them. */
  | { readonly outcome: "overloaded" }
  | { readonly outcome: "timed-out" }
  /** The sender went away: there is nobody to answer. */
  | { readonly outcome: "aborted" };

/** Bytes that several readers share. */
export interface ByteBudget {
  /** `false`, taking nothing, when they are not there. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** Options of {@link readBody}. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** For the whole body, in milliseconds. */
  readonly timeoutMs: number;
  /** Holds the bytes of a complete body until the caller gives them back. Default: no shared limit. */
  readonly budget?: ByteBudget | undefined;
}

/** Create a {@link ByteBudget} of `maxBytes`. */
export function createByteBudget(maxBytes: number): ByteBudget {
  let left = maxBytes;
  return {
    take(bytes) {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
    give(bytes) {
      left += bytes;
    },
  };
}

const UNLIMITED: ByteBudget = { take: () => true, give() {} };

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
  if (Number(req.headers["content-length"] ?? 0) > maxBytes) return "too-large";
  // Its `close` event may have passed already, and no other would follow.
  return req.destroyed ? "aborted" : undefined;
}

function collect(req: IncomingMessage, limits: BodyLimits): Promise<BodyOutcome> {
  const { maxBytes, timeoutMs, budget = UNLIMITED } = limits;
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let bytes = 0;

    function finish(result: BodyOutcome): void {
      clearTimeout(timer);
      req.off("data", onData).off("end", onEnd).off("close", onClose);
      if (result.outcome !== "complete") budget.give(bytes);
      chunks = [];
      resolve(result);
    }
    function onData(chunk: Buffer): void {
      if (bytes + chunk.length > maxBytes) return finish({ outcome: "too-large" });
      if (!budget.take(chunk.length)) return finish({ outcome: "overloaded" });
      bytes += chunk.length;
      chunks.push(chunk);
      return undefined;
    }
    function onEnd(): void {
      const [first] = chunks;
      // Most orders arrive in one chunk, which needs no copy.
      finish({
        outcome: "complete",
        body: chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks, bytes),
      });
    }
    function onClose(): void {
      finish({ outcome: "aborted" });
    }

    const timer = setTimeout(() => finish({ outcome: "timed-out" }), timeoutMs);
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
