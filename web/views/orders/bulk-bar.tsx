import { Button } from "../../components/button.tsx";
import { ACT_WORDS } from "../../data/decide.ts";
import { formatCount, formatSum, sumMoney } from "../../data/format.ts";
import type { OrderRow } from "../../data/api-types.ts";
import { toRoleReason } from "../../data/session.ts";
import type { Asking } from "./bulk-dialog.tsx";

interface BulkBarProps {
  readonly orders: readonly OrderRow[];
  readonly onAsk: (asking: Asking) => void;
  readonly onClear: () => void;
}

/** What can be done with the orders that are ticked. */
export function BulkBar({ orders, onAsk, onClear }: BulkBarProps) {
  const disabledReason = toRoleReason("reviewer");
  return (
    <div class="bulk row" role="group" aria-label="Selected orders">
      <p role="status">
        <b>{formatCount(orders.length)}</b> selected · {formatSum(sumMoney(orders))}
      </p>
      {(["approve", "decline"] as const).map((act) => (
        <Button
          key={act}
          look={act === "approve" ? "primary" : "danger"}
          small
          shortcut={ACT_WORDS[act].key}
          disabledReason={disabledReason}
          onClick={() => onAsk({ act, orders })}
        >
          {ACT_WORDS[act].verb}
        </Button>
      ))}
      <Button look="quiet" small icon="cross" iconOnly onClick={onClear}>
        Clear selection
      </Button>
    </div>
  );
}
