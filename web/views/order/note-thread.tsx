import { useRef, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Field, Select } from "../../components/form.tsx";
import { Ago } from "../../components/time.tsx";
import type { OrderDetail } from "../../data/api/api-types.ts";
import { call } from "../../data/api/api.ts";
import { showFailure } from "../../data/api/messages.ts";
import { isAllowed, isMe, toRoleReason } from "../../data/api/session.ts";
import { useAction } from "../../data/api/use-action.ts";
import { nameActor } from "../../data/api/words.ts";
import { t } from "../../data/base/texts.ts";
import { insertMention, listColleagues, suggestMentions } from "../../data/orders/mentions.ts";
import { NOTE_MAX_LENGTH } from "../../data/orders/review.ts";
import type { OrderCommands } from "./order-commands.ts";

interface NoteThreadProps {
  readonly order: OrderDetail;
  readonly commands: OrderCommands;
}

/** What people wrote about the order, who should review it, and the next note. */
export function NoteThread({ order, commands }: NoteThreadProps) {
  const roleReason = toRoleReason("reviewer");
  return (
    <div class="notes stack gap-2">
      <Assignee order={order} replace={commands.replace} />
      <Notes timeline={order.timeline} />
      <NoteEditor commands={commands} />
      <div class="row end">
        <Button
          label={t("order.save-note")}
          small
          icon="note"
          busy={commands.busy === "note"}
          disabledReason={
            roleReason ?? (commands.note.trim() === "" ? t("order.write-a-note-first") : undefined)
          }
          onClick={commands.keepNote}
        />
      </div>
    </div>
  );
}

function Notes({ timeline }: Pick<OrderDetail, "timeline">) {
  const notes = timeline.filter(({ note }) => note !== null);
  if (notes.length === 0) return null;
  return (
    <ol class="stack gap-2">
      {notes.map(({ at, actor, note, event }, index) => {
        const mentions = "mentions" in event ? (event.mentions ?? []) : [];
        return (
          <li key={`${at} ${index}`} class="note">
            <p class="hint">
              <b>{nameActor(actor)}</b> <Ago at={at} />
              {mentions.some(isMe) && <b> · {t("notes.you-are-mentioned")}</b>}
            </p>
            <blockquote class="anywhere pre" dir="auto">
              {note}
            </blockquote>
          </li>
        );
      })}
    </ol>
  );
}

const NOBODY = "";

function Assignee({ order, replace }: Pick<NoteThreadProps, "order"> & Pick<OrderCommands, "replace">) {
  const { orderId, assignee } = order;
  const { run } = useAction(showFailure);
  const colleagues = listColleagues();
  if (!isAllowed("reviewer"))
    return assignee === null ? null : <p class="hint">{t("notes.for", { name: nameActor(assignee) })}</p>;
  const known = colleagues.some(({ actor }) => actor === assignee);
  const former = assignee === null || known ? [] : [[assignee, nameActor(assignee)] as const];
  return (
    <Select
      label={t("notes.assign")}
      value={assignee ?? NOBODY}
      options={[
        [NOBODY, t("notes.nobody")] as const,
        ...colleagues.map(({ actor, name }) => [actor, name] as const),
        ...former,
      ]}
      onChange={(actor) =>
        run(async () => {
          const body = { assignee: actor === NOBODY ? null : actor };
          replace((await call("PUT /orders/:orderId/assignee", { params: { orderId }, body })).data);
        })
      }
    />
  );
}

/** The next note. A name is offered for what is typed after an `@`. */
function NoteEditor({ commands }: Pick<NoteThreadProps, "commands">) {
  const { note, setNote, noteField, keepNote } = commands;
  const [caret, setCaret] = useState(note.length);
  const offered = useRef<HTMLUListElement>(null);
  const suggested = suggestMentions(note.slice(0, caret), listColleagues());
  const follow = (field: HTMLTextAreaElement) => setCaret(field.selectionStart);
  return (
    <>
      <Field label={t("notes.note")} hint={t("notes.hint")}>
        {(control) => (
          <textarea
            {...control}
            ref={noteField}
            rows={2}
            maxLength={NOTE_MAX_LENGTH}
            value={note}
            aria-keyshortcuts="n"
            onInput={({ currentTarget }) => {
              setNote(currentTarget.value);
              follow(currentTarget);
            }}
            onKeyUp={({ currentTarget }) => follow(currentTarget)}
            onClick={({ currentTarget }) => follow(currentTarget)}
            onKeyDown={(event) => {
              if (event.key === "Escape") event.currentTarget.blur();
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) keepNote();
              if (event.key !== "ArrowDown" || suggested.length === 0) return;
              event.preventDefault();
              offered.current?.querySelector("button")?.focus();
            }}
          />
        )}
      </Field>
      {suggested.length > 0 && (
        <ul class="row gap-1" ref={offered} aria-label={t("notes.mentions")}>
          {suggested.map((colleague) => (
            <li key={colleague.actor}>
              <Button
                label={`@${colleague.name}`}
                small
                onClick={() => {
                  const next = insertMention(note, caret, colleague);
                  setNote(next.text);
                  setCaret(next.caret);
                  noteField.current?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
