import { useState } from "preact/hooks";
import { type FieldProblem, asApiError, call } from "../api/api.ts";
import { listenAgain } from "../api/changes.ts";
import type { DataOf } from "../api/api-types.ts";
import { findProblem } from "../api/field-problems.ts";
import { showToast } from "../api/messages.ts";
import { isEmbedded } from "../api/session.ts";
import { useAction } from "../api/use-action.ts";
import type { Load } from "../api/use-load.ts";
import { toStableText } from "../base/stable-text.ts";
import { findLanguage, LANGUAGE } from "../base/language.ts";
import { t } from "../base/texts.ts";

export type Notices = DataOf<"GET /notices">;
export type NoticeEvent = keyof Notices["events"];
export type NoticeChannel = "email" | "webhook" | "page";
type Test = DataOf<"POST /notices/test">;

export const EVENTS: readonly NoticeEvent[] = [
  "held",
  "inquiry",
  "deadline",
  "attention",
  "assigned",
  "service",
];

const NONE: readonly FieldProblem[] = [];

function toStart({ events, email, language }: Notices) {
  return {
    events,
    email: email ?? "",
    emailCode: "",
    // Undefined keeps the saved address, null removes it.
    webhookUrl: undefined as string | null | undefined,
    // Somebody who chose none reads the console in theirs.
    language: language ?? findLanguage(LANGUAGE) ?? "en",
  };
}

/** The form of a person's notices. */
export function useNoticeForm(load: Pick<Load<Notices>, "replace">, notices: Notices) {
  const start = toStart(notices);
  const [input, setInput] = useState(start);
  const { busy, problem, run, reset } = useAction();
  const problems = problem === undefined ? NONE : asApiError(problem).errors;

  function save(): void {
    run(async () => {
      const { events, email, emailCode, webhookUrl, language } = input;
      const body = {
        events,
        ...(notices.canMail ? { email: email.trim() || null } : {}),
        ...(emailCode.trim() === "" ? {} : { emailCode }),
        ...(webhookUrl === undefined ? {} : { webhookUrl }),
        language,
        isEmbedded,
      };
      const { data } = await call("PUT /notices", { body });
      load.replace(data);
      setInput(toStart(data));
      listenAgain();
      showToast(t("notices.saved"));
    });
  }

  function choose(event: NoticeEvent, channel: NoticeChannel, isOn: boolean): void {
    setInput((before) => {
      const others = (before.events[event] ?? []).filter((one) => one !== channel);
      return { ...before, events: { ...before.events, [event]: isOn ? [...others, channel] : others } };
    });
  }

  return {
    input,
    choose,
    save,
    field: <K extends "email" | "emailCode" | "webhookUrl" | "language">(name: K) => ({
      error: findProblem(problems, name),
      onChange: (value: (typeof input)[K]) => setInput((before) => ({ ...before, [name]: value })),
    }),
    form: {
      busy,
      failure: problems.length === 0 ? problem : undefined,
      isChanged: toStableText(toSorted(input)) !== toStableText(toSorted(start)),
      onDiscard: () => (setInput(start), reset()),
    },
  };
}

/** The same choices are the same, in whichever order they were made. */
function toSorted({ events, ...others }: ReturnType<typeof toStart>) {
  const chosen = EVENTS.map((event) => (events[event] ?? []).toSorted());
  return { ...others, chosen };
}

/** What happened to a test, in a sentence. */
export function explainTest({ outcome, status }: Test): string {
  return outcome === "refused"
    ? t("notices.test-refused", { status: String(status) })
    : t(`notices.test-${outcome}`);
}
