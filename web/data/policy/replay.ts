import type { Action, DataOf, Worth } from "../api/api-types.ts";
import type { OverviewDay } from "../reports/overview.ts";
import { ACTION_WORDS } from "../api/words.ts";
import { formatCount, formatList, sumMoney } from "../base/format.ts";
import { t } from "../base/texts.ts";

/** What a policy would have decided on past orders. */
export type Replay = DataOf<"POST /policy/replay">;
export type Tally = Replay["before"];

/** All actions, mildest first. */
export const ACTIONS = Object.keys(ACTION_WORDS) as readonly Action[];

export const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  "charged-back": t("replay.charged-back-as-fraud"),
  approved: t("replay.approved-by-a-person"),
  declined: t("replay.declined-by-a-person"),
  cancelled: t("replay.outcome-canceled"),
  shipped: t("replay.outcome-shipped"),
  open: t("replay.still-open"),
  unknown: t("replay.outcome-unknown"),
};

function countChanged({ changes }: Pick<Replay, "changes">): number {
  return changes.reduce((sum, { orders }) => sum + orders, 0);
}

export function toReplaySentence(replay: Replay): string {
  if (replay.orders === 0) return t("replay.no-decided-orders-in-this-period");
  if (replay.replayed === 0) return t("replay.none-of-the-orders-in-this");
  const { replayed: count, before, after } = replay;
  const changed = countChanged(replay);
  if (changed === 0) return t("replay.unchanged", { count });
  const parts = [toMore("cancel", before, after), toMore("hold", before, after)].filter(
    (part) => part !== null,
  );
  return parts.length === 0
    ? t("replay.changed", { changed, count })
    : t("replay.changed-to", { changed, count, parts: formatList(parts) });
}

/** The same in one short line: `3 of 120 change: hold +2, cancel −1`. */
export function toReplayBrief(replay: Replay): string {
  const { replayed: count, before, after } = replay;
  const changed = countChanged(replay);
  if (count === 0 || changed === 0) return toReplaySentence(replay);
  const [hold, cancel] = (["hold", "cancel"] as const).map((action) =>
    formatChange(after[action].orders - before[action].orders),
  );
  return t("replay.brief", { changed, count, hold: hold ?? "", cancel: cancel ?? "" });
}

/** A difference with its sign: `+2`, `−1`, `±0`. */
function formatChange(difference: number): string {
  return `${difference === 0 ? "±" : difference > 0 ? "+" : "−"}${formatCount(Math.abs(difference))}`;
}

function toMore(action: "cancel" | "hold", before: Tally, after: Tally): string | null {
  const more = after[action].orders - before[action].orders;
  if (more === 0) return null;
  return t("replay.more", { count: Math.abs(more), more: more > 0 ? "yes" : "no", action });
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
  const say = (count: number) =>
    count > 0 && count < 1 ? t("replay.less-than-1") : formatCount(Math.round(count));
  const isLess = after > 0 && after < 1;
  return t("replay.to-review", {
    count: isLess ? say(after) : t("replay.about", { count: Math.round(after) }),
    now: say(before) === say(after) ? t("replay.as-now") : t("replay.now", { count: say(before) }),
  });
}

function sumChanges(changes: Replay["changes"]): Worth {
  const parts = changes.flatMap(({ amount }) =>
    Object.entries(amount).map(([currency, sum]) => ({ currency, amount: sum })),
  );
  return { orders: countChanged({ changes }), amount: sumMoney(parts) };
}
