import { isHoldfastError, type FieldProblem } from "../../base/errors.ts";
import type { TenantId } from "../../platform/platform.ts";
import { parsePolicy, type Policy } from "../../policy/policy.ts";
import { findPersonalRuleNames } from "../../policy/rule-names.ts";
import { findUnmatchable } from "../../policy/unmatchable.ts";
import type { ServerParts } from "../server-parts.ts";

/** A policy to save or to replay, or its invalid fields. */
export type SubmittedPolicy = { readonly policy: Policy } | { readonly errors: readonly FieldProblem[] };

/** Check a submitted policy: its schema, that no rule names a person, and that each new rule can match something. */
export async function checkSubmittedPolicy(
  { store }: Pick<ServerParts, "store">,
  tenant: TenantId,
  document: unknown,
): Promise<SubmittedPolicy> {
  const kept = await store.loadPolicy(tenant);
  const parsed = attempt(() => parsePolicy(document));
  if ("errors" in parsed) return parsed;
  const former = kept === null ? null : attempt(() => parsePolicy(kept.document));
  const errors = [
    ...findPersonalRuleNames(parsed.policy),
    ...findUnmatchable(parsed.policy, former !== null && "policy" in former ? former.policy : null),
  ];
  return errors.length === 0 ? parsed : { errors };
}

function attempt(parse: () => Policy): SubmittedPolicy {
  try {
    return { policy: parse() };
  } catch (error) {
    if (!isHoldfastError(error, "POLICY_INVALID")) throw error;
    return { errors: error.fields };
  }
}
