import type { Action, DataOf, Worth } from "../api/api-types.ts";
import type { OverviewDay } from "../reports/overview.ts";
import { ACTION_WORDS } from "../api/words.ts";
import { formatCount, formatPlural, sumMoney } from "../base/format.ts";

/** What a policy would have decided on past orders. */
export type Replay = DataOf<"POST /policy/replay">;
export type Tally = Replay["before"];

/** All actions, mildest first. */
export const ACTIONS = Object.keys(ACTION_WORDS) as readonly Action[];

export const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  "charged-back": "charged back as fraud",
  approved: "approved by a person",
  declined: "declined by a person",
  cancelled: "canceled",
  shipped: "shipped",
  open: "still open",
  unknown: "unknown",
};

function countChanged({ changes }: Pick<Replay, "changes">): number {
  return changes.reduce((sum, { orders }) => sum + orders, 0);
}

export function toReplaySentence(replay: Replay): string {
  if (replay.orders === 0) return "No decided orders in this period, so there's nothing to compare.";
  if (replay.replayed === 0) return "None of the orders in this period can be replayed.";
  const changed = countChanged(replay);
  const all = formatPlural(replay.replayed, "order");
  if (changed === 0) return `This policy wouldn't have changed any of ${all}.`;
  const parts = [
    toMore("canceled", replay.before.cancel, replay.after.cancel),
    toMore("held", replay.before.hold, replay.after.hold),
  ].filter((part) => part !== "");
  const first = `This policy would have changed ${formatCount(changed)} of ${all}`;
  return parts.length === 0 ? `${first}.` : `${first}: ${parts.join(", ")}.`;
}

function toMore(word: string, before: Worth, after: Worth): string {
  const more = after.orders - before.orders;
  if (more === 0) return "";
  return `${Math.abs(more)} ${more > 0 ? "more" : "fewer"} ${word}`;
}

/** Orders that only the tested policy cancels. Saving it warns about them. */
export function toNewCancels({ changes }: Pick<Replay, "changes">): Worth {
  return sumChanges(changes.filter(({ to }) => to === "cancel"));
}

/** Canceled orders that the tested policy wouldn't cancel. */
export function toLostCancels({ changes }: Pick<Replay, "changes">): Worth {
  return sumChanges(changes.filter(({ from }) => from === "cancel"));
}

/** Orders a day. */
type Reviews = { readonly before: number; readonly after: number };

/**
 * How many orders a day there would be to review, and how many there were: the held share of the replayed orders, times
 * the orders a day since the first of the `days`. Null if there's no data for an estimate.
 */
export function toReviewsADay(
  { replayed, before, after }: Pick<Replay, "replayed" | "before" | "after">,
  days: readonly OverviewDay[],
): Reviews | null {
  const counts = days.map(({ allow, tag, hold, cancel }) => allow + tag + hold + cancel);
  const first = counts.findIndex((count) => count > 0);
  if (first === -1 || replayed === 0) return null;
  const orders = counts.reduce((sum, count) => sum + count, 0);
  const perDay = orders / (counts.length - first) / replayed;
  return { before: before.hold.orders * perDay, after: after.hold.orders * perDay };
}

export function toReviewsSentence({ before, after }: Reviews): string {
  const say = (count: number) => (count > 0 && count < 1 ? "less than 1" : formatCount(Math.round(count)));
  const now = say(before) === say(after) ? "as now" : `now ${say(before)}`;
  return `To review: about ${say(after)} a day (${now}).`.replace("about less", "less");
}

function sumChanges(changes: Replay["changes"]): Worth {
  const parts = changes.flatMap(({ amount }) =>
    Object.entries(amount).map(([currency, sum]) => ({ currency, amount: sum })),
  );
  return { orders: countChanged({ changes }), amount: sumMoney(parts) };
}
