interface OfOrder {
  tenant: string;
  order_id: string;
}

/** The tables about disputes. */
export interface DisputeTables {
  /** Disputes of orders. Nothing personal. */
  disputes: OfOrder & {
    dispute_id: string;
    kind: string;
    status: string;
    /** The platform's own code. */
    reason: string;
    is_fraud: number;
    initiated_at: number;
    /** When it reached its present state. */
    seen_at: number;
    /** Until when the bank takes evidence; null if that isn't known. */
    evidence_due_at: number | null;
    /** When evidence was sent to the bank; null if it wasn't. */
    evidence_sent_at: number | null;
    /** The card network's own code of the reason. */
    network_code: string | null;
  };

  /** Orders kept for the disputes of later ones, in shops that opted in. */
  kept_orders: OfOrder & {
    placed_at: number;
    /** Keyed digest of the card, by which orders are found. */
    card: string;
    customer_digest: string | null;
    email_digest: string | null;
    /** 1: a bank disputed it. */
    disputed: number;
    /** Sealed: what a bank would be shown. */
    content: Uint8Array;
  };
}
