import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { RISK_LEVELS } from "../../src/order/risk-level.ts";

const SCRIPT = join(import.meta.dirname, "../../eval/run.ts");
const folder = mkdtempSync(join(tmpdir(), "holdfast-eval-run-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly errors: string;
}

async function run(...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [SCRIPT, ...args, "--picture", join(folder, "pictures")]);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [out, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, errors };
}

function write(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

/** Frauds ship abroad in bursts, from accounts that are less than a week old; the others are old customers. */
const ORDERS = Array.from({ length: 400 }, (_, index) => {
  const fraud = index % 10 === 0;
  const place = fraud ? "OH,US,Lagos,NG" : "OH,US,OH,US";
  const [days, emails] = fraud ? [3, 6] : [400, 1];
  return `${Number(fraud)},${fraud ? 900 : 40}.5,USD,2026-03-01T15:00:00Z,user@gmail.com,${days},${place},${emails}`;
});
const HEADING =
  "label,orderAmount,currency,orderTimestamp,customerEmail,accountAgeInDays,billingAddress.state,billingAddress.country,shippingAddress.state,shippingAddress.country,velocity.email_1h";

describe("npm run eval", () => {
  it("prints one JSON object about a file", async () => {
    const path = write("orders.csv", [HEADING, ...ORDERS, "1,x,USD,,,,,,,,"]);
    const { code, out, errors } = await run(path, "--json");

    expect(errors).toBe("");
    expect(code).toBe(0);
    const summary = JSON.parse(out) as Record<string, unknown>;
    expect(summary).toMatchObject({
      rows: 400,
      positives: 40,
      auc: expect.any(Number),
      aucWithVelocity: expect.any(Number),
      recallAt5: expect.any(Number),
      p50Micros: expect.any(Number),
      p99Micros: expect.any(Number),
      badRows: { count: 1, first: [{ line: 402, column: "orderAmount", problem: "expected a number" }] },
      engine: { version: expect.any(String) },
    });
    expect(summary["auc"]).toBeGreaterThan(0.9);
    expect(Object.keys(summary["bands"] as object)).toEqual(RISK_LEVELS);
    for (const band of Object.values(summary["bands"] as Record<string, unknown>))
      expect(band).toHaveProperty("lift");
    for (const picture of summary["pictures"] as string[]) {
      expect(existsSync(picture)).toBe(true);
      expect(readFileSync(picture, "utf8")).toMatch(/^<svg .*<\/svg>\n$/s);
    }
  });

  it("has no AUC with velocity for a file without velocity", async () => {
    const path = write("plain.csv", ["label,orderAmount,currency", "1,900,USD", "0,5,USD"]);
    const { code, out } = await run(path, "--json");

    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ rows: 2, aucWithVelocity: null, bandsWithVelocity: null });
  });

  it("prints tables for a person, with the bad rows and unknown columns named", async () => {
    const path = write("mixed.csv", [`${HEADING},colour`, ...ORDERS.map((row) => `${row},red`), "9,9"]);
    const { code, out } = await run(path);

    expect(code).toBe(0);
    for (const words of [
      "mixed.csv: 400 orders, 40 of them fraud (10.00 %)",
      "AUC",
      "critical",
      "p99",
      "colour",
    ])
      expect(out).toContain(words);
    expect(out).toContain("line 402: 2 cells instead of 12");
  });

  it.each<[string, readonly string[], string]>([
    ["only bad rows", ["label,orderAmount", "1,x", "0,y"], "no row of the file could be used"],
    ["no label", ["orderAmount", "5"], 'no column "label"'],
  ])("fails on a file with %s and says why, on standard error only", async (_, lines, reason) => {
    const { code, out, errors } = await run(write("useless.csv", lines), "--json");

    expect(code).toBe(1);
    expect(out).toBe("");
    expect(errors).toContain(reason);
    expect(errors).not.toContain("    at ");
  });

  it.each([
    [["missing.csv"], "ENOENT"],
    [["--colour"], "--colour"],
    [["a.csv", "b.csv"], "one file at a time"],
  ])("fails on %j", async (args, reason) => {
    const { code, out, errors } = await run(...args);

    expect([code, out]).toEqual([1, ""]);
    expect(errors).toContain(reason);
  });

  it("prints its help", async () => {
    const { code, out } = await run("--help");

    expect(code).toBe(0);
    expect(out).toContain("npm run eval -- [FILE] [--json] [--picture DIR]");
  });
});
