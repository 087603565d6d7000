import { mkdirSync, writeFileSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createProgress } from "../bench/progress.ts";
import { createLocalEngine } from "../src/engine/engine.ts";
import { createEvaluator, type Evaluation } from "./evaluation.ts";
import { openOrdersFile } from "./orders-file.ts";
import { evaluateOwnSets, warmUp, type Goal, type NamedEvaluation } from "./own-sets.ts";
import { toCalibrationPicture } from "./pictures/calibration-picture.ts";
import { toRocPicture } from "./pictures/roc-picture.ts";
import { toReport, toTable } from "./report.ts";
import { evaluateShops, toModelCells } from "./shops/shop-models.ts";
import { toCount, toFileNotes, toSummary } from "./summary.ts";

const DEFAULT_FOLDER = join(import.meta.dirname, "out");

const USAGE = `npm run eval -- [FILE] [--json] [--picture DIR]

Measures the local engine on labeled orders: a CSV file whose columns are named like the fields of a verification
request (shippingAddress.country, items[0].name) and "label" (1 or 0, true or false, fraud or legit), optionally
with velocity.email_1h, velocity.ip_emails_24h, velocity.card_emails_7d, velocity.address_emails_7d (1 means this order
alone). Without FILE: the orders in the repository. See docs/evaluation.md.

  --json         one JSON object
  --picture DIR  folder for the pictures (default: ${DEFAULT_FOLDER})`;

interface Options {
  readonly json: boolean;
  readonly folder: string;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      picture: { type: "string", default: DEFAULT_FOLDER },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return print(USAGE);
  if (positionals.length > 1) throw new Error(`one file at a time, got ${positionals.length}`);
  const [file] = positionals;
  const options = { json: values.json, folder: resolve(values.picture) };
  mkdirSync(options.folder, { recursive: true });
  await (file === undefined ? evaluateOwn(options) : evaluateFile(file, options));
}

async function evaluateFile(path: string, { json, folder }: Options): Promise<void> {
  const progress = createProgress(process.stderr);
  const file = await openOrdersFile(path, {
    onProgress: toSparing((share) => progress.show(share, basename(path))),
  });
  const engine = createLocalEngine();
  warmUp(engine);
  const evaluator = createEvaluator(engine);
  try {
    for await (const order of file.orders) evaluator.add(order);
  } finally {
    progress.clear();
  }
  const evaluation = evaluator.evaluate();
  const report = file.report();
  if (evaluation.rows === evaluation.unlabelled) {
    throw new Error(["no row of the file could be used", ...toFileNotes(report)].join("\n"));
  }
  const name = basename(path, extname(path));
  const pictures = drawPictures({ name, title: name, evaluation }, folder);
  if (json) return print(JSON.stringify({ ...toSummary(evaluation), ...report, pictures }));
  const notes = toFileNotes(report);
  print([toReport(basename(path), evaluation), ...(notes.length === 0 ? [] : ["", ...notes])].join("\n"));
  print(`\nPictures: ${pictures.join(", ")}`);
}

async function evaluateOwn({ json, folder }: Options): Promise<void> {
  const progress = createProgress(process.stderr);
  const show = toSparing((share, what) => progress.show(share, what));
  const { sets, replay, goals } = await evaluateOwnSets(show);
  progress.clear();
  const models = evaluateShops();
  const pictures = sets.flatMap((set) => drawPictures(set, folder));
  if (json) {
    const summaries = sets.map(({ evaluation, ...set }) => ({ ...set, ...toSummary(evaluation) }));
    return print(JSON.stringify({ sets: summaries, replay, models, goals, pictures }));
  }
  for (const { title, evaluation, ceiling } of sets) {
    print(toReport(title, evaluation));
    const [plain, informed] = [ceiling?.auc, ceiling?.aucWithVelocity].map((auc) => auc?.toFixed(3));
    if (ceiling !== undefined) print(`Points that equal the lifts: AUC ${plain} and ${informed}.`);
    print("");
  }
  const { frauds, repeats, repeatsSeen, firstsSeen } = replay;
  print(`Replay of ms-frauds: ${toCount(frauds)} frauds, ${toCount(repeats)} repeats of a mailbox, of which`);
  print(
    `${toCount(repeatsSeen)} get a velocity factor; so do ${toCount(firstsSeen)} first frauds of a mailbox.\n`,
  );
  print("A shop's own model with 25 frauds, on the 10,000 orders that followed (AUC):");
  const heads = ["shop", "points", "model", "gain", "offered", "seconds"];
  print(`${toTable([heads, ...models.map(toModelCells)]).join("\n")}\n`);
  print(toTable([["goal", "measured", "wanted", ""], ...goals.map(toGoalCells)]).join("\n"));
  print(`\nPictures: ${folder}`);
}

/** The written files. */
function drawPictures({ name, title, evaluation }: NamedEvaluation, folder: string): readonly string[] {
  const { withoutVelocity, withVelocity } = evaluation satisfies Evaluation;
  const pictures = [
    ["roc", toRocPicture(title, withoutVelocity, withVelocity)],
    ["calibration", toCalibrationPicture(title, (withVelocity ?? withoutVelocity).calibration)],
  ] as const;
  return pictures.map(([kind, picture]) => {
    const path = join(folder, `${name}-${kind}.svg`);
    writeFileSync(path, picture);
    return path;
  });
}

function toGoalCells({ name, value, goal, isMet }: Goal): readonly string[] {
  const wanted = "atLeast" in goal ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`;
  return [name, value.toFixed(3), wanted, isMet ? "met" : "MISSED"];
}

/** Nobody reads more than twenty lines a second. */
function toSparing(show: (share: number, what: string) => void): (share: number, what?: string) => void {
  let nextMs = 0;
  return (share, what = "") => {
    const nowMs = performance.now();
    if (nowMs < nextMs) return;
    nextMs = nowMs + 50;
    show(share, what);
  };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
