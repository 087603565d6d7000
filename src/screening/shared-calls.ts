import { type ScreeningTask, type Progress, type Screened, toUnavailable } from "./screening-task.ts";

/** A question under way. Callers with the same content share it; it outlives each of them. */
export interface SharedCall {
  /** Never rejects. */
  readonly ended: Promise<Screened>;
  readonly progress: Progress;
}

/** The questions under way in this process, at most one per order state. */
export interface SharedCalls {
  find(task: ScreeningTask): SharedCall | undefined;
  /** Begin to ask. */
  start(task: ScreeningTask, limits: Pick<Progress, "startedAtMs" | "waitMs">): SharedCall;
  /** Wait for those under way. */
  settle(): Promise<void>;
}

/** Create {@link SharedCalls} that ask with `ask`. */
export function createSharedCalls(
  ask: (task: ScreeningTask, progress: Progress) => Promise<Screened>,
): SharedCalls {
  const calls = new Map<string, SharedCall>();

  return {
    find: (task) => calls.get(toCallKey(task)),
    start(task, limits) {
      const { fingerprint } = task;
      const key = toCallKey(task);
      const progress: Progress = { credits: 0, ...limits };
      const ended = ask(task, progress)
        .catch((error: unknown) => toUnavailable(error, progress.credits, fingerprint))
        .finally(() => calls.delete(key));
      const call = { ended, progress };
      calls.set(key, call);
      return call;
    },
    async settle() {
      await Promise.allSettled([...calls.values()].map(({ ended }) => ended));
    },
  };
}

/** Who asks anew does not share a call with those who would take an older answer. */
function toCallKey({ key, input }: ScreeningTask): string {
  return input.answersSinceMs === undefined ? key : `${key}\0${input.answersSinceMs}`;
}
