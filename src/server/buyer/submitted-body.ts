import type { IncomingMessage } from "node:http";
import type { SubmittedBody } from "../../buyer-check/method.ts";
import type { BuyerTextKey } from "../../buyer-check/texts/en.ts";
import { readBody } from "../http/request-body.ts";

/** A form with a choice or a code. */
const FORM_BYTES = 4_096;
const TIMEOUT_MS = 20_000;
/** More fields than any form has. */
const MOST_FIELDS = 20;

/** What came of reading an answer. */
export type Submitted =
  /** Call `release` when it isn't needed any more, to free its memory. */
  | { readonly outcome: "read"; readonly body: SubmittedBody; readonly release: () => void }
  /** It isn't complete. `fields`: what is known of it, to show it again. `isFree`: the buyer did nothing wrong. */
  | {
      readonly outcome: "refused";
      readonly problem: BuyerTextKey;
      readonly isFree: boolean;
      readonly fields: ReadonlyMap<string, string>;
    }
  /** The connection was lost, so nobody gets an answer. */
  | { readonly outcome: "gone" };

/** Read a small form. Never rejects. */
export async function readForm(req: IncomingMessage): Promise<Submitted> {
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(req.headers["content-type"] ?? ""))
    return UNREADABLE;
  const read = await readBody(req, { maxBytes: FORM_BYTES, timeoutMs: TIMEOUT_MS });
  if (read.outcome === "aborted") return { outcome: "gone" };
  if (read.outcome !== "complete") return UNREADABLE;
  const { body, release } = read;
  return { outcome: "read", body: { fields: toFields(body.toString("utf8")) }, release };
}

const UNREADABLE: Submitted = {
  outcome: "refused",
  problem: "try-again",
  isFree: false,
  fields: new Map(),
};

/** The first value of each field. */
function toFields(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.size >= MOST_FIELDS) break;
    if (!fields.has(name)) fields.set(name, value);
  }
  return fields;
}
