import type { BuyerAsking } from "../../buyer-check/buyer-asking.ts";
import type { AppAlerts } from "../../alerts/notifier.ts";
import type { ServiceAccesses } from "../../screening/service-accesses.ts";
import type { PolicyOf } from "../../settings/current-policy.ts";
import type { CurrentSettings } from "../../settings/current-settings.ts";
import type { CircuitBreaker } from "../../service/circuit-breaker.ts";
import type { Logger } from "../../base/logger.ts";
import type { ProductLookups } from "../../pipeline/decide/product-lookups.ts";
import type { Metrics } from "../../pipeline/metrics.ts";
import type { Intake } from "../../pipeline/intake/intake.ts";
import type { Platform, TenantId } from "../../platform/platform.ts";
import type { Store } from "../../store/store.ts";
import type { ReadWorkspaceMembers } from "./workspace-members.ts";
import type { CreditSummary } from "./credit-summary.ts";

/** A font file, for what a PDF's standard fonts don't have. */
export interface FontFile {
  readonly path: string;
  /** Which font of a collection (`.ttc`), by its PostScript name. */
  readonly face: string | undefined;
}

/** The number of proxies in front of the app, or their IP addresses and networks (CIDR). */
export type TrustedProxies = number | readonly string[];

/** Facts about the installation, for the console. */
export interface About {
  readonly version: string;
  /** Who checks orders: the hosted service, or the local engine alone. */
  readonly verification: "service" | "local";
}

/** The operator's configuration for all tenants. */
export interface Installation {
  /** The environment's verification service; null without one. */
  readonly service: { readonly url: string; readonly organization: string | undefined } | null;
  /** The environment's catalog; null without one. */
  readonly catalog: {
    readonly url: string;
    readonly hasKey: boolean;
    readonly organization: string | undefined;
  } | null;
  /** Whether a mail server is configured. */
  readonly canMail: boolean;
  /** The operator's tenant: only its users may set a service URL. */
  readonly operatorTenant: TenantId;
  /** Whether there are no other tenants, so that this machine's own services are the operator's. */
  readonly isSingleTenant: boolean;
}

export interface ServerParts {
  readonly store: Store;
  readonly intake: Intake;
  readonly platforms: readonly Platform[];
  /** Operator's bearer token for {@link ServerParts.consoleTenant}. Default none: only platform sessions. */
  readonly consoleToken?: string | undefined;
  /** Proxies whose `X-Forwarded-For` is trusted. Default: none; the address is the connection's. */
  readonly trustProxy?: TrustedProxies | undefined;
  /** Whose orders the console token shows. */
  readonly consoleTenant: TenantId;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** `worker` answers health and metrics only. */
  readonly role: "all" | "intake" | "worker";
  /** Whether this process can take work. */
  readonly ready: () => Promise<boolean>;
  readonly policyOf: PolicyOf;
  readonly settings: CurrentSettings;
  readonly accesses: ServiceAccesses;
  readonly products: Pick<ProductLookups, "tryOut">;
  readonly breaker: Pick<CircuitBreaker, "peek" | "forget">;
  readonly installation: Installation;
  /** Send a test message to one address, once. Resolves to null without a way to send it. */
  readonly tryNotice: AppAlerts["tryOut"];
  /** Reads the people who can be added to the operator's tenant. Default: no management interface is configured. */
  readonly readWorkspaceMembers?: ReadWorkspaceMembers | undefined;
  /** How buyers of held orders are asked. Default: they aren't. */
  readonly buyers?: BuyerAsking | undefined;
  /** Called when an action here makes an order due. Default: the worker finds it on its own. */
  readonly wake?: (() => void) | undefined;
  /** Font files for the evidence in PDF. Default none: other than Western letters are shown as their code points. */
  readonly pdfFonts?: readonly FontFile[] | undefined;
  readonly credits: (tenant: TenantId) => Promise<CreditSummary>;
  /** Whether the process is stopping: deliveries are refused and `/readyz` says so. */
  readonly draining: () => boolean;
  readonly about: About;
  /** Whether people reach the app over https. Default false: no HSTS. */
  readonly https?: boolean | undefined;
  /** Time limit for a request's body in milliseconds. Default 10 000. */
  readonly bodyTimeoutMs?: number | undefined;
  /** How long the answer to a webhook waits for the store, in milliseconds. Default 4 500. */
  readonly saveTimeoutMs?: number | undefined;
}
