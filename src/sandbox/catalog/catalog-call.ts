import type { z } from "zod";
import type { CATALOG_OPERATIONS } from "../../catalog/operations/catalog-operations.ts";
import type { Operation } from "../../catalog/operations/operation.ts";
import type { CreditBalance } from "../credits.ts";
import type { OrganizationJobs } from "./job-engine.ts";
import type { OrganizationRecords } from "./records.ts";

/** Choices where the interface isn't specified. */
export interface CatalogChoices {
  /** Status of the message about a SKU or external id that is taken. @default 409 */
  readonly duplicateStatus: number;
  /** Status for a refused stop. @default 400; an unknown job is a 404 */
  readonly stopErrorStatus: number;
  /** What to do with a `limit` above its maximum, outside brand and category history. @default refuse */
  readonly overLimit: "refuse" | "clamp";
  /** Key of a webhook's payload. The interface's text doesn't show it. @default data */
  readonly payloadKey: string;
  /** How long five items take, in milliseconds. @default 1000 */
  readonly itemMs: number;
}

/** One call of an operation. `body` has been checked against the operation's schema. */
export interface CatalogCall<Body = unknown> {
  readonly organization: string;
  /** The path's parameter; empty if it has none. */
  readonly id: string;
  readonly body: Body;
  readonly records: OrganizationRecords;
  readonly jobs: OrganizationJobs;
  readonly credits: CreditBalance;
  readonly choices: CatalogChoices;
  readonly nowMs: number;
}

type Operations = typeof CATALOG_OPERATIONS;

/** The body of an operation, e.g. of `products`, `create`. */
export type BodyOf<
  Group extends keyof Operations,
  Name extends keyof Operations[Group],
> = Operations[Group][Name] extends Operation ? z.output<Operations[Group][Name]["body"]> : never;

/** What an operation does; it returns `data` of the answer, or {@link WithMessage}. */
export type CatalogHandler<Body> = (call: CatalogCall<Body>) => unknown;

/** What the operations of some groups do. A download has no handler. */
export type CatalogHandlers<Groups extends keyof Operations> = {
  readonly [Group in Groups]: {
    readonly [
      Name in keyof Operations[Group] as Operations[Group][Name] extends { readonly kind: "download" }
        ? never
        : Name
    ]: CatalogHandler<BodyOf<Group, Name>>;
  };
};

/** An answer's `data` with the message beside it. */
export class WithMessage {
  readonly message: string;
  readonly data: object;

  constructor(message: string, data: object) {
    this.message = message;
    this.data = data;
  }
}

export interface PageQuery {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

export function cutPage<T>(all: readonly T[], { page = 1, limit }: PageQuery, usual: number) {
  const size = limit ?? usual;
  return {
    entries: all.slice((page - 1) * size, page * size),
    pagination: { page, limit: size, total: all.length, totalPages: Math.ceil(all.length / size) },
  };
}
