import { checkOptions } from "../../src/adapter-kit.ts";

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

/** Medusa's connection to Postgres, from Knex. */
interface Connection {
  raw(statement: string, values: readonly unknown[]): PromiseLike<unknown>;
}

interface Workflows {
  run(name: string, options: { readonly input: object }): Promise<unknown>;
}

export interface Services {
  readonly query: Query;
  readonly connection: Connection;
  readonly workflows: Workflows;
}

/** The services outlive the request that the container belongs to. */
export function findServices(given: Container): Services {
  const container = { is: ["resolve"], expected: "Medusa's container", isRequired: true } as const;
  checkOptions("findServices", { container: given }, { container });
  const resolve = (name: string): unknown => given.resolve(name as never);
  return {
    query: resolve("query") as Query,
    connection: resolve("__pg_connection__") as Connection,
    workflows: resolve("workflows") as Workflows,
  };
}
