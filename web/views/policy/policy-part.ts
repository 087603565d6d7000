import type { Policy } from "../../../src/policy/policy.ts";
import type { PolicyDraft } from "../../data/policy-draft.ts";

/** What a part of the form works on. */
export interface PolicyPartProps {
  readonly draft: PolicyDraft;
  readonly policy: Policy;
}

/** Every action, as the form offers them. */
export const ACTION_OPTIONS = [
  ["allow", "Allow"],
  ["tag", "Tag"],
  ["hold", "Hold for review"],
  ["cancel", "Cancel"],
] as const;
