import { checkOptions } from "../../src/index.ts";

/** Medusa's container, by shape: Holdfast depends on no version of Medusa and contains none of its code. */
export interface Container {
  resolve(name: never): unknown;
}

interface Query {
  graph(
    request: object,
  ): Promise<{ readonly data: readonly Row[]; readonly metadata?: { readonly count: number } }>;
}

export type Row = Readonly<Record<string, unknown>>;

interface Orders {
  updateOrders(id: string, changes: object): Promise<unknown>;
}

interface Workflows {
  run(name: string, options: { readonly input: object }): Promise<unknown>;
}

export interface Services {
  readonly query: Query;
  readonly orders: Orders;
  readonly workflows: Workflows;
}

/** The services outlive the request that the container belongs to. */
export function findServices(given: Container): Services {
  const container = { is: ["resolve"], expected: "Medusa's container", isRequired: true } as const;
  checkOptions("findServices", { container: given }, { container });
  const resolve = (name: string): unknown => given.resolve(name as never);
  return {
    query: resolve("query") as Query,
    orders: resolve("order") as Orders,
    workflows: resolve("workflows") as Workflows,
  };
}
