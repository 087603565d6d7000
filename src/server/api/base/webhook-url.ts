import { isWebhookUrl } from "../../../alerts/alert-config.ts";
import { toFieldProblem, type FieldProblem } from "../../../base/field-codes.ts";
import { isLoopback, isPublicHost } from "../../../base/public-address.ts";
import type { TenantId } from "../../../platform/platform.ts";
import type { Installation } from "../../parts/server-parts.ts";

/** Whether a tenant's settings may name an address on this machine: only the operator's. */
export function isOperators({ operatorTenant, isSingleTenant }: Installation, tenant: TenantId): boolean {
  return isSingleTenant && tenant === operatorTenant;
}

/** Why nothing can be posted to an address. */
export function checkWebhookUrl(
  isOwnMachine: boolean,
  path: string,
  url: string | null = null,
): readonly FieldProblem[] {
  if (url === null) return [];
  if (isWebhookUrl(url)) {
    const { protocol, hostname } = new URL(url);
    if (isLoopback(hostname) ? isOwnMachine : protocol === "https:" && isPublicHost(hostname)) return [];
  }
  return [toFieldProblem(path, "webhook-url")];
}
