import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createProgress } from "../../src/cli/output.ts";

describe("createProgress", () => {
  it("fills as work is done, draws no more often than a person can see, and disappears", () => {
    const drawn: string[] = [];
    let nowMs = 0;
    const progress = createProgress(
      { progress: (text) => void drawn.push(text) },
      "taking in",
      4,
      () => nowMs,
    );

    for (const done of [1, 2, 3, 4]) {
      progress.show(done);
      nowMs += 60;
    }
    progress.end();

    expect(drawn).toEqual([
      "taking in [#######.......................] 1 of 4",
      "taking in [######################........] 3 of 4",
      "taking in [##############################] 4 of 4",
      "",
    ]);
  });
});

describe("TERMINAL", () => {
  it("lets a command whose reader closed its end finish its work, with its own status", async () => {
    const output = fileURLToPath(new URL("../../src/cli/output.ts", import.meta.url));
    const script = `
      const { TERMINAL } = await import(${JSON.stringify(output)});
      for (let line = 0; line < 50; line += 1) {
        TERMINAL.line("x".repeat(100_000));
        await new Promise((resolve) => setImmediate(resolve));
      }
      TERMINAL.problem("done");
      process.exitCode = 3;
    `;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.once("data", () => child.stdout.destroy());
    const [problems, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);

    expect(code).toBe(3);
    expect(problems).toContain("done");
  });
});
