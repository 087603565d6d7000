import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ServiceContext } from "../../src/cli/command.ts";
import type { Terminal } from "../../src/cli/output.ts";
import { parseConfig } from "../../src/config.ts";
import { createSandboxService, SANDBOX_API_KEY } from "../../src/sandbox/sandbox-service.ts";

/** A sandbox, and a terminal that records its output. */
export async function startCatalog({ json = false, answer = true, credits = 1_000, itemMs = 0 } = {}) {
  const service = createSandboxService({ credits, catalog: { itemMs } });
  const url = await service.listen();
  onTestFinished(() => service.close());
  const told = {
    lines: [] as string[],
    problems: [] as string[],
    questions: [] as string[],
    bars: [] as string[],
  };
  const terminal: Terminal = {
    isInteractive: true,
    hasColors: false,
    line: (text) => void told.lines.push(text),
    problem: (text) => void told.problems.push(text),
    progress: (text) => void told.bars.push(text),
    async confirm(question) {
      told.questions.push(question);
      return answer;
    },
  };
  const config = parseConfig({
    VERIFY_URL: url.href,
    VERIFY_API_KEY: SANDBOX_API_KEY,
    MANAGEMENT_URL: url.href,
    MANAGEMENT_TOKEN: SANDBOX_API_KEY,
  });
  const context: ServiceContext = { config, terminal, json, now: Date.now };
  const folder = mkdtempSync(join(tmpdir(), "holdfast-catalog-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (text: string, name = "products.csv") => {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  return { context, told, write, service };
}
