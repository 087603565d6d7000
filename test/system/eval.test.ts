import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";

const SCRIPT = join(import.meta.dirname, "../../eval/run.ts");
const folder = mkdtempSync(join(tmpdir(), "holdfast-eval-all-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("npm run eval", () => {
  it("evaluates the repository's own data when no file is given", async () => {
    const child = spawn(process.execPath, [SCRIPT, "--json", "--picture", join(folder, "pictures")]);
    const code = new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);

    expect(errors).toBe("");
    expect(await code).toBe(0);
    const { sets, replay, goals } = JSON.parse(out) as {
      readonly sets: readonly {
        readonly name: string;
        readonly exceptions: number;
        readonly auc: number;
        readonly aucWithVelocity: number | null;
      }[];
      readonly replay: Record<string, number>;
      readonly goals: readonly { readonly name: string; readonly isMet: boolean }[];
    };
    expect(sets.map(({ name }) => name)).toEqual([
      "aws-cold-start",
      "aws-cold-start-no-ip",
      "synthetic-best",
      "synthetic-sober",
    ]);
    expect(sets.map(({ exceptions }) => exceptions)).toEqual([0, 0, 0, 0]);
    // A little below the last measurement (engine 3.15.0; docs/evaluation.md explains what it gave up and why): this
    // fails when a change of weights loses more.
    const [best, sober] = sets.slice(2);
    expect(best?.auc).toBeGreaterThanOrEqual(0.71);
    expect(best?.aucWithVelocity).toBeGreaterThanOrEqual(0.83);
    expect(sober?.auc).toBeGreaterThanOrEqual(0.68);
    expect(sober?.aucWithVelocity).toBeGreaterThanOrEqual(0.73);
    expect(replay).toMatchObject({ frauds: 8_640, repeats: 1_945, firstsSeen: 25 });
    // The time per order depends on the machine's other work.
    expect(goals.filter(({ name, isMet }) => !isMet && !name.includes("p99"))).toEqual([]);
  });
});
