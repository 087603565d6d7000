import { useRef, useState } from "preact/hooks";
import type { OrderDetail } from "../../data/api/api-types.ts";
import { call } from "../../data/api/api.ts";
import { showToast } from "../../data/api/messages.ts";
import { getSession, toRoleReason } from "../../data/api/session.ts";
import type { Load } from "../../data/api/use-load.ts";
import { t } from "../../data/base/texts.ts";
import { setNoteDraft, useNoteDraft } from "../../data/orders/note-drafts.ts";
import { addNote } from "../../data/orders/review.ts";

/** What a person does about an order besides deciding on it. `run` saves one change at a time. */
export function useNoteCommands(
  orderId: string,
  { data: order, replace }: Load<OrderDetail>,
  run: (work: () => Promise<void>) => void,
) {
  const note = useNoteDraft(orderId);
  const setNote = (text: string) => setNoteDraft(orderId, text);
  const [isBlocking, setBlocking] = useState(false);
  const noteField = useRef<HTMLTextAreaElement>(null);
  return {
    note,
    setNote,
    noteField,
    /** Save the note without a decision. */
    keepNote: (): void => {
      if (order === null || note.trim() === "") return;
      run(async () => {
        replace(await addNote(orderId, note));
        setNote("");
        showToast(t("notes.saved"));
      });
    },
    /** Whether a dialog asks what to block. */
    isBlocking,
    askBlock: (): void => {
      const reason = toRoleReason("reviewer");
      if (reason === undefined) setBlocking(true);
      else showToast(reason, "bad");
    },
    closeBlock: () => setBlocking(false),
    /** Make this person the one who should review it. */
    assignToMe: (): void => {
      const reason = toRoleReason("reviewer");
      if (reason !== undefined) return showToast(reason, "bad");
      const body = { assignee: getSession()?.actor ?? null };
      run(async () => {
        replace((await call("PUT /orders/:orderId/assignee", { params: { orderId }, body })).data);
        showToast(t("notes.assigned-to-me"));
      });
    },
  };
}
