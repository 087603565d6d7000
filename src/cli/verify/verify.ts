import { toDispatcher } from "../../base/proxy.ts";
import { readFile } from "node:fs/promises";
import { explainSystemError, HoldfastError, isHoldfastError, toFieldsError } from "../../base/errors.ts";
import { parseJson } from "../../base/json.ts";
import { isFields } from "../../order/complete-order.ts";
import type { Config } from "../../config.ts";
import { parsePolicy } from "../../policy/policy.ts";
import type { OrderCheck } from "../../screening/order-check.ts";
import { readOrder } from "../../screening/read-order.ts";
import { createScreener } from "../../screening/screener.ts";
import { openConfiguredStore } from "../../store/opening/open-store.ts";
import type { Store } from "../../store/store.ts";
import type { Values } from "../arguments.ts";
import type { Output } from "../output.ts";
import { explainMapping, type MappingExplanation } from "./explain-mapping.ts";
import { findFormat, type OrderDocument, type OrderFormat } from "./order-format.ts";

/** The tenant of checks on the command line: its policy and budget are those that the operator edits in the console. */
const TENANT = "default";
const STDIN = "-";
const LINE_LENGTH = 110;

export interface VerifyOptions extends Partial<Pick<Values, "platform" | "explain">>, Pick<Values, "json"> {
  /** A path, or `-` for standard input. */
  readonly file: string;
}

export interface VerifyContext {
  readonly config: Config;
  readonly output: Output;
  readonly formats: readonly OrderFormat[];
  readonly readStdin: () => Promise<string>;
}

interface Explanation extends MappingExplanation {
  readonly platform: string;
}

/**
 * `holdfast verify FILE`: check one order from a JSON file, of any mapped platform or as a verification request, under the
 * policy and budget kept in the configured database. The answer is kept there too, so that a repeat costs nothing.
 *
 * @throws {HoldfastError} `ORDER_INVALID` if the amount or the currency can't be read, and what was expected of it.
 */
export async function verifyFile(options: VerifyOptions, context: VerifyContext): Promise<void> {
  const { config, output, formats } = context;
  const { json } = options;
  try {
    const { order, document, format } = await readFormatted(options, formats, context.readStdin);
    const explanation = options.explain === true ? explain(document, format) : undefined;
    // Before the check: an order that can't be checked is explained, too.
    if (explanation !== undefined && !json) output.line(`${toTable(explanation)}\n`);
    const check = await checkInStore(order, config);
    output.line(
      json ? JSON.stringify({ ...check, ...(explanation && { explanation }) }) : toCheckText(check),
    );
  } catch (error) {
    throw isHoldfastError(error, "ORDER_INVALID") ? withExpectations(error) : error;
  }
}

async function readFormatted(
  { file, platform }: VerifyOptions,
  formats: readonly OrderFormat[],
  readStdin: () => Promise<string>,
) {
  const text = await readText(file, readStdin);
  const parsed = parseObject(file, text);
  const format = findFormat(parsed, formats, platform);
  const document = format.parse?.(text) ?? parsed;
  return { document, format, order: format.map(document) };
}

async function readText(file: string, readStdin: () => Promise<string>): Promise<string> {
  try {
    const text = file === STDIN ? await readStdin() : await readFile(file, "utf8");
    // Windows tools add a byte order mark.
    return text.replace(/^\uFEFF/, "");
  } catch (cause) {
    const message = `${file}: can't be read: ${explainSystemError(cause)}`;
    throw new HoldfastError("ORDER_INVALID", message, { retryable: false, cause });
  }
}

function parseObject(file: string, text: string): OrderDocument {
  const name = file === STDIN ? "standard input" : file;
  const refuse = (expected: string) =>
    new HoldfastError("ORDER_INVALID", `${name}: expected ${expected}`, { retryable: false });
  const document = parseJson(text);
  if (document === undefined) throw refuse("one JSON document");
  if (Array.isArray(document)) throw refuse("one order, got a list");
  if (!isFields(document)) throw refuse("one order, a JSON object");
  return document;
}

/** Explain the order as a check reads it, or only the mapping if the order can't be checked. */
function explain(document: OrderDocument, { name, map }: OrderFormat): Explanation {
  const complete = (order: OrderDocument): unknown => readOrder(order).request;
  try {
    return { platform: name, ...explainMapping(document, map, complete) };
  } catch (error) {
    if (!isHoldfastError(error, "ORDER_INVALID")) throw error;
    return { platform: name, ...explainMapping(document, map) };
  }
}

async function checkInStore(order: unknown, config: Config): Promise<OrderCheck> {
  const store = await openConfiguredStore(config, { exclusive: false });
  try {
    return await checkOnce(order, config, store);
  } finally {
    await store.close();
  }
}

async function checkOnce(order: unknown, { service, proxy }: Config, store: Store): Promise<OrderCheck> {
  const policy = await store.policies.load(TENANT);
  const screener = createScreener({
    service:
      service?.apiKey === undefined
        ? "local"
        : { ...service, apiKey: service.apiKey.reveal(), dispatcher: toDispatcher(proxy) },
    tenant: TENANT,
    // Lists are for orders of the app.
    policy: policy === null ? undefined : { ...parsePolicy(policy.document), lists: [] },
    store,
  });
  try {
    return await screener.check(order);
  } finally {
    await screener.close();
  }
}

/** On a terminal, the error shows each field's message. */
function withExpectations(error: HoldfastError): HoldfastError {
  const { message, fields } = error;
  const lines = fields.map((field) => `\n  ${field.path || "order"}: ${field.message}`);
  return toFieldsError("ORDER_INVALID", message + lines.join(""), fields, error);
}

/** Names in a file could contain control characters. */
const toPlain = (text: string): string => text.replaceAll(/\p{C}/gu, "?");

function toTable({ platform, mapped, dropped }: Explanation): string {
  const width = Math.max(...mapped.map(({ field }) => toPlain(field).length));
  const reasons = Map.groupBy(dropped, ({ why }) => why);
  return [
    `Platform: ${platform}`,
    "Mapped, and from which fields:",
    ...mapped.map(
      ({ field, from, rule }) =>
        `  ${toPlain(field).padEnd(width)}  ${rule === undefined ? toPlain(from.join(", ")) : `(${rule})`}`,
    ),
    ...(dropped.length === 0 ? [] : ["Left out, and why:"]),
    ...[...reasons].flatMap(([why, fields]) => [
      `  ${why}:`,
      ...wrap(fields.map(({ field }) => toPlain(field))),
    ]),
  ].join("\n");
}

function wrap(names: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const name of names) {
    const line = lines.at(-1);
    const longer = `${line}, ${name}`;
    if (line === undefined || longer.length > LINE_LENGTH) lines.push(`    ${name}`);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function toCheckText(check: OrderCheck): string {
  const { status, action, riskLevel, result, reasons, creditsSpent, warnings } = check;
  const factors = result?.riskFactors.map(
    ({ severity, factor, description }) => `  ${severity}: ${factor}. ${description}`,
  );
  return [
    `${action} (${status}, level ${riskLevel ?? "none"}, score ${result?.riskScore ?? "none"}, credits ${creditsSpent})`,
    `because ${reasons.join(", ")}`,
    ...(factors ?? []),
    ...(result === null ? [] : [result.reasoning]),
    ...warnings.map(({ code, path, message }) => `warning ${code}, ${path || "order"}: ${message}`),
  ].join("\n");
}
