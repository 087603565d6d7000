import type { AlertMessage } from "./alert-message.ts";

/** A way to a person. */
export type AlertChannelName = "webhook" | "email";

/** How one try to deliver ended. `problem` is a code, such as `status:500` or `ECONNREFUSED`, never a text. */
export type Delivery =
  /** `refused`: how many of several recipients were refused. */
  | { readonly outcome: "sent"; readonly refused: number }
  | { readonly outcome: "failed"; readonly retryable: boolean; readonly problem: string };

/** Delivers messages, one try at a time. */
export interface AlertChannel {
  readonly name: AlertChannelName;
  /** One try, within the channel's time limit. Never rejects. */
  send(message: AlertMessage, signal: AbortSignal): Promise<Delivery>;
  close(): Promise<void>;
}

/** A code such as `ECONNREFUSED`, also of the cause; `failed` when there is no code. */
export function toProblem(error: unknown): string {
  const code = readCode(error) ?? (error instanceof Error ? readCode(error.cause) : undefined);
  if (code !== undefined) return code;
  return error instanceof Error && /^\w{1,64}$/.test(error.name) ? error.name : "failed";
}

function readCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" && /^[A-Z0-9_]{1,64}$/.test(error.code) ? error.code : undefined;
}
