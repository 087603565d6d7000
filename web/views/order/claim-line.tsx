import { Button } from "../../components/button.tsx";
import { Time } from "../../components/time.tsx";
import { showFailure } from "../../components/toasts.tsx";
import { call } from "../../data/api.ts";
import type { OrderDetail } from "../../data/api-types.ts";
import { isAllowed, sessionState } from "../../data/session.ts";
import { useAction } from "../../data/use-action.ts";
import { useValue } from "../../data/value.ts";
import { nameActor } from "../../data/words.ts";

interface ClaimLineProps {
  readonly order: OrderDetail;
  /** Told the order as it is now. */
  readonly onChange: (order: OrderDetail) => void;
}

/** Who is reviewing an order that needs a decision. It keeps nobody from deciding. */
export function ClaimLine({ order, onChange }: ClaimLineProps) {
  const { busy, run } = useAction(showFailure);
  const state = useValue(sessionState);
  const { orderId, claim } = order;
  if ((order.state !== "review" && order.state !== "failed") || order.pendingDecision !== null) return null;
  const isMine = state.status === "signed-in" && claim?.by === state.session.actor;

  async function change(): Promise<void> {
    const params = { orderId };
    const { data } = isMine
      ? await call("DELETE /orders/:orderId/claim", { params })
      : await call("POST /orders/:orderId/claim", { params, body: { takeOver: claim !== null } });
    onChange(data);
  }

  return (
    <div class="row claim-line">
      <p class="hint" role="status">
        {claim === null ? (
          "Nobody is reviewing this order."
        ) : (
          <>
            {isMine ? "You are" : `${nameActor(claim.by)} is`} reviewing this order until{" "}
            <Time at={claim.until} />.
          </>
        )}
      </p>
      {isAllowed("reviewer") && (
        <Button small busy={busy} onClick={() => run(change)}>
          {claim === null ? "Claim" : isMine ? "Release" : "Take over"}
        </Button>
      )}
    </div>
  );
}
