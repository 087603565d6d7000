import type { IncomingMessage } from "node:http";

/** How reading a body ended. */
export type BodyOutcome =
  /** Call `release` when the body isn't needed any more, to free its share of {@link BodyLimits.memory}. */
  | { readonly outcome: "complete"; readonly body: Buffer; readonly release: () => void }
  /** More bytes than allowed, announced or sent. */
  | { readonly outcome: "too-large" }
  /** Compressed. No legitimate sender compresses, and a small body could unpack to any size. */
  | { readonly outcome: "encoded" }
  /** Other bodies fill the memory set aside for them. */
  | { readonly outcome: "overloaded" }
  /** Slower than allowed, or slow while others needed the memory. */
  | { readonly outcome: "timed-out" }
  /** The sender disconnected. */
  | { readonly outcome: "aborted" };

export interface BodyLimits {
  readonly maxBytes: number;
  /** For the whole body, in milliseconds. */
  readonly timeoutMs: number;
  /** The memory for all bodies together. Default: no shared limit. */
  readonly memory?: BodyMemory | undefined;
}

const UNSHARED: BodyShare = { take: () => true, complete() {}, release() {} };

/**
 * Read a request's body as it came. Never rejects. After any outcome but `complete` and `aborted` the caller answers
 * with a problem, which drops the rest of the body.
 */
export function readBody(req: IncomingMessage, limits: BodyLimits): Promise<BodyOutcome> {
  const refusal = toRefusal(req, limits.maxBytes);
  return refusal === undefined ? collect(req, limits) : Promise.resolve({ outcome: refusal });
}

function toRefusal(req: IncomingMessage, maxBytes: number): "encoded" | "too-large" | "aborted" | undefined {
  const encoding = req.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") return "encoded";
  if (toAnnouncedBytes(req) > maxBytes) return "too-large";
  // Its `close` event may already have fired.
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

/** How much a client may still send before it has read our refusal: one more body of the largest size. */
const DISCARD_BYTES = 6 * 1024 * 1024;
const DISCARD_MS = 5_000;

/**
 * Discard the rest of a refused body, within limits, then close the connection. Closing at once would reset the connection of
 * a client that is still sending, and it would never read the reason.
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

/** Memory shared by bodies while they arrive and are processed. */
export type BodyMemory = ReturnType<typeof createBodyMemory>;
export type BodyShare = ReturnType<BodyMemory["open"]>;

interface BodyMemoryOptions {
  /** The largest ordinary body, in bytes. */
  readonly ordinaryBytes: number;
  /** For all ordinary bodies together, in bytes. */
  readonly ordinaryTotalBytes: number;
  /** For all larger bodies together, in bytes, so that these never take the room of ordinary ones. */
  readonly largeTotalBytes: number;
  /** How long a body may take to arrive when others need its room, in milliseconds. */
  readonly patienceMs: number;
  /** Clock in milliseconds. */
  readonly now: () => number;
}

/** The overhead of a piece, measured with Node 24 on pieces of one byte, which anybody may send. */
const PIECE_OVERHEAD_BYTES = 512;

/**
 * Create a {@link BodyMemory} of two parts, one for ordinary bodies and one for large ones.
 *
 * Whether a body is signed shows only when all of it is there, so anybody can fill the memory. But a platform's bodies
 * arrive within milliseconds, and filling memory is cheap only for slow senders: if room is short, the bodies that have been
 * arriving for longest give way. A minimum rate wouldn't help: a flood holds what it sent at any rate, and honest senders with
 * a slow connection would be cut off even while there is room.
 */
export function createBodyMemory(options: BodyMemoryOptions) {
  const { ordinaryBytes, now, patienceMs } = options;
  const ordinary = createPool(options.ordinaryTotalBytes, { now, patienceMs });
  const large = createPool(options.largeTotalBytes, { now, patienceMs });

  return {
    /**
     * Account for one body. `evict` is called at most once, when the body has to make room for others because its sender
     * is slow; it has to release the share before it returns.
     */
    open(announcedBytes: number, evict: () => void) {
      let pool = announcedBytes > ordinaryBytes ? large : ordinary;
      let place: Place = { heldBytes: 0, evict };

      return {
        /** Room for one more piece; `false`, taking nothing, when there is none. */
        take(bytes: number): boolean {
          const cost = bytes + PIECE_OVERHEAD_BYTES;
          if (pool === large || place.heldBytes + cost <= ordinaryBytes) return pool.take(place, cost);
          // It didn't announce its length and turns out to be large.
          const moved: Place = { heldBytes: 0, evict };
          if (!large.take(moved, place.heldBytes + cost)) return false;
          ordinary.leave(place);
          [pool, place] = [large, moved];
          return true;
        },
        /** The body has arrived, in one piece of this many bytes. It can't be evicted any more. */
        complete: (bytes: number) => pool.settle(place, bytes),
        /** Give everything back. */
        release: () => pool.leave(place),
      };
    },
  };
}

interface Place {
  heldBytes: number;
  readonly evict: () => void;
}

function createPool(totalBytes: number, { now, patienceMs }: Pick<BodyMemoryOptions, "now" | "patienceMs">) {
  let leftBytes = totalBytes;
  /** When each body began to arrive, slowest first. Bodies without data aren't listed. */
  const arriving = new Map<Place, number>();

  function hold(place: Place, bytes: number): void {
    leftBytes += place.heldBytes - bytes;
    place.heldBytes = bytes;
  }

  function hasRoom(bytes: number, asking: Place): boolean {
    if (leftBytes >= bytes) return true;
    const lateMs = now() - patienceMs;
    for (const [place, sinceMs] of arriving) {
      if (leftBytes >= bytes || sinceMs > lateMs) break;
      if (place !== asking) place.evict();
    }
    return leftBytes >= bytes;
  }

  return {
    /** `false`, taking nothing, when there is no room. */
    take(place: Place, bytes: number) {
      if (!hasRoom(bytes, place)) return false;
      if (!arriving.has(place)) arriving.set(place, now());
      hold(place, place.heldBytes + bytes);
      return true;
    },
    /** The body has arrived and holds this much from now on. */
    settle(place: Place, bytes: number) {
      arriving.delete(place);
      hold(place, bytes);
    },
    leave(place: Place) {
      arriving.delete(place);
      hold(place, 0);
    },
  };
}
