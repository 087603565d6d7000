import { useEffect, useRef, useState } from "preact/hooks";
import { Failure, Skeleton } from "../../components/panel.tsx";
import { useShortcuts } from "../../data/keyboard.ts";
import type { Act, OrderDetail } from "../../data/order.ts";
import { useLoad } from "../../data/use-load.ts";
import { ActDialog } from "../orders/act-dialog.tsx";
import { takeOrderFocus } from "../orders/focus.ts";
import { DecidePanel } from "./decide-panel.tsx";
import { useDeeds } from "./deeds.ts";
import { OrderHead } from "./order-head.tsx";
import { OrderHistory } from "./order-history.tsx";
import { OrderNotices } from "./order-notices.tsx";
import { OrderWhy } from "./order-why.tsx";
import { PlatformPanel } from "./platform-panel.tsx";
import { SentPanel } from "./sent-panel.tsx";

/** Properties of {@link OrderView}. */
export interface OrderViewProps {
  readonly orderId: string;
  /** Told when a person decided here. */
  readonly onDecided: (order: OrderDetail, act: Act) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
}

/** An order at work changes by itself. */
const POLL_MS = 5_000;

/** One order: what was found, what was decided, what happened, and what a person can do. */
export function OrderView({ orderId, onDecided, onStep, onClose }: OrderViewProps) {
  const path = `/orders/${encodeURIComponent(orderId)}`;
  const { data, error, reload, replace } = useLoad<OrderDetail>(path, { pollMs: POLL_MS });
  const [note, setNote] = useState("");
  const deeds = useDeeds({ order: data, note, replace, onDecided, onNoted: () => setNote("") });
  const noteField = useRef<HTMLTextAreaElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useOrderFocus(data !== null, heading, noteField);
  useShortcuts(
    [
      { keys: ["a"], label: "Approve the order", run: () => deeds.start("approve") },
      { keys: ["d"], label: "Decline the order", run: () => deeds.start("decline") },
      { keys: ["r"], label: "Check the order again", run: () => deeds.start("recheck") },
      { keys: ["n"], label: "Write a note", run: () => noteField.current?.focus() },
      { keys: ["Escape"], label: "Close the order", run: onClose },
    ],
    2,
  );
  return (
    <article class="order-pane" aria-labelledby="order-title">
      <OrderHead order={data} headingRef={heading} onStep={onStep} onClose={onClose} />
      {data === null && error !== null && <Failure error={error} onRetry={reload} />}
      {data === null && error === null && <Skeleton lines={16} label="Loading the order" />}
      {data !== null && (
        <>
          <OrderNotices order={data} />
          <div class="order-body">
            <div class="stack order-decide">
              <DecidePanel order={data} note={note} onNote={setNote} deeds={deeds} noteRef={noteField} />
            </div>
            <div class="stack order-main">
              <OrderWhy order={data} />
              <SentPanel order={data} />
            </div>
            <div class="stack order-side">
              <PlatformPanel orderId={orderId} version={data.version} />
              <OrderHistory order={data} />
            </div>
          </div>
        </>
      )}
      {deeds.asking !== null && data !== null && (
        <ActDialog
          orderId={orderId}
          name={data.name}
          act={deeds.asking}
          note={note}
          onDone={deeds.finish}
          onClose={deeds.cancel}
        />
      )}
    </article>
  );
}

/** Give the focus to what was wanted, once it can be seen. */
function useOrderFocus(
  isLoaded: boolean,
  heading: { readonly current: HTMLElement | null },
  note: { readonly current: HTMLElement | null },
): void {
  const wanted = useRef<ReturnType<typeof takeOrderFocus>>(null);
  useEffect(() => {
    wanted.current = takeOrderFocus();
    if (wanted.current !== null) heading.current?.focus({ preventScroll: true });
    // The list keeps its place; the order is read from its start.
    heading.current?.closest(".order-pane")?.scrollIntoView?.({ block: "nearest" });
  }, []);
  useEffect(() => {
    if (isLoaded && wanted.current === "note") note.current?.focus();
  }, [isLoaded]);
}
