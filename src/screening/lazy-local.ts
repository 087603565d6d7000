import { isCloudflare } from "../base/cloudflare.ts";
import type { Logger } from "../base/logger.ts";
import { createSharedWork } from "../base/shared-work.ts";
import type { LocalEngine } from "../engine/engine.ts";
import type { VelocityStore } from "../engine/velocity/velocity-store.ts";
import type { OrderCounts, SeenOrder, Velocity, VelocityOptions } from "./velocity.ts";

type LocalOptions = Omit<VelocityOptions, "store"> & { readonly store: VelocityStore | undefined };

/** What judges an order if the service doesn't. */
interface Local {
  readonly engine: Pick<LocalEngine, "assess">;
  readonly velocity: Pick<Velocity, "ofCheck" | "settle">;
  readonly rehearse: (seen: SeenOrder) => void;
}

/** The local engine and the counts of other orders, loaded when they are needed. */
export type LazyLocal = ReturnType<typeof createLazyLocal>;

/**
 * Create a {@link LazyLocal}. The engine's tables take as much time and memory to load as all the rest, and an answer of the service
 * needs none of them. So the first order isn't recorded before its request has left, but when the engine is loaded: after that
 * check, or when an order has to be judged without the service.
 */
export function createLazyLocal(options: LocalOptions) {
  let loaded: Local | undefined;
  const unrecorded: (() => void)[] = [];

  const loading = createSharedWork(async () => {
    // On Cloudflare it may be loaded twice at once. All orders use the same one.
    const made = await loadLocal(options);
    loaded ??= made;
    for (const record of unrecorded.splice(0)) record();
    return loaded;
  });

  return {
    /** Never rejects: if the engine can't be loaded, orders without an answer of the service are held. */
    async load(): Promise<void> {
      await loading.get();
    },
    /** Judge an order, and forget it. */
    async rehearse(seen: SeenOrder): Promise<void> {
      const { rehearse } = await loading.get();
      rehearse(seen);
    },
    /** The counts of one check. */
    ofCheck(seen: SeenOrder & { readonly fingerprint: string }): OrderCounts {
      if (loaded !== undefined) return loaded.velocity.ofCheck(seen);
      let counts: OrderCounts | undefined;
      const count = ({ velocity }: Local): OrderCounts => (counts ??= velocity.ofCheck(seen));
      const begin = (): void => {
        if (loaded !== undefined) count(loaded).begin();
        // There, an order can't be recorded by another one's request.
        else if (isCloudflare()) void loading.get().then((local) => count(local).begin());
        else unrecorded.push(begin);
      };
      if (seen.order.orderId === undefined) begin();
      return { begin, within: async (waitMs) => count(await loading.get()).within(waitMs) };
    },
    /** Is loaded: what judges without the service has asked for its counts before. */
    engine: {
      assess(...order) {
        if (loaded === undefined) throw new Error("the local engine was asked before the counts");
        return loaded.engine.assess(...order);
      },
    } satisfies Pick<LocalEngine, "assess">,
    /** Resolves when all orders are recorded, or the time limit has passed. */
    async settle(): Promise<void> {
      if (unrecorded.length > 0) await loading.get();
      await loaded?.velocity.settle();
    },
  };
}

async function loadLocal(options: LocalOptions): Promise<Local> {
  try {
    const [engine, memory, velocity] = await Promise.all([
      import("../engine/engine.ts"),
      import("../engine/velocity/memory-velocity.ts"),
      import("./velocity.ts"),
    ]);
    const store = options.store ?? memory.createMemoryVelocity();
    const local = engine.createLocalEngine(options);
    return {
      engine: local,
      velocity: velocity.createVelocity({ ...options, store }),
      rehearse(seen) {
        velocity.rehearseVelocity(options.keyring, seen);
        local.assess(seen.order);
      },
    };
  } catch (error) {
    return createWithoutLocal(error, options.logger);
  }
}

function createWithoutLocal(cause: unknown, logger: Logger): Local {
  logger.error({ err: cause }, "the local engine couldn't be loaded");
  return {
    engine: {
      assess() {
        throw cause;
      },
    },
    rehearse() {},
    velocity: {
      ofCheck: () => ({ begin() {}, within: async () => undefined }),
      settle: async () => undefined,
    },
  };
}
