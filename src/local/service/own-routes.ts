import { z } from "zod";
import { SANDBOX_TABLE } from "../sandbox.ts";
import type { Desk } from "./desk.ts";
import { toFailure, toSuccess, type Answer, type ReadBody, type Route } from "./http.ts";
import { INVALID_BODY } from "./status.ts";

/** The routes that only the sandbox has. */
export type OwnRoute = Extract<Route, { readonly kind: "sandbox-credits" | "sandbox-scenarios" }>;

const creditsSchema = z.union([
  z.strictObject({ add: z.number().nonnegative() }),
  z.strictObject({ set: z.number().nonnegative() }),
]);
const EXPECTED_CREDITS = 'expected { "add": N } or { "set": N }, N 0 or more';

/** The answer of one of the sandbox's own routes. Nothing of it is metered. */
export function toOwnAnswer(route: OwnRoute, body: ReadBody, desk: Desk): Answer {
  if (route.kind === "sandbox-scenarios") return toSuccess({ scenarios: SANDBOX_TABLE });
  if (route.method === "POST") {
    const change = readChange(body);
    if (change === undefined) return toFailure(400, INVALID_BODY + EXPECTED_CREDITS);
    if ("add" in change) desk.topUp(change.add);
    else desk.setCredits(change.set);
  }
  return toSuccess({ credits: toShownCredits(desk.credits) });
}

/** Credits as JSON tells them: null where there is no end to them. */
export function toShownCredits(credits: number): number | null {
  return Number.isFinite(credits) ? credits : null;
}

function readChange(body: ReadBody): z.infer<typeof creditsSchema> | undefined {
  if (body.outcome === "too-long") return undefined;
  try {
    return creditsSchema.safeParse(JSON.parse(body.text)).data;
  } catch {
    return undefined;
  }
}
