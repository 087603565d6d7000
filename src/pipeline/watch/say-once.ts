import type { TenantStore } from "../../store/store.ts";

/** What is said, about what, and how often at most. */
export interface Saying {
  /** What all that is said about counts together: a tenant, or a platform's name for whatever comes from it. */
  readonly about: string;
  /** E.g. the name of an alert. */
  readonly name: string;
  /** What it is said of this time. Repeated after a crash it is said again. */
  readonly key: string;
  readonly everyMs: number;
  readonly nowMs: number;
}

/** Whether to say something that comes up more often than a person wants to hear of it. */
export function isToBeSaid(
  store: Pick<TenantStore, "takeQuota">,
  { about, name, key, everyMs, nowMs }: Saying,
): Promise<boolean> {
  return store.takeQuota({
    tenant: about,
    name: `said:${name}`,
    key,
    sinceMs: nowMs - everyMs,
    max: 1,
    nowMs,
  });
}
