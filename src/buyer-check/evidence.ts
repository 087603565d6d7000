import type { Store } from "../store/store.ts";
import type { BuyerFile } from "../store/buyer-checks/buyer-evidence.ts";
import { BUYER_FILE_TYPES } from "../order/buyer-check.ts";
import { cutText } from "../order/text.ts";
import { toFileType } from "./file-type.ts";
import { html } from "./html.ts";
import type { BuyerMethod, Judgement, SubmittedBody } from "./method.ts";

/** In UTF-16 code units, as browsers count. */
export const LONGEST_NOTE = 2_000;
/** Most photos of a phone are smaller. */
export const MOST_FILE_BYTES = 8 * 1024 * 1024;
/** For all files of a shop together, so that who places many orders can't fill the disk. */
export const MOST_STORED_BYTES = 512 * 1024 * 1024;

/**
 * The buyer writes a note, and can add a photo or a file. Anybody can write and draw anything, so it never releases an order by
 * itself: a person reads it.
 */
export function createEvidence(store: Pick<Store, "buyerEvidence">): BuyerMethod {
  const isFull = async (tenant: string) =>
    (await store.buyerEvidence.countBytes(tenant)) + MOST_FILE_BYTES > MOST_STORED_BYTES;
  return {
    name: "evidence",
    fileBytes: MOST_FILE_BYTES,

    async offer({ order }) {
      return (await isFull(order.tenant)) ? { possible: false, reason: "storage-full" } : { possible: true };
    },

    form({ texts, check }, action, given) {
      // Where there is another form, it has this button already.
      const isOnly = check.methods["earlier-address"] !== true && check.methods["card-code"] !== true;
      return html`<form method="post" action="${action}" enctype="multipart/form-data">
        <h2>${texts["evidence-title"]}</h2>
        <p>${texts["evidence-text"]}</p>
        <label for="note">${texts["evidence-note"]}</label>
        <textarea id="note" name="note" rows="5" maxlength="${LONGEST_NOTE}">${toNote(given)}</textarea>
        <label for="file">${texts["evidence-file"]}</label>
        <input id="file" name="file" type="file" accept="${BUYER_FILE_TYPES.join(",")}" />
        <p class="answers">
          <button name="answer" value="send">${texts["evidence-send"]}</button>
          ${isOnly && html`<button name="answer" value="no" class="plain">${texts["earlier-no"]}</button>`}
        </p>
      </form>`;
    },

    async judge({ check, nowMs }, { fields, file }): Promise<Judgement> {
      const note = toNote(fields);
      const own = { ...check, atMs: nowMs, note: note === "" ? null : cutText(note, LONGEST_NOTE) };
      const hasNoRoom = file !== undefined && (await isFull(check.tenant));
      const usable = hasNoRoom ? null : toKept(file);
      const write = store.buyerEvidence.prepare({ ...own, file: usable });
      // Who says that it isn't their order is believed at once, whatever came with it.
      if (fields.get("answer") === "no") {
        const isEmpty = own.note === null && usable === null;
        const isWithoutFile = file !== undefined && usable === null;
        return { outcome: "answered", answer: "wrong", write: isEmpty ? undefined : write, isWithoutFile };
      }
      const problem = findProblem(note, file);
      if (problem !== undefined) return { outcome: "again", problem };
      if (hasNoRoom) return { outcome: "again", problem: "no-room", isFree: true };
      return { outcome: "answered", answer: "for-person", write };
    },
  };
}

/** A file that can be kept. */
function toKept(file: SubmittedBody["file"]): BuyerFile | null {
  const type = file === undefined || file.isCut ? undefined : toFileType(file.bytes);
  return file === undefined || type === undefined ? null : { type, bytes: file.bytes };
}

function findProblem(note: string, file: SubmittedBody["file"]) {
  if (note === "" && file === undefined) return "say-something";
  if (note.length > LONGEST_NOTE) return "note-too-long";
  if (file?.isCut === true) return "file-too-large";
  return file !== undefined && toFileType(file.bytes) === undefined ? "file-type" : undefined;
}

/** Without control characters and broken characters, and with one kind of line break. */
function toNote(fields: ReadonlyMap<string, string> = new Map()): string {
  return (fields.get("note") ?? "")
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replaceAll(/(?![\n\t])\p{Cc}/gu, "")
    .toWellFormed()
    .trim();
}
