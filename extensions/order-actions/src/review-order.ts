import type { Act, Ask } from "../../order-block/src/order-check.ts";

/** Longest note, in characters. */
export const NOTE_MAX_LENGTH = 500;

/** Why an order is declined, in the same words as the console. */
export const DECLINE_WORDS = {
  "suspected-fraud": "Suspected fraud",
  "stolen-payment": "Stolen card or account",
  "false-details": "False name, address, or phone",
  "not-confirmed": "Customer didn't confirm the order",
  abuse: "Reseller, promotion, or return abuse",
  "customer-request": "Customer asked to cancel",
  other: "Other",
} as const;
/** One of {@link DECLINE_WORDS}. */
export type DeclineReason = keyof typeof DECLINE_WORDS;

/** A person's decision. */
export interface Press {
  readonly act: Act;
  /** The version of the order that the person has seen. Approving another version is refused. */
  readonly version: string;
  readonly note: string;
  /** Sent with a decline only. */
  readonly reason: DeclineReason;
}

/** A decision takes a few writes. The admin's modal must not wait longer than a person would. */
const TIMEOUT_MS = 15_000;
const UNREACHED = "Can't reach Holdfast. Nothing may have changed: open the order again to see.";

/** Decide on an order, or check it again, as the console does. Null if it succeeded, else why not. */
export async function reviewOrder(
  orderId: string,
  { act, version, note, reason }: Press,
  ask: Ask = fetch,
): Promise<string | null> {
  const text = note.trim();
  try {
    const response = await ask(`/api/orders/${orderId}/${act}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(act === "approve" ? { "If-Match": `"${version}"` } : {}),
      },
      body: JSON.stringify({
        ...(text === "" ? {} : { note: text }),
        ...(act === "decline" ? { reason } : {}),
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return response.ok ? null : await readProblem(response);
  } catch {
    return UNREACHED;
  }
}

async function readProblem(response: Response): Promise<string> {
  const { detail } = (await response.json().catch(() => ({}))) as { readonly detail?: unknown };
  return typeof detail === "string" ? detail : UNREACHED;
}

/** Run `work` for each of `items`, a few at a time. */
export async function forEachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const take = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 4 }, take));
}
