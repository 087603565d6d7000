import type { Dispute } from "../../../../src/adapter-kit.ts";

/** What the recorded webhook of a new dispute says. */
export const DISPUTE: Dispute = {
  disputeId: "285332461850802050",
  orderId: "820982911946154508",
  kind: "chargeback",
  status: "open",
  reason: "fraudulent",
  isFraud: true,
  initiatedAtMs: Date.UTC(2026, 10, 2),
  evidenceDueAtMs: Date.UTC(2026, 11, 31),
  evidenceSentAtMs: undefined,
  networkCode: "4837",
};
