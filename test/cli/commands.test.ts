import { describe, expect, it } from "vitest";
import { runCommand } from "../../src/cli/commands.ts";
import type { DemoOptions } from "../../src/cli/command.ts";
import type { Terminal } from "../../src/cli/output.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";

async function run(...args: string[]) {
  const lines: string[] = [];
  const demos: DemoOptions[] = [];
  const terminal: Terminal = {
    isInteractive: false,
    hasColors: false,
    line: (text) => void lines.push(text),
    problem: (text) => void lines.push(text),
    progress() {},
    confirm: () => expect.unreachable(),
  };
  const isSound = await runCommand(args, {
    terminal,
    version: "1.2.3",
    platforms: [],
    orderFormats: async () => [],
    demo: async ({ serve, json }) => void demos.push({ serve, json }),
    now: Date.now,
  });
  return { isSound, text: lines.join("\n"), demos };
}

describe("runCommand", () => {
  it("lists the commands", async () => {
    expect((await run("--version")).text).toBe("1.2.3");
    for (const args of [[], ["--help"], ["doctor", "-h"]]) {
      expect((await run(...args)).text).toMatch(/^ {2}doctor .*\n {2}backfill /m);
    }
  });

  it("lists only the commands of a group, with their options, when its help is asked for", async () => {
    const { text } = await run("catalog", "--help");

    expect(text).toMatch(/^holdfast catalog\n\n {2}catalog products list /);
    expect(text).toMatch(/^ {2}--body JSON /m);
    expect(text).not.toMatch(/^ {2}(?:serve|doctor|--port|--data)/m);
  });

  it("names the sandbox's actual default rate limit", async () => {
    const service = createSandboxService();
    const url = new URL("api/organizations/get", await service.listen());
    const answer = await fetch(url, { headers: { "x-api-key": SANDBOX_API_KEY } });
    await service.close();

    const limit = answer.headers.get("x-ratelimit-limit");
    expect(limit).toMatch(/^\d+$/);
    expect((await run("--help")).text).toContain(`requests per window (default ${limit}/m)`);
  });

  it("runs the command, wherever its options are", async () => {
    expect((await run("demo")).demos).toEqual([{ serve: false, json: false }]);
    expect((await run("--serve", "demo", "--json")).demos).toEqual([{ serve: true, json: true }]);
  });

  it.each([
    [["fly"], 'unknown command "fly"'],
    [["constructor"], 'unknown command "constructor"'],
    [["doctor", "--serve"], "doctor has no --serve; expected --json"],
    [["serve", "--serve"], "serve has no --serve; expected --json"],
    [["backup", "--json"], "backup has no --json; expected --force"],
    [["verify"], "verify: expected one FILE, got none"],
    [["verify", "a", "b"], "verify: expected one FILE, got 2"],
    [["doctor", "now"], "doctor: expected nothing more, got 1"],
    [["doctor", "--fast"], "Unknown option '--fast'"],
    [["backfill", "--since"], "Option '--since <value>' argument missing"],
    [["backfill"], "--since: expected"],
    [["backfill", "--since", "soon"], "--since: expected"],
    [["backfill", "--since", "731d"], "(KEEP_ORDERS_DAYS), got 731d"],
  ])("names what was expected instead of %j", async (args, message) => {
    await expect(run(...args)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: expect.stringContaining(message),
    });
  });
});
