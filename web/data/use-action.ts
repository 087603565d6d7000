import { useState } from "preact/hooks";

/** Something that a person starts and then waits for. */
export interface Action {
  readonly busy: boolean;
  /** Why it failed; undefined while it hasn't, or is tried again. */
  readonly problem: unknown;
  /** Begin, unless it is under way. */
  readonly run: (work: () => Promise<unknown>) => void;
}

/** An {@link Action} of a component. `onFailure` is for one that doesn't show the problem itself. */
export function useAction(onFailure?: (error: unknown) => void): Action {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();

  async function carryOut(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await work();
    } catch (error) {
      setProblem(error);
      onFailure?.(error);
    } finally {
      setBusy(false);
    }
  }

  return {
    busy,
    problem,
    run(work) {
      if (!busy) void carryOut(work);
    },
  };
}
