import type { KeyUser } from "./gate-states.ts";

/** Names of the circuits that a tenant's calls depend on, the same in all processes. */
export function toCircuitNames({ keyId, tenant }: KeyUser): {
  readonly key: string;
  readonly tenant: string;
} {
  return { key: `key:${keyId}`, tenant: `tenant:${keyId}:${tenant}` };
}
