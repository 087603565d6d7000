import { isHoldfastError } from "../../base/errors.ts";
import type { Finding, Platform, TenantId } from "../../platform/platform.ts";
import type { Store } from "../../store/store.ts";
import { mapSome } from "../../base/waiting.ts";
import { count, ok, skipped, warning } from "./findings.ts";

/** Shops that are asked at once. */
const CONCURRENCY = 4;
/** Time limit for all checks of one shop. */
const PATIENCE_MS = 20_000;
/** Shops named in a line; the rest are only counted. */
const NAMED = 3;

/** Check for all installed tenants that the platforms let Holdfast work. */
export async function checkPlatforms(
  store: { readonly tenants: Pick<Store["tenants"], "list"> },
  platforms: readonly Platform[],
) {
  const installed = await store.tenants.list();
  const byName = new Map(platforms.map((platform) => [platform.name, platform]));
  const own = await mapSome(
    platforms,
    CONCURRENCY,
    async (platform) => (await platform.diagnose?.(null)) ?? [],
  );
  const reached = installed.filter(({ platform }) => byName.has(platform));
  const found = await mapSome(reached, CONCURRENCY, async ({ tenant, platform }) => {
    const findings = await diagnose(byName.get(platform), tenant);
    return findings.map((finding) => ({ tenant, finding }));
  });
  return [checkTenants(installed, byName), ...own.flat(), ...mergeByTenant(found.flat())];
}

function checkTenants(
  installed: Awaited<ReturnType<Store["tenants"]["list"]>>,
  platforms: ReadonlyMap<string, Platform>,
): Finding {
  const id = "tenants";
  if (installed.length === 0) return skipped(id, "no shop is installed");
  const strange = installed.filter(({ platform }) => !platforms.has(platform));
  if (strange.length > 0) {
    const found = `${count(strange.length, "shop")} on a platform that isn't configured: ${nameSome(strange)}`;
    return warning(id, found, "set the platform's variables: orders of these shops are waiting");
  }
  const lost = installed.filter(({ hasAccess }) => !hasAccess);
  if (lost.length > 0) {
    const found = `${count(installed.length, "shop")} installed, without access to ${nameSome(lost)}`;
    return warning(id, found, "open the app in these shops");
  }
  return ok(id, `${count(installed.length, "shop")} installed`);
}

async function diagnose(platform: Platform | undefined, tenant: TenantId): Promise<readonly Finding[]> {
  try {
    return (await platform?.diagnose?.(tenant, { signal: AbortSignal.timeout(PATIENCE_MS) })) ?? [];
  } catch (error) {
    // Another library's message may quote the request.
    const found = isHoldfastError(error)
      ? error.message
      : "a shop couldn't be checked because of an unexpected error";
    const advice = "run doctor again; if it fails again, report it";
    return [{ id: `${platform?.name ?? "platform"}.access`, status: "problem", found, advice }];
  }
}

/** `skipped` comes last: if a shop can't be read, its `access` finding says why. */
const WORST_FIRST = ["problem", "warning", "ok", "skipped"] as const;

/** One finding for each ID: the worst one, with its shops. */
export function mergeByTenant(found: readonly { tenant: TenantId; finding: Finding }[]): readonly Finding[] {
  const byId = Map.groupBy(found, ({ finding }) => finding.id);
  return [...byId.values()].flatMap((all) => {
    const status = WORST_FIRST.find((candidate) => all.some(({ finding }) => finding.status === candidate));
    const worst = all.filter(({ finding }) => finding.status === status);
    const [first] = worst;
    if (first === undefined) return [];
    const same = worst.filter(({ finding }) => finding.found === first.finding.found);
    const others = worst.length - same.length;
    if (status === "ok" || status === "skipped") return [summarize(first.finding, same.length, all.length)];
    const more = others === 0 ? "" : `; another ${status} in ${count(others, "shop")}`;
    return [{ ...first.finding, found: `${nameSome(same)}: ${first.finding.found}${more}` }];
  });
}

/** A finding without advice doesn't name its shops. */
function summarize(finding: Finding, same: number, all: number): Finding {
  return same === all ? finding : { ...finding, found: `${finding.found}, in ${same} of ${all} shops` };
}

function nameSome(tenants: readonly { readonly tenant: TenantId }[]): string {
  const named = tenants
    .slice(0, NAMED)
    .map(({ tenant }) => tenant)
    .join(", ");
  return tenants.length > NAMED ? `${named} and ${tenants.length - NAMED} more` : named;
}
