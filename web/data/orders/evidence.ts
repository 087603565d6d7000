import type { DataOf } from "../api/api-types.ts";
import { call } from "../api/api.ts";
import { t } from "../base/texts.ts";
import { saveFile } from "../base/save-file.ts";

export type Evidence = DataOf<"GET /orders/:orderId/evidence">;
export type Draft = DataOf<"POST /orders/:orderId/evidence/preview">;

export const SOURCE_WORDS: Readonly<Record<Evidence["statements"][number]["source"], string>> = {
  service: t("evidence.from-service"),
  local: t("evidence.from-local"),
  holdfast: "Holdfast",
  person: t("evidence.from-person"),
  platform: t("evidence.from-platform"),
  bank: t("evidence.from-bank"),
};

export const FIELD_WORDS: Readonly<Record<Draft["fields"][number]["field"], string>> = {
  firstName: t("evidence.first-name"),
  lastName: t("evidence.last-name"),
  email: t("evidence.email"),
  shippingAddress: t("evidence.shipping-address"),
  accessLog: t("evidence.access-log"),
  statement: t("evidence.statement"),
};

const OBSTACLE_WORDS: Readonly<Record<NonNullable<Draft["why"]>, string>> = {
  "not-allowed": t("evidence.why-not-allowed"),
  unknown: t("evidence.why-unknown"),
  submitted: t("evidence.why-submitted"),
  "past-due": t("evidence.why-past-due"),
  invalid: t("evidence.why-invalid"),
  "no-form": t("evidence.why-no-form"),
};

/** Why a draft can't be saved on the platform; null if it can. */
export function explainDraft({ why, fields }: Draft): string | null {
  if (why !== null) return OBSTACLE_WORDS[why];
  return fields.every(({ kept }) => kept) ? t("evidence.why-filled") : null;
}

export async function saveEvidence(orderId: string, dispute: string): Promise<void> {
  const { data } = await call("GET /orders/:orderId/evidence", { params: { orderId }, query: { dispute } });
  saveFile(`evidence-${orderId}.json`, "application/json", JSON.stringify(data, null, 2));
}

/** As a page for the bank's clerk, with the messages that a person pasted. */
export async function printEvidence(orderId: string, disputeId: string, communication: string) {
  const body = { disputeId, communication };
  const { data } = await call("POST /orders/:orderId/evidence/pdf", { params: { orderId }, body });
  saveFile(`evidence-${orderId}.pdf`, "application/pdf", data);
}
