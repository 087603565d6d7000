import type { HoldfastError } from "../../../src/index.ts";
import { DEFAULT_PAUSE_MS } from "./admin-answer.ts";
import { invalidCall, refused, throttled, unavailable } from "../base/failures.ts";
import type { JsonReply } from "./post-json.ts";

/**
 * What a status other than 200 and 401 says about repeating the call. `throttled`: after the pause that Shopify names.
 * `soon`: Shopify, or something on the way to it, failed at this moment. `later`: somebody has to act first, such as a
 * merchant whose shop is frozen. `never`: the call itself is at fault.
 */
export type StatusMeaning = "throttled" | "soon" | "later" | "never";

const MEANINGS: Readonly<Record<number, StatusMeaning>> = {
  400: "never",
  405: "never",
  406: "never",
  408: "soon",
  409: "soon",
  411: "never",
  413: "never",
  414: "never",
  415: "never",
  421: "soon",
  422: "never",
  425: "soon",
  429: "throttled",
  // Shopify's own: its protection against abuse took the request for an attack.
  430: "soon",
  431: "never",
};

/** A status without a known meaning isn't the call's fault: it never makes Holdfast give up on an order. */
export function toStatusMeaning(status: number): StatusMeaning {
  const isFailure = status >= 500 || status < 300;
  return MEANINGS[status] ?? (isFailure ? "soon" : "later");
}

const EXPLANATIONS: Readonly<Record<number, string>> = {
  402: ": the shop's plan is frozen",
  403: ": the app isn't allowed to call from this address. Check its IP allowlist in the Dev Dashboard, then its scopes",
  404: ": the shop doesn't exist",
  423: ": the shop is locked",
};

/** The error for a status other than 200 and 401. `what` names the part of Shopify that answered. */
export function toStatusError(
  { status, retryAfterMs }: Pick<JsonReply, "status" | "retryAfterMs">,
  nowMs: number,
  what = "Shopify",
): HoldfastError {
  const text = `${what} returned ${status}${EXPLANATIONS[status] ?? ""}`;
  switch (toStatusMeaning(status)) {
    case "throttled":
      return throttled(`${text}: its rate limit is reached`, nowMs + (retryAfterMs ?? DEFAULT_PAUSE_MS));
    case "soon":
      return unavailable(text, retryAfterMs === undefined ? undefined : nowMs + retryAfterMs);
    case "later":
      return refused(text);
    case "never":
      return invalidCall(text);
  }
}
