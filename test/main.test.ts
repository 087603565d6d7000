import { fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { runEnvironment } from "./support/run-environment.ts";

const MAIN = new URL("../src/main.ts", import.meta.url);

it("ends after a failed start, even if a supervisor listens to it", async () => {
  const child = fork(MAIN, ["serve"], {
    // As node:cluster and pm2 do in their processes.
    execArgv: ["--import", 'data:text/javascript,process.on("message", () => {})'],
    env: { ...runEnvironment(), PORT: "none" },
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));

  expect(await once(child, "exit")).toEqual([1, null]);
});

it("ends when no folder can be made for its database", async () => {
  const child = fork(MAIN, ["serve"], {
    env: { ...runEnvironment(), PORT: "0", DATABASE_URL: "sqlite:/proc/holdfast/data/holdfast.db" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));

  expect(await text(child.stderr ?? expect.unreachable())).toContain(
    "/proc/holdfast/data/holdfast.db.key can't be read or created",
  );
  expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(1);
});

it("says when it starts that nobody can sign in", async () => {
  const child = fork(MAIN, ["serve"], {
    env: { ...runEnvironment(), PORT: "0", DATABASE_URL: "sqlite::memory:" },
    stdio: ["ignore", "pipe", "ignore", "ipc"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const messages: unknown[] = [];
  for await (const line of createInterface({ input: child.stdout ?? expect.unreachable() })) {
    messages.push((JSON.parse(line) as { msg: unknown }).msg);
    if (messages.at(-1) === "holdfast is listening") break;
  }

  expect(messages).toContain(
    "nobody can sign in to the console or the API: set CONSOLE_TOKEN, or the SHOPIFY variables",
  );
});
