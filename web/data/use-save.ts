import { showToast } from "../components/toasts.tsx";
import { asApiError, call, type FieldProblem } from "./api.ts";
import type { BodyFor } from "./api-types.ts";
import type { Settings } from "./settings.ts";
import { useAction } from "./use-action.ts";
import type { Load } from "./use-load.ts";

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
