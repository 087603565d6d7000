import { useState } from "preact/hooks";
import { showToast } from "../components/toasts.tsx";
import { type FieldProblem, asApiError, call } from "./api.ts";
import type { BodyFor } from "./api-types.ts";
import type { Settings } from "./settings.ts";
import type { Load } from "./use-load.ts";

/**
 * Something that a person starts and then waits for. `onFailure` is for a component that doesn't show the problem itself.
 * `What` names what is running, if there are several things to start.
 */
export function useAction<What = true>(onFailure?: (error: unknown) => void) {
  const [running, setRunning] = useState<What | null>(null);
  const [problem, setProblem] = useState<unknown>();

  /** Start, unless it's already running. */
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
  };
}

const NONE: readonly FieldProblem[] = [];

/** Save parts of the settings, unless someone else changed them. */
export function useSave(load: Pick<Load<Settings>, "etag" | "replace" | "reload">) {
  const { busy, problem, run } = useAction((error) => {
    // The input stays; the next save compares with the reloaded settings.
    if (asApiError(error).status === 412) load.reload();
  });

  function save(change: BodyFor<"PUT /settings">, done: string, onSaved?: () => void): void {
    run(async () => {
      const answer = await call("PUT /settings", { body: change, ifMatch: load.etag });
      load.replace(answer.data, answer.etag);
      showToast(done);
      onSaved?.();
    });
  }

  const problems = problem === undefined ? NONE : asApiError(problem).errors;
  /** `failure`: why it wasn't saved, if no field is at fault. */
  return { busy, problems, failure: problems.length === 0 ? problem : undefined, save };
}
