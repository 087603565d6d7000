import { z } from "zod";
import { SANDBOX_TABLE } from "../engine/sandbox-scenarios.ts";
import { toFailure, toSuccess, type Answer, type ReadBody, type Route, INVALID_BODY } from "./http.ts";
import type { SandboxOrganization } from "./access.ts";
import type { CreditBalances } from "./credits.ts";

/** The routes that only the sandbox has. */
export type OwnRoute = Extract<Route, { readonly kind: "sandbox-credits" | "sandbox-scenarios" }>;

const creditsSchema = z.union([
  z.strictObject({ add: z.number().nonnegative(), organization: z.string().exactOptional() }),
  z.strictObject({ set: z.number().nonnegative(), organization: z.string().exactOptional() }),
]);
const EXPECTED_CREDITS =
  'expected { "add": N } or { "set": N }, N 0 or more, and with "organization" one that the key reaches';

/** Whose credits a call of the sandbox's own routes is about. */
export interface OwnRouteCaller {
  /** The organizations that the key reaches; the first one is meant where none is named. */
  readonly organizations: readonly SandboxOrganization[];
  readonly balances: CreditBalances;
}

/** The answer of one of the sandbox's own routes. It isn't metered. */
export function toOwnAnswer(route: OwnRoute, body: ReadBody, caller: OwnRouteCaller): Answer {
  if (route.kind === "sandbox-scenarios") return toSuccess({ scenarios: SANDBOX_TABLE });
  const { organizations, balances } = caller;
  const change = route.method === "POST" ? readChange(body) : {};
  const organization = organizations.find(
    ({ id, slug }) => change?.organization === undefined || [id, slug].includes(change.organization),
  );
  if (change === undefined || organization === undefined) {
    return toFailure(400, INVALID_BODY + EXPECTED_CREDITS);
  }
  const balance = balances.of(organization.id);
  if ("add" in change) balance.add(change.add);
  if ("set" in change) balance.set(change.set);
  return toSuccess({ organization: organization.slug, credits: toShownCredits(balance.credits) });
}

/** Credits as JSON tells them: null where there is no end to them. */
function toShownCredits(credits: number): number | null {
  return Number.isFinite(credits) ? credits : null;
}

type Change = z.infer<typeof creditsSchema> | { readonly organization?: undefined };

function readChange(body: ReadBody): Change | undefined {
  if (body.outcome === "too-long") return undefined;
  try {
    return creditsSchema.safeParse(JSON.parse(body.text)).data;
  } catch {
    return undefined;
  }
}
