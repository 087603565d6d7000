import { useEffect, useState } from "preact/hooks";
import { reviewPause } from "../data/orders/review-pause.ts";

import { useShortcuts } from "../data/shell/keyboard.ts";
import { FIRST_VIEW, getRoute, navigate, toPath } from "../data/shell/route.ts";
import { toDoneText, undo, type Undoable, undoables, untilSaved } from "../data/orders/undo.ts";
import { useValue } from "../data/base/value.ts";
import { wantOrderFocus } from "../data/orders/focus.ts";
import { Button, Icon } from "./button.tsx";
import { announce, showToast } from "../data/api/messages.ts";
import { t } from "../data/base/texts.ts";

/** How many of the newest are shown. The undo time of earlier ones continues. */
const SHOWN_AT_MOST = 3;
/** Views that an order opens beside. */
const LISTS: ReadonlySet<string> = new Set([FIRST_VIEW, "orders"]);

/** Decisions that can still be undone, each with its remaining time, in every view. Drawn once on the page. */
export function UndoBar() {
  const all = useValue(undoables);
  const newest = all.at(-1);
  useShortcuts([{ keys: ["z"], label: t("components.undo-last-decision"), run: () => void undoNewest() }], 0);
  useEffect(() => {
    if (newest !== undefined)
      announce(t("components.press-z", { done: toDoneText(newest.act, newest.orders) }));
  }, [newest?.id]);
  if (all.length === 0) return null;
  const hidden = all.length - SHOWN_AT_MOST;
  return (
    <ul aria-label={t("components.decisions-that-can-be-undone")}>
      {hidden > 0 && <li class="undo-more hint">{t("components.undo-more", { count: hidden })}</li>}
      {all.slice(-SHOWN_AT_MOST).map((one) => (
        <UndoLine key={one.id} undoable={one} isNewest={one === newest} />
      ))}
    </ul>
  );
}

async function undoNewest(): Promise<void> {
  // The last decision is the one that is still being saved. If that fails, or a colleague was faster, there's nothing to undo
  // about it, and an earlier one isn't meant.
  if (!(await untilSaved())) return;
  const newest = undoables.get().findLast(({ isUndoing }) => !isUndoing);
  if (newest === undefined) return showToast(t("components.nothing-to-undo"), "bad");
  await undoAndReport(newest);
}

/** Undo a decision and report the result. If a single order comes back, it opens again if a list is open. */
export async function undoAndReport(one: Pick<Undoable, "id" | "act" | "orders">): Promise<void> {
  const { back, kept } = await undo(one);
  for (const { order, why } of kept.slice(0, SHOWN_AT_MOST)) showToast(`${order.name}: ${why}`, "bad");
  const [first] = back;
  if (first === undefined) return;
  const isAlone = back.length === 1;
  const text = isAlone
    ? t("components.waits-again", { name: first.name })
    : t("components.wait-again", { count: back.length });
  const route = getRoute();
  if (!LISTS.has(route.view)) {
    // Whatever the person does in this view isn't interrupted.
    const label = isAlone ? t("components.open-order", { name: first.name }) : t("components.show-queue");
    showToast(text, "good", {
      label,
      href: toPath({ view: FIRST_VIEW, id: isAlone ? first.orderId : null }),
    });
    return;
  }
  showToast(text);
  if (!isAlone) return;
  // Nobody asked for another open order, so decisions pause.
  reviewPause.begin();
  wantOrderFocus();
  navigate({ ...route, id: first.orderId }, { replace: true });
}

interface UndoLineProps {
  readonly undoable: Undoable;
  /** Whether the shortcut applies to it. */
  readonly isNewest: boolean;
}

/** Often enough for whole seconds. */
const TICK_MS = 200;

function UndoLine({ undoable, isNewest }: UndoLineProps) {
  const { act, orders, untilMs, isUndoing } = undoable;
  const [leftMs, setLeftMs] = useState(() => untilMs - Date.now());
  const [wholeMs] = useState(leftMs);
  useEffect(() => {
    const timer = setInterval(() => setLeftMs(untilMs - Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [untilMs]);
  const text = toDoneText(act, orders);
  return (
    <li class="toast line floating undo-line" data-tone={act}>
      <Icon name={act === "approve" ? "check" : "cross"} />
      <p class="grow anywhere">{text}</p>
      <span class="undo-left number soft" aria-hidden="true">
        {t("format.seconds", { count: Math.max(Math.ceil(leftMs / 1_000), 0) })}
      </span>
      <Button
        label={t("components.undo")}
        about={text}
        small
        busy={isUndoing}
        shortcut={isNewest ? "z" : undefined}
        onClick={() => void undoAndReport(undoable)}
      />
      <span class="undo-time" aria-hidden="true" style={{ animationDuration: `${wholeMs}ms` }} />
    </li>
  );
}
