import type { Act, OrderDetail, OrderRow } from "../../data/order.ts";
import { ActDialog } from "./act-dialog.tsx";
import { BulkDialog } from "./bulk-dialog.tsx";

/** What a dialog asks about. */
export type Asking =
  | { readonly what: "bulk"; readonly act: "approve" | "decline"; readonly orders: readonly OrderRow[] }
  | { readonly what: "one"; readonly act: Act; readonly order: Pick<OrderRow, "orderId" | "name"> };

/** Properties of {@link Question}. */
export interface QuestionProps {
  readonly asking: Asking | null;
  readonly onDecided: (order: OrderDetail, act: Act) => void;
  /** Told with the ids of those that were decided. */
  readonly onBulkDone: (done: ReadonlySet<string>) => void;
  readonly onClose: () => void;
}

/** The dialog that asks before a decision, if one is open. */
export function Question({ asking, onDecided, onBulkDone, onClose }: QuestionProps) {
  if (asking === null) return null;
  if (asking.what === "one") {
    const { order, act } = asking;
    return (
      <ActDialog
        orderId={order.orderId}
        name={order.name}
        act={act}
        onDone={(done) => onDecided(done, act)}
        onClose={onClose}
      />
    );
  }
  const { orders, act } = asking;
  return (
    <BulkDialog
      orders={orders}
      act={act}
      onClose={(done) => onBulkDone(new Set(done.map(({ orderId }) => orderId)))}
    />
  );
}
