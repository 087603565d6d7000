import { readFile } from "node:fs/promises";
import { explainSystemError, toConfigError } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import { CATALOG_OPERATIONS } from "../catalog/operations/catalog-operations.ts";
import { isFields } from "../order/complete-order.ts";
import { MANAGEMENT_ROUTES } from "../management/operations.ts";
import type { Values } from "./arguments.ts";
import { withCatalog } from "./catalog.ts";
import type { ServiceContext } from "./command.ts";
import { withManagement } from "./management.ts";
import { throwFaults, toTerminalText as clean } from "./output.ts";

/** An operation of either service, as far as a command line needs to know it. */
interface Callable {
  readonly kind: string;
  readonly path: string;
  spends?(body: never): number;
}

type Table = Readonly<Record<string, Readonly<Record<string, Callable>>>>;
type Method = (...args: readonly unknown[]) => unknown;

interface Named {
  readonly group: string;
  readonly method: string;
  readonly ids: readonly string[];
  readonly operation: Callable;
}

const ID = /:\w+/g;

/** `webhooks.get/ID`: the operation of that name, with as many ids as its path has. */
function findOperation(table: Table, operand: string): Named {
  const [name = "", ...ids] = operand.split("/");
  const [group = "", method = ""] = name.split(".");
  const operations = Object.hasOwn(table, group) ? table[group] : undefined;
  if (operations === undefined) {
    throw toConfigError(`no operation ${clean(name)}; the groups are ${Object.keys(table).join(", ")}`);
  }
  const operation = Object.hasOwn(operations, method) ? operations[method] : undefined;
  if (operation === undefined) {
    const known = Object.entries(operations).map(([other, { path }]) => toUsage(group, other, path));
    throw toConfigError(`no operation ${clean(name)}; expected ${known.join(", ")}`);
  }
  const expected = operation.path.match(ID)?.length ?? 0;
  if (ids.length !== expected || ids.includes("")) {
    throw toConfigError(`expected ${toUsage(group, method, operation.path)}, got ${clean(operand)}`);
  }
  return { group, method, ids, operation };
}

function toUsage(group: string, method: string, path: string): string {
  return [`${group}.${method}`, ...(path.match(ID) ?? []).map((name) => name.slice(1))].join("/");
}

/** JSON, or `@` and the path of a file with it. */
async function readBody(text: string | undefined): Promise<object | undefined> {
  if (text === undefined) return undefined;
  const file = text.startsWith("@") ? text.slice(1) : undefined;
  const json = file === undefined ? text : await readText(file);
  const body = parseJson(json);
  if (isFields(body)) return body;
  throw toConfigError(
    `--body: expected a JSON object${file === undefined ? ", or @ and a file with one" : ""}`,
  );
}

function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: unknown) => {
    throw toConfigError(`--body: ${file}: can't be read: ${explainSystemError(error)}`);
  });
}

/** Make a call and print its answer: an entry of a list per line, else JSON. */
async function answer({ terminal, json }: ServiceContext, kind: string, call: () => unknown): Promise<void> {
  const print = async (): Promise<void> => {
    if (kind === "list") {
      for await (const entry of call() as AsyncIterable<unknown>) terminal.line(JSON.stringify(entry));
      return;
    }
    const data = await call();
    terminal.line(JSON.stringify(data ?? null, null, json ? 0 : 2));
  };
  await print().catch(throwFaults("--body"));
}

const toRest = (body: object | undefined): readonly object[] => (body === undefined ? [] : [body]);

type CallOptions = Pick<Values, "body" | "yes">;

/** `holdfast catalog call GROUP.METHOD/ID`: an operation of the catalog that has no command of its own. */
export async function callCatalog(
  { body, yes }: CallOptions,
  operand: string,
  context: ServiceContext,
): Promise<boolean> {
  const { group, method, ids, operation } = findOperation(CATALOG_OPERATIONS, operand);
  if (operation.kind === "form" || operation.kind === "download") {
    const own = operation.kind === "form" ? "upload FILE, or the library" : "download JOB";
    throw toConfigError(`${group}.${method} is about files: use holdfast catalog ${own}`);
  }
  const given = await readBody(body);
  const { terminal } = context;
  return withCatalog(context.config, async (client) => {
    const question = `Call ${group}.${method}? This spends credits.`;
    if (operation.spends !== undefined && !yes) {
      if (!(terminal.isInteractive && (await terminal.confirm(question)))) {
        terminal.problem(`${question} Nothing was done; confirm with --yes.`);
        return false;
      }
    }
    const methods = client[group as keyof typeof client] as unknown as Readonly<Record<string, Method>>;
    await answer(context, operation.kind, () => methods[method]?.(...ids, ...toRest(given)));
    return true;
  });
}

/** `holdfast management call GROUP.METHOD/ID`: any route of the management interface. */
export async function callManagement(
  { body }: Pick<CallOptions, "body">,
  operand: string,
  context: ServiceContext,
): Promise<void> {
  const { group, method, ids, operation } = findOperation(MANAGEMENT_ROUTES, operand);
  const given = await readBody(body);
  await withManagement(context.config, async (client) => {
    const methods = client[group as keyof typeof client] as unknown as Readonly<Record<string, Method>>;
    await answer(context, operation.kind, () => methods[method]?.(...ids, ...toRest(given)));
  });
}
