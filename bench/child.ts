import { fork, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

/** What a child used since the last question. */
export interface ChildUsage {
  readonly cpuMs: number;
  /** Share of the time, 0 to 1, in which its event loop was busy. */
  readonly busy: number;
}

/** A process that serves HTTP to a benchmark. */
export interface Child {
  readonly url: URL;
  /** What it used since the last call. */
  usage(): Promise<ChildUsage>;
  /** Ask it to shut down, and wait until it has ended. */
  stop(): Promise<void>;
}

/** Messages from the parent. */
export type ParentMessage = "usage" | "stop";
/** Messages from the child. */
export type ChildMessage =
  | { readonly kind: "listening"; readonly url: string }
  | ({ readonly kind: "usage" } & ChildUsage);

/** Start a module of this folder, which calls `serveParent`, in its own process. */
export async function startChild(file: string, args: readonly string[]): Promise<Child> {
  // Its output goes to standard error: standard output is for the table.
  const child = fork(new URL(file, import.meta.url), args, {
    stdio: ["ignore", 2, 2, "ipc"],
    execArgv: readStartFlags(),
  });
  const { url } = await nextMessage(child, "listening");
  return {
    url: new URL(url),
    usage() {
      const answer = nextMessage(child, "usage");
      child.send("usage" satisfies ParentMessage);
      return answer;
    },
    async stop() {
      const { promise, resolve } = Promise.withResolvers<void>();
      child.once("exit", () => resolve());
      child.send("stop" satisfies ParentMessage);
      await promise;
    },
  };
}

/** The Node flags that `npm start` runs the app with. */
function readStartFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly scripts: { readonly start: string };
  };
  return scripts.start.split(" ").filter((word) => word.startsWith("--"));
}

type MessageOf<Kind extends ChildMessage["kind"]> = Extract<ChildMessage, { readonly kind: Kind }>;

function nextMessage<Kind extends ChildMessage["kind"]>(
  child: ChildProcess,
  kind: Kind,
): Promise<MessageOf<Kind>> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`a benchmark's child process ended early, with code ${code}`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      const { kind: given } = message as ChildMessage;
      if (given === kind) resolve(message as MessageOf<Kind>);
      else reject(new Error(`expected the message ${kind}, got ${given}`));
    });
  });
}
