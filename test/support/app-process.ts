import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { inject } from "vitest";
import { runEnvironment } from "./run-environment.ts";

/** The app in a separate process. */
export interface AppProcess {
  readonly pid: number;
  /** Where it listens; rejects if the process ends before that. */
  readonly started: Promise<URL>;
  /** Resolves when it has ended, however it did. */
  readonly ended: Promise<void>;
  isRunning(): boolean;
  /** Send a message and wait for the answer. Rejects if the process ends before it. */
  ask(message: object): Promise<void>;
  /** Send a signal, and wait for the end. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Options of {@link launchApp}. */
export interface AppProcessOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Module to run in the process before the app. */
  readonly preload?: URL | undefined;
  /** Called with everything that it writes to its standard output and error. */
  readonly onOutput: (text: string) => void;
}

/** Start the app in a new process. */
export function launchApp({ environment, preload, onOutput }: AppProcessOptions): AppProcess {
  const bundle = inject("appBundle");
  const child = fork(join(bundle, "app.mjs"), {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // What is compiled of the bundle goes with it.
    env: {
      PATH: process.env["PATH"],
      ...runEnvironment(),
      NODE_COMPILE_CACHE: join(bundle, "compiled"),
      ...environment,
    },
    execArgv: preload === undefined ? [] : ["--import", preload.href],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", onOutput);
  const ended = once(child, "exit").then(() => undefined);
  const started = hear<{ readonly url: string }>(child, ended).then(({ url }) => new URL(url));
  // A caller that only waits for its end must not get the error twice.
  started.catch(() => undefined);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;

  return {
    // Undefined only for a process that couldn't be created, which then doesn't start either.
    pid: child.pid ?? 0,
    started,
    ended,
    isRunning,
    async ask(message) {
      const answer = hear(child, ended);
      // It may end before it answers. The caller then gets that error.
      child.send(message, () => undefined);
      await answer;
    },
    async end(signal) {
      if (isRunning()) child.kill(signal);
      await ended;
    },
  };
}

async function hear<T>(child: ChildProcess, ended: Promise<void>): Promise<T> {
  const gone = ended.then(() => {
    throw new Error("the app ended without an answer");
  });
  gone.catch(() => undefined);
  const [message] = (await Promise.race([once(child, "message"), gone])) as [T];
  return message;
}
