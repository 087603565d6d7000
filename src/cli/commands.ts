import { text } from "node:stream/consumers";
import { toConfigError } from "../base/errors.ts";
import { readConfig, type Config } from "../config.ts";
import { parseArguments, type Arguments, parseSince } from "./arguments.ts";
import { backfill } from "./backfill.ts";
import { backUp } from "./backup.ts";
import type { Command, CommandContext, RunContext } from "./command.ts";
import { doctor } from "./doctor.ts";
import { listPeople, promotePerson } from "./people.ts";
import { restore } from "./restore.ts";
import { onSignals, printScenarios, serveSandbox } from "./sandbox.ts";
import { SANDBOX_OPTIONS } from "./sandbox-options.ts";
import { downloadJob, stopJob, uploadFile } from "./catalog-jobs.ts";
import { exportProducts, importProducts, listCatalogJobs, listProducts, showProduct } from "./catalog.ts";
import { startProductJob } from "./catalog-enrich.ts";
import { listSites, listSubmissions, showMe } from "./management.ts";
import { callCatalog, callManagement } from "./service-call.ts";

const USAGE = `holdfast COMMAND

  serve            run the app, configured by environment variables
  verify FILE      check one order in JSON (- for standard input): a verification request, or an order of Shopify, Medusa,
                   Vendure, EverShop, Stripe, commercetools, Saleor or PayPal
  doctor           check that this installation works, and say what to do if it doesn't
  backfill         import orders from before Holdfast, and orders whose webhook never arrived
  policy test FILE show what a policy (JSON) would have decided about past orders; costs no credits
  people           list who may use a shop's console
  people promote PERSON
                   make a person an owner, for a shop whose owners have left, e.g. person:7
  backup FILE      copy the database to a file; the app can keep running
  restore FILE     replace the database with a backup
  sandbox          run the verification service, the catalog and the management interface on this machine, for tests
  catalog products list | get SKU | import FILE | export
                   products in the catalog; import adds the products of a CSV file that aren't in it yet
  catalog enrich   enrich products for the first time, after you confirm; run it again to keep waiting
  catalog validate check the attributes of enriched products, after you confirm; run it again to keep waiting
  catalog jobs | stop JOB | download JOB
                   list the catalog's jobs; stop one; print the results of a brand or category job as CSV
  catalog upload FILE
                   store a file that jobs can refer to
  catalog call NAME
                   any other operation of the catalog, e.g. webhooks.list or brands.check; GROUP.METHOD/ID if it needs an id
  management me | sites | forms submissions
                   read the management interface: whose token it is, the sites, what their forms received
  management call NAME
                   any route of the management interface, e.g. forms.list/SITE
  demo             see the whole job on this machine; nothing to set up

  --json           verify, doctor, backfill, policy test, people, sandbox, catalog, management, demo:
                   machine-readable output; serve: its log is JSON with or without it
  --platform NAME  verify: the order's platform, if its shape doesn't show it, e.g. medusa; request for the service's own fields
  --explain        verify: also show which field each value comes from, and what isn't used and why
  --since WHEN     backfill: only orders since then: 30d, 12h, or a date such as 2026-11-01;
                   policy test: the same (90d); management forms submissions: the same (all)
  --tenant TENANT  backfill, policy test, people: one shop only, e.g. shopify:demo.myshopify.com
  --yes            backfill, catalog enrich, validate, call: don't ask for confirmation
  --body JSON      catalog call, management call: what to send, or @ and a file with it
  --search TEXT    catalog products list: only products with this text
  --category PATH, --budget N
                   catalog enrich, validate: only this category and its subcategories; at most N products
  --enforce        backfill: also apply decisions on orders older than 24 hours
  --force          backup: overwrite FILE; restore: overwrite a newer database
  --scenarios      sandbox: print the test values it reacts to, and exit
  --port N, --host HOST, --key KEY
                   sandbox: where to listen (default 127.0.0.1:4010), and the key it accepts (default sandbox-key)
  --credits N, --latency MS, --rate-limit N/WINDOW
                   sandbox: credits it starts with, time per check, requests per window (default 100000/m)
  --data FILE, --job-time MS
                   sandbox: keep the catalog in a file; time its jobs take for five items (default 1000)
  --tls-key FILE, --tls-cert FILE
                   sandbox: serve HTTPS, with key and certificate in PEM
  --serve          demo: keep running and print the console's address
  --help, --version`;

const command = (options: Command["options"], run: Command["run"], operand?: string): Command => ({
  options,
  run,
  operand,
});

const JOB_OPTIONS = ["category", "budget", "yes", "json"] as const;

