// Does what `shopify app deploy` does up to the upload, with the real CLI and no network: reads all TOML with the CLI's
// schemas, bundles every extension, and turns every module into what would be sent. Then does the same with planted
// faults, and expects to find each of them.
//
//   node check.mjs          checks the app two folders up, then the planted faults
//   node check.mjs FOLDER   checks the app in FOLDER only
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const APP_FILES = ["extensions", "package.json", "package-lock.json", "shopify.app.toml", "shopify.web.toml"];
const CLI_ENVIRONMENT = { ...process.env, CI: "1", SHOPIFY_CLI_NO_ANALYTICS: "1", NO_COLOR: "1" };

/** Faults that have stopped a deployment, and what the check must say about each. */
const FAULTS = [
  {
    name: "a field type that Flow triggers don't have",
    plant: (app) =>
      edit(app, "extensions/flow-trigger/shopify.extension.toml", (toml) =>
        toml.replaceAll("single_line_text_field", "multi_line_text_field"),
      ),
    says: /multi_line_text_field is not supported on Flow Triggers/,
  },
  {
    name: "a Flow action that would be called without https",
    plant: (app) =>
      edit(app, "extensions/flow-action/shopify.extension.toml", (toml) =>
        toml.replace(
          'runtime_url = "/webhooks/shopify"',
          'runtime_url = "http://app.example/webhooks/shopify"',
        ),
      ),
    says: /runtime_url|https/i,
  },
  {
    name: "an extension whose packages are not installed",
    plant: (app) => rmSync(join(app, "node_modules")),
    says: /ui-extensions/,
  },
  {
    name: "a function that doesn't compile",
    plant: (app) =>
      edit(app, "extensions/block-list/assembly/index.ts", (source) =>
        source.replace("isBlocked(input, list)", "isBlocked(input)"),
      ),
    says: /Expected 2 arguments, but got 1/,
  },
  {
    name: "a function whose shared files don't compile",
    plant: (app) =>
      edit(app, "extensions/block-payment/assembly/index.ts", (source) =>
        source.replace("isBlocked(input, list)", "isBlocked(list)"),
      ),
    says: /Expected 2 arguments, but got 1/,
  },
  {
    name: "one name for the subscriptions of two topics",
    plant: (app) =>
      edit(app, "shopify.app.toml", (toml) =>
        toml.replace('topics = ["orders/cancelled", "orders/delete"]', '$&\nname = "orders-ended"'),
      ),
    says: /orders-ended names two webhook subscriptions/,
  },
];

const folder = process.argv[2];
await (folder === undefined ? checkAll() : checkApp(folder));

function checkAll() {
  const sound = check(() => undefined);
  process.stdout.write(sound.output);
  if (sound.status !== 0) process.exit(1);
  for (const { name, plant, says } of FAULTS) {
    const { status, output } = check(plant);
    const isFound = status !== 0 && says.test(output);
    process.stdout.write(
      `${isFound ? "found, as expected" : `NOT FOUND (exit code ${status})\n${output}`}: ${name}\n`,
    );
    if (!isFound) process.exit(1);
  }
}

/** Check a copy of the app, because the CLI writes bundles and notes beside the sources. */
function check(plant) {
  const app = mkdtempSync(join(tmpdir(), "holdfast-shopify-app-"));
  try {
    for (const file of APP_FILES) cpSync(join(ROOT, file), join(app, file), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(app, "node_modules"));
    plant(app);
    const { status, stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), app], {
      encoding: "utf8",
      env: CLI_ENVIRONMENT,
    });
    return { status, output: stdout + stderr };
  } finally {
    rmSync(app, { recursive: true, force: true });
  }
}

function edit(app, file, change) {
  const path = join(app, file);
  const before = readFileSync(path, "utf8");
  const after = change(before);
  if (after === before) throw new Error(`the fault could not be planted in ${file}`);
  writeFileSync(path, after);
}

async function checkApp(path) {
  const { COMMANDS } = await import("@shopify/cli");
  // `app build` needs no sign-in and returns the loaded app; it ends the process itself when a TOML or a bundle is wrong.
  const flags = ["--path", path, "--skip-dependencies-installation", "--no-color"];
  const { app } = await COMMANDS["app:build"].run(flags);
  await app.preDeployValidation();
  const { modules } = await app.manifest(undefined);
  const names = modules.flatMap(({ type, config }) =>
    type.startsWith("webhook_subscription") ? [config.name] : [],
  );
  const doubled = names.find((name, index) => name !== undefined && names.indexOf(name) !== index);
  if (doubled !== undefined)
    throw new Error(`${doubled} names two webhook subscriptions: Shopify takes each name once`);
  process.stdout.write(
    `${modules.length} modules: ${[...new Set(modules.map(({ type }) => type))].join(", ")}\n`,
  );
}
