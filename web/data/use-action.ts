import { useState } from "preact/hooks";

/** Something that a person starts and then waits for. `onFailure` is for a component that doesn't show the problem itself. */
export function useAction(onFailure?: (error: unknown) => void) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();

  /** Start, unless it's already running. */
  async function run(work: () => Promise<unknown>): Promise<void> {
    if (busy) return;
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

  /** `problem`: why it failed; undefined before that, and during another try. */
  return { busy, problem, run: (work: () => Promise<unknown>) => void run(work) };
}
