import { useState } from "preact/hooks";
import type { Policy } from "../../../src/policy/policy.ts";
import { Button } from "../../components/button.tsx";
import { Choice } from "../../components/choice.tsx";
import { Failure, Skeleton } from "../../components/panel.tsx";
import { showToast } from "../../components/toasts.tsx";
import { call, explain } from "../../data/api.ts";
import { useSavedPolicy } from "../../data/policy-draft.ts";
import { toHash } from "../../data/route.ts";
import { toRoleReason } from "../../data/session.ts";

/** Shadow or active, for a policy that nobody has looked at yet. */
export function ModeStep({ onChange }: { readonly onChange: () => void }) {
  const { data, etag, error, reload, replace } = useSavedPolicy();
  const [chosen, setChosen] = useState<Policy["mode"] | null>(null);
  const [busy, setBusy] = useState(false);
  if (data === null)
    return error === null ? <Skeleton lines={5} /> : <Failure error={error} onRetry={reload} />;
  // Nobody chose yet: what is recommended first.
  const mode = chosen ?? (etag === '"0"' ? "shadow" : data.mode);

  async function save(): Promise<void> {
    setBusy(true);
    try {
      const answer = await call("PUT /policy", { body: { ...data, mode }, ifMatch: etag });
      replace(answer.data, answer.etag);
      showToast(mode === "shadow" ? "Shadow mode is on." : "Active mode is on.");
      onChange();
    } catch (failed) {
      showToast(explain(failed), "bad");
      reload();
    }
    setBusy(false);
  }

  return (
    <fieldset class="plain stack" disabled={toRoleReason("owner") !== undefined}>
      <legend class="unseen">Mode</legend>
      <Choice
        legend="Mode"
        hideLegend
        value={mode}
        onChange={setChosen}
        options={[
          [
            "shadow",
            "Shadow first (recommended)",
            "Holdfast records decisions without changing orders. After a few days, the report shows what it would have done.",
          ],
          ["active", "Active", "Holdfast tags, holds, and cancels new orders according to your policy."],
        ]}
      />
      <div class="row">
        <Button look="primary" busy={busy} disabledReason={toRoleReason("owner")} onClick={() => void save()}>
          {mode === "shadow" ? "Use shadow mode" : "Use active mode"}
        </Button>
        <a href={toHash({ view: "policy" })}>View policy</a>
      </div>
    </fieldset>
  );
}
