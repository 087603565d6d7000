import { ApiError, call, explain, toReason } from "../api/api.ts";
import { showToast } from "../api/messages.ts";
import type {
  Act,
  DataOf,
  Decided,
  DeclineReason,
  OrderDetail,
  OrderRow,
  PendingReview,
} from "../api/api-types.ts";
import {
  type DecidedOrder,
  markSending,
  offerUndo,
  toUndoSeconds,
  toUntilMs,
  UNDO_SECONDS,
  unmarkFailed,
} from "./undo.ts";
import type { Block } from "./blocking.ts";
import { findMentions, listColleagues } from "./mentions.ts";
import { isMe } from "../api/session.ts";
import { createValue, doWithEach } from "../base/value.ts";
import { t } from "../base/texts.ts";

/** How many orders were reviewed on this page. Order counts refresh when it changes. */
export const reviewCount = createValue(0);

export const ACT_WORDS = {
  approve: { verb: t("review.approve"), key: "a" },
  decline: { verb: t("review.decline"), key: "d" },
  handle: { verb: t("review.mark-as-handled"), key: "a" },
  recheck: { verb: t("review.check-again"), key: "r" },
} as const satisfies Readonly<Record<Act, object>>;

export const DECLINE_WORDS: Readonly<Record<DeclineReason, string>> = {
  "suspected-fraud": t("review.suspected-fraud"),
  "stolen-payment": t("review.stolen-card-or-account"),
  "false-details": t("review.false-name-address-or-phone"),
  "not-confirmed": t("review.customer-didnt-confirm-the-order"),
  abuse: t("review.reseller-promotion-or-return-abuse"),
  "customer-request": t("review.customer-asked-to-cancel"),
  other: t("review.other"),
};

export const DECLINE_OPTIONS = Object.entries(DECLINE_WORDS) as readonly (readonly [DeclineReason, string])[];

export const NOTE_MAX_LENGTH = 500;

export interface ReviewOptions {
  /** How long it can be undone, in seconds; not sent for a recheck. Default {@link UNDO_SECONDS}. */
  readonly undoSeconds?: number;
  /** The `version` of the order that the person saw. If the order has changed since, nothing is decided. Default: any version. */
  readonly seen?: string | null;
  readonly reason?: DeclineReason | undefined;
  /** What to block of the buyer of a declined order. Default: nothing. */
  readonly block?: Block | undefined;
}

/** Approve or decline an order, or check it again. */
export async function review(
  orderId: string,
  act: Act,
  note = "",
  { undoSeconds = UNDO_SECONDS, seen = null, reason, block }: ReviewOptions = {},
): Promise<DataOf<"POST /orders/:orderId/decline">> {
  const text = note.trim();
  const { data } = await call(`POST /orders/:orderId/${act}`, {
    params: { orderId },
    body: {
      ...(text === "" ? {} : { note: text }),
      ...(act === "recheck" ? {} : { undoSeconds }),
      ...(act === "decline" ? { reason, block } : {}),
    },
    ifMatch: seen === null ? null : `"${seen}"`,
  });
  reviewCount.set(reviewCount.get() + 1);
  unmarkFailed(orderId);
  return data;
}

/** Review the open order, and offer to undo it. `order.ended`: as the person saw it. */
export function reviewOne(order: OrderDetail, act: Act, note = "", more: WithDecline = {}) {
  const work = decideAndOffer(order, act, note, more);
  // A colleague may have made the same decision first. Theirs stays, and takes effect sooner.
  if (act !== "recheck") markSending(work.then(({ pendingReview }) => isOwn(pendingReview)));
  return work;
}

type WithDecline = Pick<ReviewOptions, "reason" | "block">;

