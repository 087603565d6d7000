import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { acknowledge } from "./acknowledge.ts";
import type { Benchmark } from "./benchmark.ts";
import { budget } from "./budget.ts";
import { busy } from "./busy.ts";
import { cached } from "./cached.ts";
import { claim } from "./claim.ts";
import { client } from "./client.ts";
import { decide } from "./decide.ts";
import { drain } from "./drain.ts";
import { isGoalMet, type Figure } from "./figure.ts";
import { importCost } from "./import.ts";
import { local } from "./local.ts";
import { inspectMachine, toMachineLine } from "./machine.ts";
import { createProgress } from "./progress.ts";
import { replay } from "./replay.ts";
import { toTable } from "./table.ts";

const BENCHMARKS: readonly Benchmark[] = [
  acknowledge,
  busy,
  cached,
  client,
  drain,
  decide,
  local,
  importCost,
  claim,
  budget,
  replay,
];

const USAGE = `npm run bench -- [--only NAME]... [--quick] [--json] [--folder DIR]

${BENCHMARKS.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`).join("\n")}

  --only NAME   run this one; can be repeated
  --quick       shorter rounds: for a quick look, not for the record
  --json        machine-readable, with every round
  --folder DIR  a folder on the disk under test (default: ${tmpdir()})`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true, default: [] },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      folder: { type: "string", default: tmpdir() },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const unknown = values.only.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0) throw new Error(`there is no benchmark ${unknown.join(", ")}`);
  return values;
}

/** A new folder that is removed with this process, however it ends. */
function makeFolder(parent: string): string {
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(resolve(parent), "holdfast-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
  return folder;
}

async function runAll(chosen: readonly Benchmark[], folder: string, quick: boolean): Promise<Figure[]> {
  const progress = createProgress(process.stderr);
  const figures: Figure[] = [];
  for (const [index, benchmark] of chosen.entries()) {
    const own = join(folder, benchmark.name);
    mkdirSync(own);
    const show = (share: number, what: string): void =>
      progress.show((index + share) / chosen.length, `${benchmark.name}: ${what}`);
    show(0, "starting");
    try {
      figures.push(...(await benchmark.run({ folder: own, quick, progress: show })));
    } catch (error) {
      // The other figures are still useful.
      progress.clear();
      console.error(`${benchmark.name} could not be run:`, error);
      process.exitCode = 1;
    }
    rmSync(own, { recursive: true, force: true });
  }
  progress.clear();
  return figures;
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help) return console.log(USAGE);
  const folder = makeFolder(options.folder);
  const machine = inspectMachine(folder);
  const chosen = BENCHMARKS.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  const figures = await runAll(chosen, folder, options.quick);
  if (options.json) {
    const judged = figures.map((figure) => ({ ...figure, goalMet: isGoalMet(figure) }));
    return console.log(JSON.stringify({ machine, quick: options.quick, figures: judged }, undefined, 2));
  }
  console.log(`${toMachineLine(machine)}${options.quick ? "; quick" : ""}\n\n${toTable(figures)}`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(`\n${USAGE}`);
  process.exitCode = 1;
}
