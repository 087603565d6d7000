import { Worker } from "node:worker_threads";
import type {
  CheckpointAnswer,
  CheckpointRequest,
  CheckpointResult,
  CheckpointThreadData,
} from "./sqlite-checkpoint-thread.ts";

/** Asks the thread that checkpoints. */
export interface CheckpointClient {
  /** Rejects when the thread could not do it, or ended. One question at a time. */
  ask(request: "passive" | "truncate"): Promise<CheckpointResult>;
  /** False once it is known that the thread cannot run here. */
  isUsable(): boolean;
  close(): Promise<void>;
}

/** Options of {@link createCheckpointClient}. */
export interface CheckpointClientOptions {
  readonly path: string;
  /** The thread's module. Default: the one beside this module. */
  readonly thread?: URL | undefined;
}

/** How long a truncation waits for readers of other processes, in milliseconds. Commits of this one wait with it. */
export const READERS_TIMEOUT_MS = 100;

/** Create a {@link CheckpointClient}. The thread is started when it is first needed, and again when it ended by itself. */
export function createCheckpointClient({ path, thread: given }: CheckpointClientOptions): CheckpointClient {
  const workerData: CheckpointThreadData = { path, busyTimeoutMs: READERS_TIMEOUT_MS };
  let worker: Worker | undefined;
  let isUsable = true;
  let hasWorked = false;

  function start(): Worker {
    const started = new Worker(given ?? toModule(), { workerData, name: "sqlite-checkpoints" });
    started.unref();
    const end = (): void => {
      if (worker === started) worker = undefined;
      // One that never did anything would not do it the next time.
      isUsable &&= hasWorked;
    };
    started.on("error", end);
    started.on("exit", end);
    return started;
  }

  return {
    isUsable: () => isUsable,

    async ask(request: CheckpointRequest): Promise<CheckpointResult> {
      const asked = (worker ??= start());
      const { promise, resolve, reject } = Promise.withResolvers<CheckpointAnswer>();
      const onExit = (code: number): void => reject(new Error(`the thread ended with code ${code}`));
      asked.once("message", resolve).once("error", reject).once("exit", onExit);
      // While it works, whoever waits for it must not be the last who keeps the process running.
      asked.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      asked.postMessage(request);
      try {
        const answer = await promise;
        if ("failed" in answer) throw new Error(answer.failed);
        return answer;
      } finally {
        asked.off("message", resolve).off("error", reject).off("exit", onExit);
        asked.unref();
        hasWorked ||= worker === asked;
      }
    },

    async close(): Promise<void> {
      const last = worker;
      if (last === undefined) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      last.once("exit", () => resolve()).ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      last.postMessage("close" satisfies CheckpointRequest);
      await promise;
    },
  };
}

/** Beside this module, from the sources and compiled; in a bundle it is not there. Not written as bundlers look for it. */
function toModule(): URL {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./sqlite-checkpoint-thread.${extension}`, import.meta.url);
}
