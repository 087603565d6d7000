import { useState } from "preact/hooks";
import { showToast } from "../components/toasts.tsx";
import { asApiError, call, type FieldProblem } from "./api.ts";
import type { BodyFor } from "./api-types.ts";
import type { Settings } from "./settings.ts";
import type { Load } from "./use-load.ts";

type SettingsChange = BodyFor<"PUT /settings">;

/** Saving a part of the settings. */
export interface Save {
  readonly busy: boolean;
  /** What is wrong with which field. */
  readonly problems: readonly FieldProblem[];
  /** Why it was not saved, when no field is to blame. */
  readonly failure: string | null;
  /** False when it was not saved. */
  readonly save: (change: SettingsChange, done: string) => Promise<boolean>;
}

/** Save parts of the settings, unless someone else changed them. */
export function useSave(load: Pick<Load<Settings>, "etag" | "replace" | "reload">): Save {
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const [failure, setFailure] = useState<string | null>(null);

  async function save(change: SettingsChange, done: string): Promise<boolean> {
    setBusy(true);
    setProblems([]);
    setFailure(null);
    try {
      const answer = await call("PUT /settings", { body: change, ifMatch: load.etag });
      load.replace(answer.data, answer.etag);
      showToast(done);
      return true;
    } catch (error) {
      const { errors, message, status } = asApiError(error);
      setProblems(errors);
      if (errors.length === 0) setFailure(message);
      // The input stays; the next save compares with the reloaded settings.
      if (status === 412) load.reload();
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { busy, problems, failure, save };
}
