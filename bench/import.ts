import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Benchmark } from "./benchmark.ts";
import { interleave, median, toSpread, type Figure, type Rounds } from "./figure.ts";

const run = promisify(execFile);
const ROOT = new URL("../", import.meta.url);
const OURS = "holdfast/express";
const BASELINE = "express";
const COUNT = { quick: 5, full: 15 };
/** What a function with a cold start can afford beside its own code. */
const GOALS = { ms: 150, megabytes: 25 };

interface Cost {
  readonly ms: number;
  readonly megabytes: number;
}

/** What the import costs a storefront, from the package as it is published. */
export const importCost: Benchmark = {
  name: "import",
  about: `time and memory of importing ${OURS} from the packed tarball in a new process, against ${BASELINE}`,
  async run({ folder, quick, progress }) {
    progress(0, "packing and installing");
    await install(folder);
    const costs: Record<string, Cost[]> = { [OURS]: [], [BASELINE]: [] };
    const measure = async (specifier: string): Promise<number> => {
      const cost = await importOnce(folder, specifier);
      costs[specifier]?.push(cost);
      return cost.ms;
    };
    // The first run reads the files from the disk.
    await importOnce(folder, OURS);
    await importOnce(folder, BASELINE);
    const times = await interleave(
      quick ? COUNT.quick : COUNT.full,
      { ours: () => measure(OURS), baseline: () => measure(BASELINE) },
      (done, total) => progress(0.3 + (0.7 * done) / total, `process ${done} of ${total}`),
    );
    const megabytes = (specifier: string) => (costs[specifier] ?? []).map((cost) => cost.megabytes);
    return [
      toFigure("import", "ms", times, GOALS.ms),
      toFigure("import-rss", "MB", { ours: megabytes(OURS), baseline: megabytes(BASELINE) }, GOALS.megabytes),
    ];
  },
};

/** A shop's folder with the tarball and this repository's Express. */
async function install(folder: string): Promise<void> {
  const { devDependencies } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8")) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: ROOT });
  const [packed] = Object.values(JSON.parse(stdout) as Record<string, { readonly filename: string }>);
  writeFileSync(join(folder, "package.json"), '{ "name": "shop", "private": true, "type": "module" }');
  const packages = [`./${packed?.filename}`, `${BASELINE}@${devDependencies[BASELINE]}`];
  const flags = ["--no-audit", "--no-fund", "--prefer-offline"];
  await run("npm", ["install", ...flags, ...packages], { cwd: folder });
}

/** Measures in a new process, because a loaded module isn't loaded again. */
async function importOnce(folder: string, specifier: string): Promise<Cost> {
  const script = `
    const before = process.memoryUsage.rss();
    const startMs = performance.now();
    await import(${JSON.stringify(specifier)});
    const ms = performance.now() - startMs;
    console.log(JSON.stringify({ ms, megabytes: (process.memoryUsage.rss() - before) / 1e6 }));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd: folder });
  return JSON.parse(stdout) as Cost;
}

function toFigure(name: string, unit: string, rounds: Rounds, atMost: number): Figure {
  const [ours, baseline] = [median(rounds.ours), median(rounds.baseline)];
  return {
    name,
    unit,
    ours,
    baseline,
    against: `import "${BASELINE}" alone`,
    ratio: baseline / ours,
    goal: { of: "ours", atMost },
    rounds,
    notes: [`${rounds.ours.length} processes each; ours to baseline, of neighbors: ${toSpread(rounds)}`],
    faults: [],
  };
}
