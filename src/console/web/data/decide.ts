import { ApiError, call } from "./api.ts";
import type { Act, OrderDetail, OrderRow } from "./order.ts";
import { createValue } from "./value.ts";

/** How many decisions were taken in this page: what counts orders counts anew when it changes. */
export const decisionCount = createValue(0);

/** Words around each act. */
export const ACT_WORDS: Readonly<
  Record<Act, { readonly verb: string; readonly done: string; readonly key: string }>
> = {
  approve: { verb: "Approve", done: "approved", key: "a" },
  decline: { verb: "Decline", done: "declined", key: "d" },
  recheck: { verb: "Check again", done: "sent for another check", key: "r" },
};

/** Longest note, in characters. */
export const NOTE_MAX_LENGTH = 500;

/** Decide on an order, or have it checked again. The answer is the order as it is then. */
export async function decide(orderId: string, act: Act, note = ""): Promise<OrderDetail> {
  const order = await post(orderId, act, note);
  decisionCount.set(decisionCount.get() + 1);
  return order;
}

/** Keep a note with an order. */
export async function addNote(orderId: string, note: string): Promise<OrderDetail> {
  return post(orderId, "note", note);
}

async function post(orderId: string, what: Act | "note", note: string): Promise<OrderDetail> {
  const text = note.trim();
  const { data } = await call<OrderDetail>(`/orders/${encodeURIComponent(orderId)}/${what}`, {
    method: "POST",
    body: text === "" ? {} : { note: text },
  });
  return data;
}

/** How a decision on many orders went so far. */
export interface BulkProgress {
  readonly done: readonly OrderRow[];
  readonly failed: readonly { readonly order: OrderRow; readonly why: string }[];
}

/** Options of {@link decideAll}. */
export interface BulkOptions {
  readonly act: Act;
  readonly note: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BulkProgress) => void;
  /** Default: waits. */
  readonly wait?: (ms: number) => Promise<void>;
  /** Default {@link decide}. */
  readonly one?: typeof decide;
}

/** Few enough for the server's limits, enough to hide the way there. */
const AT_ONCE = 4;
const MAX_TRIES = 3;

/** Decide on many orders, a few at a time; one that fails stops no other. Ends early when the signal says so. */
export async function decideAll(orders: readonly OrderRow[], options: BulkOptions): Promise<BulkProgress> {
  const { signal, onProgress } = options;
  const left = [...orders];
  let progress: BulkProgress = { done: [], failed: [] };

  async function work(): Promise<void> {
    for (let order = left.shift(); order !== undefined && !signal.aborted; order = left.shift()) {
      const why = await tryOne(order, options);
      progress =
        why === null
          ? { ...progress, done: [...progress.done, order] }
          : { ...progress, failed: [...progress.failed, { order, why }] };
      onProgress(progress);
    }
  }

  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return progress;
}

/** Null when it worked, else why not. */
async function tryOne(order: OrderRow, options: BulkOptions): Promise<string | null> {
  const { act, note, wait = sleep, one = decide } = options;
  for (let tries = 1; ; tries += 1) {
    try {
      await one(order.orderId, act, note);
      return null;
    } catch (error) {
      if (!(error instanceof ApiError)) return "this page failed";
      // The server asks for a pause: nothing is wrong with the order.
      if (error.retryAfterMs === null || tries === MAX_TRIES) return error.message;
      await wait(error.retryAfterMs);
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
