import type { Act, OrderDetail } from "../api/api-types.ts";
import { formatList, formatMoney } from "../base/format.ts";
import { t } from "../base/texts.ts";

type Affected = Pick<OrderDetail, "actions" | "platform" | "amount" | "currency">;
type Effect = Affected["actions"]["approve"]["effect"];

/** What an action does to an order, or why it isn't possible; one or two sentences. */
export function sayEffect(order: Affected, act: Act): string {
  const { effect } = order.actions[act];
  switch (effect.code) {
    case "releases":
      return sayRelease(effect, toPlatform(order));
    case "cancels":
      return sayCancel(effect, order);
    case "already":
      return t("effects.already", { act });
    case "impossible":
      return t(`effects.impossible-${effect.obstacle ?? "undecided"}`, { first: effect.first ?? "none" });
    default:
      return t(`effects.${effect.code}`);
  }
}

function sayRelease({ held, tags }: Effect, platform: string): string {
  if (tags.length === 0)
    return held ? t("effects.releases-hold") : t("effects.releases-nothing", { platform });
  const removed = { tags: formatList(tags) };
  return held ? t("effects.releases-both", removed) : t("effects.releases-tags", removed);
}

function sayCancel({ refunds, restocks, notifies }: Effect, order: Affected): string {
  const isPriced = order.amount !== null && order.currency !== null;
  return t("effects.cancels", {
    platform: toPlatform(order),
    refund: refunds ? (isPriced ? "sum" : "yes") : "no",
    sum: formatMoney(order.amount, order.currency),
    restock: restocks ? "yes" : "no",
    notify: notifies ? "yes" : "no",
  });
}

function toPlatform({ platform }: Affected): string {
  return platform.charAt(0).toUpperCase() + platform.slice(1);
}
