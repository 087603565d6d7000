import { useState } from "preact/hooks";

/** Something that a person starts and then waits for. `onFailure` is for a component that doesn't show the problem itself. */
export function useAction(onFailure?: (error: unknown) => void) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();

  /** Begin, unless it is under way. */
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

  /** `problem`: why it failed; undefined while it hasn't, or is tried again. */
  return { busy, problem, run: (work: () => Promise<unknown>) => void run(work) };
}
