import { fork } from "node:child_process";
import { once } from "node:events";
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
