import { useState } from "preact/hooks";
import { type FieldProblem, asApiError, call } from "../api/api.ts";
import type { BodyFor } from "../api/api-types.ts";
import { findProblem } from "../api/field-problems.ts";
import { showToast } from "../api/messages.ts";
import { useAction } from "../api/use-action.ts";
import type { Load } from "../api/use-load.ts";
import { toStableText } from "../base/stable-text.ts";
import type { Settings } from "./settings.ts";

const NONE: readonly FieldProblem[] = [];

type Change = BodyFor<"PUT /settings">;

/** A form for a part of the settings. It's saved unless someone else changed them. */
export function useSettingsForm<T extends object>(
  load: Pick<Load<Settings>, "etag" | "replace" | "reload">,
  part: keyof Change,
  start: T,
) {
  const [input, setInput] = useState(start);
  const { busy, problem, run, reset } = useAction((error) => {
    // The input stays; the next save compares with the reloaded settings.
    if (asApiError(error).status === 412) load.reload();
  });

  function save(change: Change, done: string, onSaved?: () => void): void {
    run(async () => {
      const answer = await call("PUT /settings", { body: change, ifMatch: load.etag });
      load.replace(answer.data, answer.etag);
      showToast(done);
      onSaved?.();
    });
  }

  const problems = problem === undefined ? NONE : asApiError(problem).errors;
  const set = <K extends keyof T>(name: K, value: T[K]) =>
    setInput((before) => ({ ...before, [name]: value }));
  return {
    input,
    set,
    save,
    /** What the server refused, by field. */
    problems,
    /** What ties a control to the form. */
    field: <K extends keyof T & string>(name: K) => ({
      value: input[name],
      error: findProblem(problems, `${part}.${name}`),
      onChange: (value: T[K]) => set(name, value),
    }),
    /** The part of a `SaveForm` that the input determines. */
    form: {
      busy,
      failure: problems.length === 0 ? problem : undefined,
      isChanged: toStableText(input) !== toStableText(start),
      onDiscard: () => (setInput(start), reset()),
    },
  };
}
