import { useEffect, useRef } from "preact/hooks";
import { Loading } from "../../components/panel.tsx";
import type { Act, OrderDetail } from "../../data/api/api-types.ts";
import { ACT_WORDS } from "../../data/orders/review.ts";
import { loadOrderAhead } from "../../data/orders/load-ahead.ts";
import { reviewPause } from "../../data/orders/review-pause.ts";
import { type Shortcut, useShortcuts } from "../../data/shell/keyboard.ts";
import { undone } from "../../data/orders/undo.ts";
import { useLoad } from "../../data/api/use-load.ts";
import { useValue } from "../../data/base/value.ts";
import { toOffers } from "../../data/orders/offers.ts";
import { takeOrderFocus } from "../../data/orders/focus.ts";
import { ActDialog } from "./act-dialog.tsx";
import { BlockDialog } from "./block-dialog.tsx";
import { BuyerCheckPanel } from "./buyer-check.tsx";
import { DecideBar, ReviewPanel } from "./review-panel.tsx";
import { DisputePanel } from "./dispute-panel.tsx";
import { LinkedPanel } from "./linked-panel.tsx";
import { OrderDetails } from "./order-details.tsx";
import { type OrderCommands, useOrderCommands } from "./order-commands.ts";
import { OrderHead } from "./order-head.tsx";
import { OrderHistory } from "./order-history.tsx";
import { OrderWhy } from "./order-why.tsx";
import { type PlatformLoad, PlatformPanel, usePlatform } from "./platform-panel.tsx";
import { VerdictCard } from "./verdict-card.tsx";
import { SentPanel } from "./sent-panel.tsx";
import { t } from "../../data/base/texts.ts";

interface OrderViewProps {
  readonly orderId: string;
  /** The next order in the list; the same at its end. */
  readonly nextId: string;
  /** Whether several orders are selected in the list, so that the decision keys apply to those. */
  readonly isBulk: boolean;
  readonly onDecided: (order: OrderDetail, act: Act) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onClose: () => void;
}

/** An order in progress changes on its own. */
const POLL_MS = 5_000;

export function OrderView({ orderId, nextId, isBulk, onDecided, onStep, onClose }: OrderViewProps) {
  const load = useLoad("GET /orders/:orderId", { params: { orderId }, pollMs: POLL_MS });
  const { data, replace } = load;
  const platform = usePlatform(orderId, data?.version);
  const commands = useOrderCommands(orderId, load, platform.data, onDecided);
  const heading = useRef<HTMLHeadingElement>(null);
  const focusNote = useOrderFocus(data !== null, heading, commands.noteField);
  useAhead(data === null || load.loading ? orderId : nextId, orderId);
  useDecisionPauseEnd(data !== null);
  useUndone(orderId, replace);
  useShortcuts(toKeys({ isBulk, commands, focusNote, onClose }), 2);
  return (
    <article class="order-pane stack" aria-labelledby="order-title">
      <OrderHead order={data} headingRef={heading} onStep={onStep} onClose={onClose} />
      {data === null ? (
        <Loading load={load} lines={16} label={t("order.loading-order")} />
      ) : (
        <OrderBody order={data} commands={commands} platform={platform} />
      )}
      {commands.asking !== null && data !== null && (
        <ActDialog order={data} act={commands.asking} commands={commands} />
      )}
    </article>
  );
}

interface OrderBodyProps {
  readonly order: OrderDetail;
  readonly commands: OrderCommands;
  readonly platform: PlatformLoad;
}

/** The most important content first: the verdict, the order's data, then the actions. */
function OrderBody({ order, commands, platform }: OrderBodyProps) {
  const { orderId } = order;
  const linked = useLoad("GET /orders/:orderId/linked", { params: { orderId } });
  const offers = toOffers(order, platform.data);
  return (
    <>
      <VerdictCard
        order={order}
        linked={linked.data}
        hasShipped={offers.ended === "shipped" && order.ended === null}
      />
      <div class="order-body stack">
        <div class="stack order-first">
          <OrderDetails order={order} />
          <LinkedPanel orderId={orderId} load={linked} />
        </div>
        <div class="stack order-decide">
          <DisputePanel order={order} />
          <ReviewPanel order={order} commands={commands} offers={offers} />
          <BuyerCheckPanel order={order} />
        </div>
        <div class="stack order-main">
          <OrderWhy order={order} />
          <SentPanel order={order} />
        </div>
        <div class="stack order-side">
          <PlatformPanel load={platform} />
          <OrderHistory order={order} />
        </div>
      </div>
      <DecideBar order={order} commands={commands} offers={offers} />
      {commands.isBlocking && (
        <BlockDialog order={order} onDone={linked.reload} onClose={commands.closeBlock} />
      )}
    </>
  );
}

/** Loads the next order ahead once the open one is confirmed. */
function useAhead(nextId: string, orderId: string): void {
  useEffect(() => {
    if (nextId === orderId) return undefined;
    const stop = new AbortController();
    void loadOrderAhead(nextId, stop.signal);
    return () => stop.abort();
  }, [nextId]);
}

interface KeyParts extends Pick<OrderViewProps, "isBulk" | "onClose"> {
  readonly commands: OrderCommands;
  readonly focusNote: () => void;
}

function toKeys({ isBulk, commands, focusNote, onClose }: KeyParts): readonly Shortcut[] {
  const { start, assignToMe, askBlock } = commands;
  const decisions: readonly Shortcut[] = [
    { keys: [ACT_WORDS.approve.key], label: t("order.approve-order"), run: () => start("approve") },
    { keys: [ACT_WORDS.decline.key], label: t("order.decline-order"), run: () => start("decline") },
  ];
  return [
    ...(isBulk ? [] : decisions),
    { keys: [ACT_WORDS.recheck.key], label: t("order.check-order-again"), run: () => start("recheck") },
    { keys: ["n"], label: t("order.write-note"), run: focusNote },
    { keys: [], label: t("notes.assign-to-me"), run: assignToMe },
    { keys: [], label: t("order.block-the-buyer"), run: askBlock },
    { keys: ["Escape"], label: t("order.close-order"), run: onClose },
  ];
}

/** Ends the pause once the order is visible, also when the pause began while this order was open. */
function useDecisionPauseEnd(isLoaded: boolean): void {
  const isPaused = useValue(reviewPause.isActive);
  useEffect(() => {
    if (isLoaded && isPaused) reviewPause.endSoon();
  }, [isLoaded, isPaused]);
}

/** Shows an undone decision right away. */
function useUndone(orderId: string, replace: (order: OrderDetail) => void): void {
  const back = useValue(undone).find((order) => order.orderId === orderId);
  useEffect(() => {
    if (back !== undefined) replace(back);
  }, [back]);
}

/** Move the focus to the requested element once it is visible. Returns a function that focuses the note. */
function useOrderFocus(
  isLoaded: boolean,
  heading: { readonly current: HTMLElement | null },
  note: { readonly current: HTMLElement | null },
): () => void {
  const wanted = useRef<ReturnType<typeof takeOrderFocus>>(null);
  useEffect(() => {
    wanted.current = takeOrderFocus();
    if (wanted.current !== null) heading.current?.focus({ preventScroll: true });
    // The list keeps its place; the order is shown from its start.
    heading.current?.closest(".order-pane")?.scrollIntoView?.({ block: "nearest" });
  }, []);
  useEffect(() => {
    if (isLoaded && wanted.current === "note") note.current?.focus();
  }, [isLoaded]);
  return () => {
    wanted.current = "note";
    note.current?.focus();
  };
}
