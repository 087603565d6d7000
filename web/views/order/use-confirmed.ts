import { useEffect, useRef } from "preact/hooks";
import type { Act, OrderDetail } from "../../data/api/api-types.ts";
import { showFailure, showToast } from "../../data/api/messages.ts";
import type { Load } from "../../data/api/use-load.ts";
import { t } from "../../data/base/texts.ts";

/**
 * An order that was loaded before is shown at once, and confirmed. What a person wants to do about it meanwhile is done when it's
 * confirmed, if it's still the order that they saw. Else the page says why not.
 */
export function useConfirmed({ data, error, loading }: Load<OrderDetail>, perform: (act: Act) => void) {
  const waiting = useRef<{ readonly order: OrderDetail; readonly act: Act } | null>(null);
  useEffect(() => {
    if (loading || waiting.current === null) return;
    const { order, act } = waiting.current;
    waiting.current = null;
    if (error !== null) showFailure(error);
    else if (data?.version !== order.version)
      showToast(t("order.changed-meanwhile", { name: order.name }), "bad");
    else perform(act);
  }, [loading]);
  useEffect(
    () => () => {
      if (waiting.current !== null)
        showToast(t("order.left-too-soon", { name: waiting.current.order.name }), "bad");
    },
    [],
  );
  return (order: OrderDetail, act: Act) => {
    if (waiting.current !== null) showToast(t("order.still-saving"), "bad");
    else if (loading) waiting.current = { order, act };
    else perform(act);
  };
}
