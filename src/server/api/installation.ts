import type { TenantId } from "../../platform/platform.ts";

/** What whoever runs the app has settled for all tenants. */
export interface Installation {
  /** The environment's verification service; null without one. */
  readonly service: { readonly url: string; readonly organization: string | undefined } | null;
  /** Whether a mail server is configured. */
  readonly canMail: boolean;
  /** Whose people may name a service's address: those of whoever runs the app. */
  readonly operatorTenant: TenantId;
  /** Whether there are no other tenants, so that this machine's own services are the operator's. */
  readonly isSingleTenant: boolean;
}
