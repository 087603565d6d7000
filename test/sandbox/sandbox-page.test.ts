import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { SANDBOX_OPTIONS } from "../../src/cli/sandbox-options.ts";
import { SANDBOX_TABLE } from "../../src/sandbox/sandbox-scenarios.ts";
import { INVALID_BODY, STATUS_MESSAGES } from "../../src/sandbox/http.ts";
import { verificationServiceContract } from "../../src/testing.ts";
import { KEY, start } from "./service-stage.ts";
import { runEnvironment } from "../support/run-environment.ts";

const run = promisify(execFile);
const PAGE = readFileSync("docs/sandbox.md", "utf8");

/** The cells of the first table under a heading. */
function rows(title: string): readonly (readonly string[])[] {
  const section = PAGE.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? "";
  const [table = ""] = section.match(/(?:^\|.*\n)+/m) ?? [];
  return table
    .trimEnd()
    .split("\n")
    .slice(2)
    .map((row) => row.slice(2, -2).split(" | "));
}

const quoted = (text = ""): string[] => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");

/** The names of an exported interface's members. */
function membersOf(file: string, name: string): readonly string[] {
  const body = new RegExp(`^export interface ${name} \\{\\n([\\s\\S]*?)^\\}`, "m").exec(
    readFileSync(file, "utf8"),
  );
  return [...(body?.[1] ?? "").matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map((match) => match[1] ?? "");
}

describe("docs/sandbox.md", () => {
  it("has the exact table of magic values", () => {
    expect(rows("Magic values")).toEqual(
      SANDBOX_TABLE.map(({ by, value, metered, answer }) => [
        `\`${by}\``,
        `\`${value}\``,
        metered ? "yes" : "no",
        answer,
      ]),
    );
  });

  it("names every option of the command, and no others", () => {
    const source = readFileSync("src/cli/commands.ts", "utf8");
    const own = /\n {2}sandbox: command\(\[([^\]]+)\]/.exec(source)?.[1] ?? "";
    const named = rows("Start it").flatMap(([cell]) =>
      quoted(cell).map((option) => option.split(" ")[0] ?? ""),
    );

    expect(own).toContain("...SANDBOX_OPTIONS");
    const others = [...own.matchAll(/"([\w-]+)"/g)].map(([, name]) => name);
    expect(named.toSorted()).toEqual([...SANDBOX_OPTIONS, ...others].map((name) => `--${name}`).toSorted());
    expect(named.length).toBeGreaterThan(8);
  });

  it("names every option of createSandboxService and every member of an adapter under test", () => {
    const options = rows("In a test").flatMap(([cell]) => quoted(cell));
    const members = rows("Contract suites").flatMap(([cell]) =>
      quoted(cell).map((name) => name.replace(/\(.*/, "")),
    );

    expect(options).toEqual(membersOf("src/sandbox/sandbox-service.ts", "SandboxServiceOptions"));
    expect(members).toEqual(membersOf("src/testing/adapter-under-test.ts", "AdapterUnderTest"));
  });

  it("quotes the service's messages exactly", () => {
    const messages = new Set<string>([INVALID_BODY, ...Object.values(STATUS_MESSAGES)]);
    const told = rows("What it answers").filter(([, status = ""]) => /^[45]\d\d$/.test(status));

    for (const [request, , message] of told) expect(messages, request).toContain(quoted(message)[0]);
    expect(told.length).toBeGreaterThan(7);
  });

  it("states what the service's suite can cost", () => {
    const suite = verificationServiceContract({ url: "https://verify.example", apiKey: "key" });
    const credits = suite.reduce((sum, { credits }) => sum + credits, 0);

    expect(PAGE).toContain(`it can cost ${credits} credits`);
  });

  it("has a suite for Node's own runner that runs unchanged", async () => {
    const snippet = /With Node's own runner:\n\n```js\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? "";
    const folder = mkdtempSync(join(tmpdir(), "holdfast-snippet-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "contract.test.mjs");
    writeFileSync(
      file,
      snippet.replace("holdfast/testing", new URL("../../src/testing.ts", import.meta.url).href),
    );
    const { base } = await start();

    const { stdout } = await run(process.execPath, ["--test", "--test-reporter=tap", file], {
      env: {
        ...runEnvironment(),
        PATH: process.env["PATH"] ?? "",
        VERIFY_URL: base.href,
        VERIFY_API_KEY: KEY["x-api-key"],
      },
    });

    expect(stdout).toMatch(/^# pass \d{2}$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
    expect(snippet.trimEnd().split("\n").length).toBeLessThanOrEqual(6);
  });
});
