import { REMOVE_TAGS } from "../admin/operations.ts";
import { requirePayload, type Step } from "./step.ts";
import { toOrderTags, toTagRefusal, type TagsPayload } from "./tag.ts";

interface UntagAnswer {
  readonly tagsRemove: TagsPayload | null;
}

/** Take the tags of an earlier decision off the order. One that is gone already is no error, so a repeat changes nothing. */
export const untag: Step = async ({ target, orderGid, ask }) => {
  // Shopify tells tags apart without regard to case, and after the cut: what the present decision says must stay.
  const kept = new Set(toOrderTags(target.decision.tags).map((name) => name.toLowerCase()));
  const tags = toOrderTags(target.formerTags).filter((name) => !kept.has(name.toLowerCase()));
  if (tags.length === 0) return { outcome: "moot", reason: "no-tags" };
  const { data } = await ask<UntagAnswer>(REMOVE_TAGS, { id: orderGid, tags });
  const refusal = toTagRefusal(requirePayload(data.tagsRemove));
  return refusal ?? { outcome: "done", detail: `removed ${tags.join(", ")}` };
};
