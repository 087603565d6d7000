import type { IncomingMessage } from "node:http";
import type { BuyerMethod, SubmittedBody } from "../../buyer-check/method.ts";
import { readBody } from "../http/request-body.ts";

/** A form with a choice or a code. */
const FORM_BYTES = 4_096;
const TIMEOUT_MS = 20_000;
/** More fields than any form has. */
const MOST_FIELDS = 20;

/** Read what a buyer sent; null if it can't be read: too large, too slow, or not a form. */
export async function readSubmitted(
  req: IncomingMessage,
  { body: { maxBytes } = { maxBytes: FORM_BYTES, files: false } }: Pick<BuyerMethod, "body">,
): Promise<SubmittedBody | null> {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(req.headers["content-type"] ?? "")) return null;
  const read = await readBody(req, { maxBytes, timeoutMs: TIMEOUT_MS });
  if (read.outcome !== "complete") return null;
  const { body, release } = read;
  release();
  return { fields: toFields(body.toString("utf8")), files: [] };
}

/** The first value of each field. */
function toFields(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.size >= MOST_FIELDS) break;
    if (!fields.has(name)) fields.set(name, value);
  }
  return fields;
}
