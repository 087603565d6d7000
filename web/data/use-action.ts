import { useState } from "preact/hooks";
import { showToast } from "../components/toasts.tsx";
import { type FieldProblem, asApiError, call } from "./api.ts";
import type { BodyFor } from "./api-types.ts";
import { toText } from "./policy-diff.ts";
import { findProblem } from "./policy-draft.ts";
import type { Settings } from "./settings.ts";
import type { Load } from "./use-load.ts";

/**
 * Something that a person starts and then waits for. `onFailure` is for a component that doesn't show the problem itself.
 * `What` names what is running, if there are several things to start.
 */
export function useAction<What = true>(onFailure?: (error: unknown) => void) {
  const [running, setRunning] = useState<What | null>(null);
  const [problem, setProblem] = useState<unknown>();

  async function run(work: () => Promise<unknown>, what: What): Promise<void> {
    if (running !== null) return;
    setRunning(what);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(error);
      onFailure?.(error);
    } finally {
      setRunning(null);
    }
  }

  /** `problem`: why it failed; undefined before that, and during another try. */
  return {
    busy: running !== null,
    running,
    problem,
    run: (work: () => Promise<unknown>, what = true as What) => void run(work, what),
    reset: () => setProblem(undefined),
  };
}

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
      isChanged: toText(input) !== toText(start),
      onDiscard: () => (setInput(start), reset()),
    },
  };
}
