import { cutText } from "../../src/index.ts";
import { ADD_TAGS } from "./operations.ts";
import { requirePayload, type Step } from "./step.ts";

interface TagsAnswer {
  readonly tagsAdd: { readonly userErrors: readonly { readonly field: readonly string[] | null }[] } | null;
}

/** Longest tag of an order. */
const TAG_LENGTH_MAX = 40;

/** Add the decision's tags to the order. Tags are a set, so a repeat changes nothing. */
export const tag: Step = async ({ target, orderGid, ask }) => {
  const cut = target.decision.tags.map((name) => cutText(name, TAG_LENGTH_MAX)).filter((name) => name !== "");
  const tags = [...new Set(cut)];
  if (tags.length === 0) return { outcome: "moot", reason: "no-tags" };
  const { data } = await ask<TagsAnswer>(ADD_TAGS, { id: orderGid, tags });
  const { userErrors } = requirePayload(data.tagsAdd);
  // These errors have no code; the field says whether the order or the tags are at fault.
  const fields = userErrors.map((error) => error.field?.[0] ?? "");
  if (fields.includes("id")) return { outcome: "impossible", reason: "order-not-found" };
  if (fields.length > 0) return { outcome: "impossible", reason: "tags-refused" };
  return { outcome: "done", detail: `tagged ${tags.join(", ")}` };
};