async function decideAndOffer(order: OrderDetail, act: Act, note: string, more: WithDecline) {
  const atMs = Date.now();
  // A person who saw a colleague's decision may overrule it. Nothing is released because of an outdated page.
  // What the person didn't see isn't blocked either.
  const mustBeSeen = act === "approve" || act === "handle" || more.block !== undefined;
  const seen = mustBeSeen || order.decidedBy !== null ? order.version : null;
  const done = await review(order.orderId, act, note, { seen, ...more });
  const { pendingReview, listProblem } = done;
  const blocked = more.block?.kinds.length ?? 0;
  if (listProblem !== undefined)
    showToast(t("review.not-blocked", { name: order.name, why: toReason(listProblem) }), "bad");
  else if (blocked > 0) showToast(t("review.blocked", { count: blocked }));
  if (act !== "recheck" && isOwn(pendingReview))
    offerUndo(act, [{ ...done, ended: order.ended }], toUntilMs(pendingReview, atMs));
  return done;
}

function isOwn(pending: PendingReview | null): pending is PendingReview {
  return pending !== null && isMe(pending.by);
}

export async function addNote(orderId: string, note: string): Promise<OrderDetail> {
  const mentions = findMentions(note, listColleagues());
  const body = { note: note.trim(), ...(mentions.length === 0 ? {} : { mentions }) };
  return (await call("POST /orders/:orderId/note", { params: { orderId }, body })).data;
}

export interface BulkProgress {
  /** `undoUntilMs`: null if this person can't undo it, as when a colleague decided the same first. */
  readonly done: readonly (OrderRow & DecidedOrder & { readonly undoUntilMs: number | null })[];
  readonly failed: readonly { readonly order: OrderRow; readonly why: string }[];
}

export interface BulkOptions extends Pick<ReviewOptions, "reason"> {
  readonly act: Decided;
  readonly note: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: BulkProgress) => void;
  /** Default: waits. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Default {@link review}. */
  readonly one?: typeof review;
}

/** Few enough for the server's limits, and enough to hide the network's delay. */
const AT_ONCE = 4;
const MAX_TRIES = 3;
/** A longer pause is reported instead of waited for. */
const LONGEST_PAUSE_MS = 60_000;

/** Review many orders, a few at a time. A failure doesn't stop the others. The signal stops it early. */
export async function reviewAll(orders: readonly OrderRow[], options: BulkOptions): Promise<BulkProgress> {
  const { signal, onProgress } = options;
  const undoSeconds = toUndoSeconds(orders.length);
  let progress: BulkProgress = { done: [], failed: [] };

  async function work(order: OrderRow): Promise<void> {
    const tried = await tryOne(order, undoSeconds, options);
    const { done, failed } = progress;
    progress =
      typeof tried === "string"
        ? { done, failed: [...failed, { order, why: tried }] }
        : { done: [...done, { ...order, ...tried }], failed };
    onProgress(progress);
  }

  await doWithEach(orders, AT_ONCE, work, signal);
  return progress;
}

/** What became of it, or why it failed. */
async function tryOne(order: OrderRow, undoSeconds: number, options: BulkOptions) {
  const { act, note, reason, signal, wait = sleep, one = review } = options;
  for (let tries = 1; ; tries += 1) {
    try {
      return await decideOne(order, undoSeconds, { act, note, reason, one });
    } catch (error) {
      if (!(error instanceof ApiError)) return explain(error);
      // The server asks for a pause: nothing is wrong with the order.
      const pauseMs = error.retryAfterMs ?? Infinity;
      if (pauseMs > LONGEST_PAUSE_MS || tries === MAX_TRIES) return error.message;
      await wait(pauseMs, signal);
      if (signal.aborted) return error.message;
    }
  }
}

type OneOptions = Pick<BulkOptions, "act" | "note" | "reason"> & { readonly one: typeof review };

async function decideOne(order: OrderRow, undoSeconds: number, { act, note, reason, one }: OneOptions) {
  const askedAtMs = Date.now();
  // Nothing is left to approve about an order that has shipped.
  const actual = act === "approve" && order.ended === "shipped" ? "handle" : act;
  const { pendingReview, ended } = await one(order.orderId, actual, note, { undoSeconds, reason });
  return {
    // It may have shipped meanwhile: then it was approved, but couldn't be canceled.
    ended: act === "approve" ? order.ended : ended,
    undoUntilMs: isOwn(pendingReview) ? toUntilMs(pendingReview, askedAtMs) : null,
  };
}

/** Ends early when the signal aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    setTimeout(resolve, ms);
    signal.addEventListener("abort", () => resolve());
  });
}
