import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

const SCRIPT = join(import.meta.dirname, "store-child.ts");

/** What a process does with the store. */
export type ProcessMode = "budget" | "claim" | "commit" | "listen" | "own" | "race" | "tell";

/** A process that works on a store. */
export interface StoreProcess {
  /** Its output so far. */
  readonly lines: readonly string[];
  /** Lines that start with `word`, without that word. */
  said(word: string): readonly string[];
  until(isEnough: (lines: readonly string[]) => boolean): Promise<void>;
  /** Lets it start. */
  go(): void;
  /** Kills it and reads the rest of its output. */
  kill(): Promise<void>;
}

/** Starts processes and leaves none behind. */
export interface StoreProcesses {
  /** `place` is the path or the address of a database. */
  start(mode: ProcessMode, place: string): StoreProcess;
  killAll(): void;
}

/** Creates {@link StoreProcesses}. */
export function createStoreProcesses(dataKey: Buffer): StoreProcesses {
  const children: ChildProcess[] = [];
  return {
    start(mode, place) {
      const child = spawn(process.execPath, [SCRIPT, mode, place, dataKey.toString("base64")], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      children.push(child);
      return follow(child);
    },
    killAll() {
      for (const child of children.splice(0)) child.kill("SIGKILL");
    },
  };
}

function follow(child: ReturnType<typeof spawn>): StoreProcess {
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("the process has no pipes");
  const exited = once(child, "close");
  const lines: string[] = [];
  const reader = createInterface({ input: stdout });
  const heard = once(reader, "close");
  const waiting: { readonly isEnough: () => boolean; readonly resolve: () => void }[] = [];
  reader.on("line", (line) => {
    lines.push(line);
    for (const one of waiting) if (one.isEnough()) one.resolve();
  });

  return {
    lines,
    said: (word) =>
      lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1)),
    until: (isEnough) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ isEnough: () => isEnough(lines), resolve });
        if (isEnough(lines)) resolve();
        void exited.then(() => reject(new Error(`the process ended after ${lines.length} lines`)));
      }),
    go: () => void stdin.write("go\n"),
    async kill() {
      child.kill("SIGKILL");
      await exited;
      await heard;
    },
  };
}
