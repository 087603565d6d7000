import { useState } from "preact/hooks";
import { asApiError, call } from "../api/api.ts";
import { showToast } from "../api/messages.ts";
import { useAction } from "../api/use-action.ts";
import { t } from "../base/texts.ts";
import type { Draft } from "./evidence.ts";

/** The draft of a dispute's evidence: shown first, then saved exactly as it was shown. */
export function useEvidenceDraft(orderId: string, disputeId: string, onSaved: () => void) {
  const [communication, setText] = useState("");
  const [draft, setDraft] = useState<Draft | null>(null);
  const [hasChanged, setChanged] = useState(false);
  const { busy, problem, run } = useAction();
  const [params, body] = [{ orderId }, { disputeId, communication }];

  const load = async () => (await call("POST /orders/:orderId/evidence/preview", { params, body })).data;

  async function save({ version }: Draft): Promise<void> {
    try {
      await call("POST /orders/:orderId/evidence/draft", { params, body: { ...body, version } });
    } catch (error) {
      const { status } = asApiError(error);
      if (status !== 409 && status !== 412) throw error;
      // Nothing was saved: show what would be saved now, or why it can't be. A form shows no obstacle before it refuses a text.
      const next = await load();
      setChanged(status === 412);
      setDraft(status === 409 ? { ...next, why: next.why ?? "invalid" } : next);
      return;
    }
    showToast(t("evidence.saved"));
    onSaved();
  }

  return {
    communication,
    /** Another text is another draft. */
    setCommunication: (text: string) => {
      setText(text);
      setDraft(null);
      setChanged(false);
    },
    /** Null until it was shown. */
    draft,
    /** It changed since it was shown, so nothing was saved. */
    hasChanged,
    busy,
    problem,
    preview: () => run(async () => setDraft(await load())),
    save: () => draft !== null && run(() => save(draft)),
  };
}
