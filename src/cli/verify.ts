import { parsePolicy } from "../policy/policy.ts";
import { readFile } from "node:fs/promises";
import type { Config } from "../config.ts";
import { HoldfastError } from "../base/errors.ts";
import type { OrderCheck } from "../screening/order-check.ts";
import { createScreener } from "../screening/screener.ts";
import { openConfiguredStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import type { Output } from "./output.ts";

/** Whose policy and budget a check on the command line is under: those that the operator edits on the console. */
const TENANT = "default";

/**
 * `holdfast verify FILE`: check one verification request from a JSON file under the policy and budget kept in the
 * configured database. The answer is kept there too, so that a repeat costs nothing.
 */
export async function verifyFile(file: string, json: boolean, config: Config, output: Output): Promise<void> {
  const order = await readOrder(file);
  const store = await openConfiguredStore(config, { exclusive: false });
  try {
    const check = await checkOnce(order, config, store);
    output.line(json ? JSON.stringify(check) : toText(check));
  } finally {
    await store.close();
  }
}

async function checkOnce(order: unknown, { service }: Config, store: Store): Promise<OrderCheck> {
  const policy = await store.loadPolicy(TENANT);
  const screener = createScreener({
    service: service?.apiKey === undefined ? "local" : { ...service, apiKey: service.apiKey.reveal() },
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

async function readOrder(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (cause) {
    throw new HoldfastError("ORDER_INVALID", `${file}: can't be read`, { retryable: false, cause });
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which is somebody's order.
    throw new HoldfastError("ORDER_INVALID", `${file}: expected one JSON document`, { retryable: false });
  }
}

function toText(check: OrderCheck): string {
  const { status, action, riskLevel, result, reasons, creditsSpent } = check;
  const factors = result?.riskFactors.map(
    ({ severity, factor, description }) => `  ${severity}: ${factor}. ${description}`,
  );
  return [
    `${action} (${status}, level ${riskLevel ?? "none"}, score ${result?.riskScore ?? "none"}, credits ${creditsSpent})`,
    `because ${reasons.join(", ")}`,
    ...(factors ?? []),
    ...(result === null ? [] : [result.reasoning]),
  ].join("\n");
}
