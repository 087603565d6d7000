import { type ScreeningTask, type Progress, type Screened, toUnavailable } from "./screening-task.ts";

/** A check in progress. Callers with the same content share it. It continues when they leave. */
export interface SharedCall {
  /** Never rejects. */
  readonly ended: Promise<Screened>;
  readonly progress: Progress;
}

/** The checks in progress in this process, at most one per order state. */
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

/** A caller who wants a new answer shares no call with callers who accept an older one. */
function toCallKey({ key, input }: ScreeningTask): string {
  return input.answersSinceMs === undefined ? key : `${key}\0${input.answersSinceMs}`;
}
