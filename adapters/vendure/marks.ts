import { NO_MARKS, SHOP_HOLDS, type ShopMarks } from "../../src/adapter-kit.ts";
import type { CustomFields } from "./core.ts";

const FIELDS = {
  riskLevel: "holdfastRiskLevel",
  action: "holdfastAction",
  checkId: "holdfastCheckId",
  hold: "holdfastHold",
  tags: "holdfastTags",
} as const satisfies Record<keyof ShopMarks, keyof CustomFields>;

const LABELS: Readonly<Record<keyof ShopMarks, string>> = {
  riskLevel: "Risk level",
  action: "Decision",
  checkId: "Check ID",
  hold: "On hold",
  tags: "Tags",
};

/** The columns of an order. Staff see them and can't change them; customers don't see them. */
export const ORDER_FIELDS = (Object.keys(FIELDS) as (keyof ShopMarks)[]).map((mark) => ({
  name: FIELDS[mark],
  type: "string",
  nullable: true,
  public: false,
  readonly: true,
  label: [{ languageCode: "en", value: `Holdfast: ${LABELS[mark]}` }],
  ...(mark === "tags" ? { list: true } : {}),
}));

export function toFields(marks: Partial<ShopMarks>): CustomFields {
  return Object.fromEntries(
    Object.entries(marks).map(([mark, value]) => [FIELDS[mark as keyof ShopMarks], value]),
  );
}

export function readMarks(fields: CustomFields | undefined): ShopMarks {
  if (fields === undefined) return NO_MARKS;
  const { holdfastRiskLevel, holdfastAction, holdfastCheckId, holdfastHold, holdfastTags } = fields;
  return {
    // Only Holdfast writes these columns.
    riskLevel: (holdfastRiskLevel ?? null) as ShopMarks["riskLevel"],
    action: (holdfastAction ?? null) as ShopMarks["action"],
    checkId: holdfastCheckId ?? null,
    hold: SHOP_HOLDS.find((hold) => hold === holdfastHold) ?? null,
    tags: holdfastTags ?? [],
  };
}
