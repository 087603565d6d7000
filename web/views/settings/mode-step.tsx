import { useState } from "preact/hooks";
import type { Policy } from "../../../src/policy/policy.ts";
import { Button } from "../../components/button.tsx";
import { Choice } from "../../components/choice.tsx";
import { Failure, Skeleton } from "../../components/panel.tsx";
import { showToast } from "../../components/toasts.tsx";
import { call, explain } from "../../data/api.ts";
import { toHash } from "../../data/route.ts";
import { toRoleReason } from "../../data/session.ts";
import { useLoad } from "../../data/use-load.ts";

/** Shadow or active, for a policy that nobody has looked at yet. */
export function ModeStep({ onChange }: { readonly onChange: () => void }) {
  const { data, etag, error, reload, replace } = useLoad<Policy>("/policy");
  const [chosen, setChosen] = useState<Policy["mode"] | null>(null);
  const [busy, setBusy] = useState(false);
  if (data === null)
    return error === null ? <Skeleton lines={5} /> : <Failure error={error} onRetry={reload} />;
  // Nobody chose yet: what is recommended first.
  const mode = chosen ?? (etag === '"0"' ? "shadow" : data.mode);

  async function save(): Promise<void> {
    setBusy(true);
    try {
      const answer = await call<Policy>("/policy", { method: "PUT", body: { ...data, mode }, ifMatch: etag });
      replace(answer.data, answer.etag);
      showToast(mode === "shadow" ? "Holdfast watches and touches nothing." : "Holdfast acts on new orders.");
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
            "Holdfast decides and records, and touches nothing on the platform. After some days the report shows in money what it would have done.",
          ],
          ["active", "Active", "Holdfast tags, holds and cancels from now on, as the policy says."],
        ]}
      />
      <div class="row">
        <Button look="primary" busy={busy} disabledReason={toRoleReason("owner")} onClick={() => void save()}>
          {mode === "shadow" ? "Watch first" : "Act now"}
        </Button>
        <a href={toHash({ view: "policy" })}>See the whole policy</a>
      </div>
    </fieldset>
  );
}
