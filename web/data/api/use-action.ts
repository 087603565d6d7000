import { useState } from "preact/hooks";

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