const COMMANDS: Readonly<Record<string, Command>> = {
  // Its log is JSON in any case.
  serve: command(["json"], async ({ platforms, version }) => {
    // With the packages of the server, which a storefront doesn't install.
    await (await import("./serve.ts")).serve(platforms, version);
  }),
  verify: command(
    ["platform", "explain", "json"],
    async ({ config, terminal: output, orderFormats }, values, file) => {
      const { verifyFile } = await import("./verify/verify.ts");
      const context = { config, output, formats: await orderFormats(), readStdin: () => text(process.stdin) };
      await verifyFile({ ...values, file }, context);
    },
    "FILE",
  ),
  doctor: command(["json"], ({ platforms, terminal, now }, { json }) =>
    doctor({ readConfig, platforms, now, nodeVersion: process.versions.node }, json, terminal),
  ),
  backfill: command(["since", "tenant", "yes", "enforce", "json"], (context, { since, ...values }) => {
    const sinceMs = parseSince(since, context.now(), context.config.keep.ordersDays);
    return backfill({ ...values, sinceMs }, context);
  }),
  "policy test": command(
    ["since", "tenant", "json"],
    async (context, { since = "90d", ...values }, file) => {
      // It doesn't matter if some of these orders are no longer kept: nothing is paid for them again.
      const sinceMs = parseSince(since, context.now(), Number.POSITIVE_INFINITY);
      await (await import("./policy-test.ts")).testPolicy({ ...values, file, sinceMs }, context);
    },
    "FILE",
  ),
  people: command(["tenant", "json"], (context, values) => listPeople(values, context)),
  "people promote": command(
    ["tenant"],
    (context, { tenant }, actor) => promotePerson({ tenant, actor }, context),
    "PERSON",
  ),
  backup: command(["force"], (context, { force }, file) => backUp({ file, force }, context), "FILE"),
  restore: command(["force"], (context, { force }, file) => restore({ file, force }, context), "FILE"),
  sandbox: command([...SANDBOX_OPTIONS, "scenarios", "json"], async ({ terminal: output }, values) => {
    const { json, scenarios } = values;
    if (scenarios) printScenarios({ output, json });
    else await serveSandbox(values, { output, json, onStop: onSignals });
  }),
  "catalog products list": command(["search", "json"], (context, { search }) =>
    listProducts(search, context),
  ),
  "catalog products get": command(["json"], (context, _values, sku) => showProduct(sku, context), "SKU"),
  "catalog products import": command(["json"], (context, _, file) => importProducts(file, context), "FILE"),
  "catalog products export": command(["json"], exportProducts),
  "catalog enrich": command(JOB_OPTIONS, (context, values) => startProductJob("enrichment", values, context)),
  "catalog validate": command(JOB_OPTIONS, (context, values) =>
    startProductJob("validation", values, context),
  ),
  "catalog jobs": command(["json"], listCatalogJobs),
  "catalog stop": command(["json"], (context, _values, job) => stopJob(job, context), "JOB"),
  "catalog download": command([], (context, _values, job) => downloadJob(job, context), "JOB"),
  "catalog upload": command(["json"], (context, _values, file) => uploadFile(file, context), "FILE"),
  "catalog call": command(
    ["body", "yes", "json"],
    (context, values, name) => callCatalog(values, name, context),
    "NAME",
  ),
  "management me": command(["json"], showMe),
  "management sites": command(["json"], listSites),
  "management forms submissions": command(["since", "json"], (context, { since }) =>
    listSubmissions(since, context),
  ),
  "management call": command(
    ["body", "json"],
    (context, values, name) => callManagement(values, name, context),
    "NAME",
  ),
  demo: command(["serve", "json"], ({ demo }, values) => demo(values)),
};

/**
 * Run the command that a command line names. Resolves to whether nothing is wrong.
 *
 * @throws {HoldfastError} `CONFIG_INVALID` for an invalid command line, and whatever the command throws.
 */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<boolean> {
  const given = joinName(parseArguments(args));
  const { values, command: name } = given;
  if (values.version || values.help || name === undefined) {
    context.terminal.line(values.version ? context.version : toUsage(name));
    return true;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw toConfigError(`unknown command "${name}"\n\n${USAGE}`);
  const operand = toOperand(name, command, given);
  return (await command.run(toRunContext(context, values.json), values, operand)) !== false;
}

/** The usage; for a group of commands such as `catalog`, only of them and with their options. */
function toUsage(name = ""): string {
  const [group = ""] = name.split(" ");
  const parts = USAGE.split(/\n(?= {2}\S)/);
  const own = parts.filter((part) => part.startsWith(`  ${group} `));
  if (own.length < 2) return USAGE;
  // Which commands take an option stands before the colon.
  const takes = (part: string) => part.split(";").some((text) => text.split(":")[0]?.includes(group));
  const options = parts.filter((part) => part.startsWith("  --") && takes(part));
  return [`holdfast ${group}`, "", ...own, "", ...options].join("\n");
}

/** Not every command needs the installation that the environment describes, so it is read with its first use. */
function toRunContext(context: CommandContext, json: boolean): RunContext {
  let config: Config | undefined;
  return {
    ...context,
    json,
    get config() {
      return (config ??= readConfig());
    },
  };
}

/** Some commands have names of two or three words. */
function joinName(given: Arguments): Arguments {
  const { command, operands } = given;
  for (const more of [2, 1]) {
    const name = [command, ...operands.slice(0, more)].join(" ");
    if (Object.hasOwn(COMMANDS, name)) return { ...given, command: name, operands: operands.slice(more) };
  }
  return given;
}

/** The command's operand, after checking that the command takes everything that was given. */
function toOperand(name: string, { operand, options }: Command, { given, operands }: Arguments): string {
  const strange = given.find((option) => !options.some((own) => own === option));
  if (strange !== undefined) {
    const known = options.map((option) => `--${option}`).join(", ");
    throw toConfigError(`${name} has no --${strange}; expected ${known === "" ? "no options" : known}`);
  }
  const expected = operand === undefined ? "nothing more" : `one ${operand}`;
  if (operands.length !== (operand === undefined ? 0 : 1)) {
    throw toConfigError(
      `${name}: expected ${expected}, got ${operands.length === 0 ? "none" : operands.length}`,
    );
  }
  return operands[0] ?? "";
}
