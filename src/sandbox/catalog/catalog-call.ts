import type { z } from "zod";
import type { CATALOG_OPERATIONS } from "../../catalog/operations/catalog-operations.ts";
import type { Operation } from "../../catalog/operations/operation.ts";
import { INVALID_BODY } from "../http.ts";
import type { CreditBalance } from "../credits.ts";
import type { RecordKind, RecordList, SandboxRecord } from "./records.ts";

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

/** Advances jobs as time passes. */
export interface JobEngine {
  /** Queue a job with its items. */
  start(organization: string, job: SandboxRecord, items: readonly SandboxRecord[]): void;
  /** Stop a running job. Its unfinished items fail. */
  stop(organization: string, job: SandboxRecord): SandboxRecord;
  /** Do everything that is due by now. */
  advance(): void;
  /** When something is due next; undefined if no job is running. */
  readonly nextAtMs: number | undefined;
}

/** One call of an operation. `body` has been checked against the operation's schema. */
export interface CatalogCall<Body = unknown> {
  readonly organization: string;
  /** The path's parameter; empty if it has none. */
  readonly id: string;
  readonly body: Body;
  /** The organization's records of a kind. */
  readonly records: (kind: RecordKind) => RecordList;
  readonly jobs: JobEngine;
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

/** Thrown to answer a call with the failure envelope. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The refusal of a body that breaks a rule outside the schema. */
export function refuseBody(detail: string): Refusal {
  return new Refusal(400, INVALID_BODY + detail);
}

/** A time in the interface's format. */
export function toTime(nowMs: number): string {
  return new Date(nowMs).toISOString();
}

/** The fields of a requested page. */
export interface PageQuery {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

/** Where a page starts, and its `pagination`. */
export function toPage({ page = 1, limit }: PageQuery, usual: number, total: number) {
  const size = limit ?? usual;
  return {
    offset: (page - 1) * size,
    limit: size,
    pagination: { page, limit: size, total, totalPages: Math.ceil(total / size) },
  };
}

/** One page of a complete list of records. */
export function cutPage<T>(records: readonly T[], query: PageQuery, usual: number) {
  const { offset, limit, pagination } = toPage(query, usual, records.length);
  return { entries: records.slice(offset, offset + limit), pagination };
}

/** A record's fields, by name; missing ones are null. */
export function pick(record: SandboxRecord, ...names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
}

/** A field's text; empty when it isn't text. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
