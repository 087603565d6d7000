import type { TenantId } from "../../../src/adapter-kit.ts";
import { toShop } from "../base/shop-domain.ts";
import type { AdminAnswer } from "./admin-answer.ts";
import { unavailable } from "../base/failures.ts";
import type { AdminClient } from "./admin-client.ts";
import type { Operations, PageInfo } from "../operations/generated/operations.ts";

/** Calls one shop's Admin API. */
export type Ask = <K extends keyof Operations>(
  operation: K,
  variables: Operations[K]["variables"],
) => Promise<AdminAnswer<Operations[K]["data"]>>;

export function askShop(client: AdminClient, tenant: TenantId, signal: AbortSignal | undefined): Ask {
  const shop = toShop(tenant);
  return (operation, variables) => client.request(shop, operation, variables, { signal });
}

type Payload<Data> = NonNullable<Data[keyof Data]>;

/**
 * Send a document with one mutation.
 *
 * @returns the mutation's payload.
 * @throws {HoldfastError} `PLATFORM_UNAVAILABLE` when it is null and nothing says why.
 */
export async function mutate<K extends keyof Operations>(
  ask: Ask,
  operation: K,
  variables: Operations[K]["variables"],
): Promise<Payload<Operations[K]["data"]>> {
  const { data } = await ask(operation, variables);
  const [payload = null] = Object.values(data);
  if (payload === null) throw unavailable("Shopify returned an empty response to a mutation");
  return payload as Payload<Operations[K]["data"]>;
}

interface Page<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: PageInfo;
}

/** The nodes of a page and of all following pages; null if the object with the list was deleted meanwhile. */
export async function readPages<T>(
  first: Page<T>,
  read: (after: string) => Promise<Page<T> | undefined>,
): Promise<readonly T[] | null> {
  const nodes = [...first.nodes];
  let { hasNextPage, endCursor } = first.pageInfo;
  while (hasNextPage && endCursor !== null) {
    const page = await read(endCursor);
    if (page === undefined) return null;
    nodes.push(...page.nodes);
    ({ hasNextPage, endCursor } = page.pageInfo);
  }
  return nodes;
}
