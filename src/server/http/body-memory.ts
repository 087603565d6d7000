/** Memory that bodies share while they arrive and are worked on. */
export interface BodyMemory {
  /**
   * Account for one body. `evict` is called at most once, when the body has to make room for others because its sender
   * is slow; it has to release the share before it returns.
   */
  open(announcedBytes: number, evict: () => void): BodyShare;
}

/** What one body holds of a {@link BodyMemory}. */
export interface BodyShare {
  /** Room for one more piece; `false`, taking nothing, when there is none. */
  take(bytes: number): boolean;
  /** The body is there and lies in one piece of this many bytes. It is not evicted any more. */
  complete(bytes: number): void;
  /** Give everything back. */
  release(): void;
}

/** Options of {@link createBodyMemory}. */
export interface BodyMemoryOptions {
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

/** What a piece costs beside its bytes: measured with Node 24 on pieces of one byte, which anybody may send. */
const PIECE_OVERHEAD_BYTES = 512;

/**
 * Create a {@link BodyMemory} of two parts, one for ordinary bodies and one for large ones.
 *
 * Whether a body is signed shows only when all of it is there, so anybody can fill the memory. But what a platform
 * sends arrives within milliseconds, and who wants to fill memory at little cost sends slowly: where room is short, the
 * bodies that have been arriving for longest give way. A least rate would not do that, since a flood holds what it sent
 * whatever the rate, and would cut off honest senders with a bad line while there is room.
 */
export function createBodyMemory(options: BodyMemoryOptions): BodyMemory {
  const { ordinaryBytes, now, patienceMs } = options;
  const ordinary = createPool(options.ordinaryTotalBytes, { now, patienceMs });
  const large = createPool(options.largeTotalBytes, { now, patienceMs });

  return {
    open(announcedBytes, evict) {
      let pool = announcedBytes > ordinaryBytes ? large : ordinary;
      let place: Place = { heldBytes: 0, evict };

      return {
        take(bytes) {
          const cost = bytes + PIECE_OVERHEAD_BYTES;
          if (pool === large || place.heldBytes + cost <= ordinaryBytes) return pool.take(place, cost);
          // It did not announce its length, and is a large one after all.
          const moved: Place = { heldBytes: 0, evict };
          if (!large.take(moved, place.heldBytes + cost)) return false;
          ordinary.leave(place);
          [pool, place] = [large, moved];
          return true;
        },
        complete: (bytes) => pool.settle(place, bytes),
        release: () => pool.leave(place),
      };
    },
  };
}

/** One body in a pool. */
interface Place {
  heldBytes: number;
  readonly evict: () => void;
}

interface Pool {
  /** `false`, taking nothing, when there is no room. */
  take(place: Place, bytes: number): boolean;
  /** The body has arrived and holds this much from now on. */
  settle(place: Place, bytes: number): void;
  leave(place: Place): void;
}

function createPool(
  totalBytes: number,
  { now, patienceMs }: Pick<BodyMemoryOptions, "now" | "patienceMs">,
): Pool {
  let leftBytes = totalBytes;
  /** Since when each has been arriving, the slowest first. Those that have sent nothing hold nothing. */
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
    take(place, bytes) {
      if (!hasRoom(bytes, place)) return false;
      if (!arriving.has(place)) arriving.set(place, now());
      hold(place, place.heldBytes + bytes);
      return true;
    },
    settle(place, bytes) {
      arriving.delete(place);
      hold(place, bytes);
    },
    leave(place) {
      arriving.delete(place);
      hold(place, 0);
    },
  };
}
