import { cutText, type StepOutcome } from "../../../src/adapter-kit.ts";
import { mutate } from "../admin/ask.ts";
import { ORDER_NOT_FOUND, type Step } from "./step.ts";

const TAG_LENGTH_MAX = 40;

/** Add the decision's tags to the order. Tags are a set, so a repeat changes nothing. */
export const tag: Step = async ({ target, orderGid, ask }) => {
  const tags = toOrderTags(target.decision.tags);
  if (tags.length === 0) return { outcome: "moot", reason: "no-tags" };
  const { userErrors } = await mutate(ask, "AddTags", { id: orderGid, tags });
  return toTagRefusal(userErrors) ?? { outcome: "done", detail: `tagged ${tags.join(", ")}` };
};

/** Remove the tags of an earlier decision from the order. Removing a missing tag is not an error, so a repeat changes nothing. */
export const untag: Step = async ({ target, orderGid, ask }) => {
  // Shopify compares tags after the cut and ignores case. The tags of the current decision must stay.
  const kept = new Set(toOrderTags(target.decision.tags).map((name) => name.toLowerCase()));
  const tags = toOrderTags(target.formerTags).filter((name) => !kept.has(name.toLowerCase()));
  if (tags.length === 0) return { outcome: "moot", reason: "no-tags" };
  const { userErrors } = await mutate(ask, "RemoveTags", { id: orderGid, tags });
  return toTagRefusal(userErrors) ?? { outcome: "done", detail: `removed ${tags.join(", ")}` };
};

/** Tags as Shopify stores them: cut to its limit, without blanks or duplicates. */
function toOrderTags(names: readonly string[]): readonly string[] {
  const cut = names.map((name) => cutText(name, TAG_LENGTH_MAX)).filter((name) => name !== "");
  return [...new Set(cut)];
}

/** How a tag mutation was refused; undefined when it succeeded. */
function toTagRefusal(
  userErrors: readonly { readonly field: readonly string[] | null }[],
): StepOutcome | undefined {
  // These errors have no code; the field says whether the order or the tags are at fault.
  const fields = userErrors.map((error) => error.field?.[0] ?? "");
  if (fields.includes("id")) return ORDER_NOT_FOUND;
  return fields.length > 0 ? { outcome: "impossible", reason: "tags-refused" } : undefined;
}
