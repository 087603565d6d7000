import { useEffect, useState } from "preact/hooks";
import { reviewPause } from "../data/orders/review-pause.ts";
import { formatPlural } from "../data/base/format.ts";
import { useShortcuts } from "../data/shell/keyboard.ts";
import { FIRST_VIEW, getRoute, navigate, toPath } from "../data/shell/route.ts";
import { toDoneText, undo, type Undoable, undoables } from "../data/orders/undo.ts";
import { useValue } from "../data/base/value.ts";
import { wantOrderFocus } from "../data/orders/focus.ts";
import { Button, Icon } from "./button.tsx";
import { announce, showToast } from "../data/api/messages.ts";

/** How many of the newest are shown. The undo time of earlier ones continues. */
const SHOWN_AT_MOST = 3;
/** Views that an order opens beside. */
const LISTS: ReadonlySet<string> = new Set([FIRST_VIEW, "orders"]);

/** Decisions that can still be undone, each with its remaining time, in every view. Drawn once on the page. */
export function UndoBar() {
  const all = useValue(undoables);
  const newest = all.at(-1);
  useShortcuts([{ keys: ["z"], label: "Undo last decision", run: () => undoNewest() }], 0);
  useEffect(() => {
    if (newest !== undefined) announce(`${toDoneText(newest.act, newest.orders)} Press z to undo.`);
  }, [newest?.id]);
  if (all.length === 0) return null;
  const hidden = all.length - SHOWN_AT_MOST;
  return (
    <ul aria-label="Decisions that can be undone">
      {hidden > 0 && <li class="undo-more hint">{formatPlural(hidden, "earlier decision")} can be undone</li>}
      {all.slice(-SHOWN_AT_MOST).map((one) => (
        <UndoLine key={one.id} undoable={one} isNewest={one === newest} />
      ))}
    </ul>
  );
}

function undoNewest(): false | void {
  const newest = undoables.get().findLast(({ isUndoing }) => !isUndoing);
  if (newest === undefined) return false;
  void undoAndReport(newest);
}

/** Undo a decision and report the result. If a single order comes back, it opens again if a list is open. */
export async function undoAndReport(one: Pick<Undoable, "id" | "act" | "orders">): Promise<void> {
  const { back, kept } = await undo(one);
  for (const { order, why } of kept.slice(0, SHOWN_AT_MOST)) showToast(`${order.name}: ${why}`, "bad");
  const [first] = back;
  if (first === undefined) return;
  const isAlone = back.length === 1;
  const text = isAlone
    ? `${first.name} needs a decision again.`
    : `${formatPlural(back.length, "order")} need a decision again.`;
  const route = getRoute();
  if (!LISTS.has(route.view)) {
    // Whatever the person does in this view isn't interrupted.
    const label = isAlone ? `Open ${first.name}` : "Show queue";
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
        {Math.max(Math.ceil(leftMs / 1_000), 0)} s
      </span>
      <Button
        label="Undo"
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
